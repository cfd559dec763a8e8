import { isKind, type Kind } from '../../snapshot/kinds.ts';
import type { LoadedObject } from '../../snapshot/loaded.ts';
import type { SnapshotRecord } from '../../snapshot/record.ts';
import { laterTimestamp } from '../../snapshot/timestamp.ts';
import type { IssueLog } from '../issue-log.ts';
import {
  type Content,
  contentOf,
  contentOfItem,
  contentOfListHead,
  isMapping,
  type Mapping,
  shown,
  surroundingsOf,
} from './classify.ts';
import type { Cuts, ListText, Piece, Reception } from './cuts.ts';
import { helmRefusal } from './display-text.ts';
import { ExpansionBudget } from './expansion-budget.ts';
import { parseJsonExactly } from './json.ts';
import { itemKindOf } from './kind-names.ts';
import {
  kindOfJson,
  kindOfYamlDocument,
  kindOfYamlItem,
  type SecretName,
  secretNameOfJson,
  secretNameOfYamlDocument,
  secretNameOfYamlItem,
} from './look.ts';
import { ParseError } from './parse-error.ts';
import { parsePiece, WrongGuessError, YamlNeededError } from './parse-piece.ts';
import { recordedIn } from './recorded.ts';
import { InexactNumberError, select } from './select.ts';
import type { Strings } from './strings.ts';
import { type YamlReader, yamlReader } from './yaml.ts';

export interface ObjectReaderOptions {
  readonly file: string;
  readonly issues: IssueLog;
  readonly strings: Strings;
  /** The kind of objects that do not say theirs, as the file's name tells it. */
  readonly itemKind: Kind | undefined;
  /** How many bytes may be held back until the kind of their list is known. */
  readonly deferralLimit?: number;
}

/** 512 MiB: Go prints the kind of a typed list after its items in YAML, before them in JSON. */
const defaultDeferralLimit = 512 * 1024 * 1024;
/** How much text may be parsed again because of aliases that refer from one item to another. */
const contextLimit = 64 * 1024 * 1024;

/** What is known of the list whose items arrive. */
interface OpenList {
  readonly text: ListText;
  readonly held: Item[];
  heldBytes: number;
  count: number;
  /** Items with anchors: later ones may refer to them. */
  readonly anchored: string[];
  anchoredBytes: number;
}

interface Item {
  readonly piece: Piece;
  readonly line: number;
  /** How many items with anchors come before it. */
  readonly anchoredBefore: number;
}

/** What was made of a piece, before any of it is kept. */
interface Taken {
  readonly objects: LoadedObject[];
  readonly others: { readonly content: Content; readonly line: number }[];
  newest: string | undefined;
}

/** Makes objects of the pieces of one file. */
export class ObjectReader implements Cuts {
  readonly objects: LoadedObject[] = [];
  readonly emptyKinds = new Set<Kind>();
  /** Kinds that were met and are of no use. */
  readonly unwantedKinds = new Set<string>();
  /** Why the file, or a part of it, is not the output that is needed. */
  refusal: string | undefined;
  hasLists = false;
  hasProblems = false;
  newestTimestamp: string | undefined;
  record: SnapshotRecord | undefined;
  readonly #options: ObjectReaderOptions;
  #yaml: YamlReader | undefined;
  #document = 1;
  #list: OpenList | undefined;
  #hasAppended = false;
  #contextLength = 0;

  constructor(options: ObjectReaderOptions) {
    this.#options = options;
  }

  beginDocument(document: number): void {
    this.#document = document;
  }

  document(piece: Piece, isBlock: boolean, line: number): void | Promise<void> {
    const kind =
      piece.format === 'json' ? kindOfJson(piece.bytes) : isBlock ? kindOfYamlDocument(piece.bytes) : undefined;
    if (kind === 'Secret') {
      const { format, bytes } = piece;
      this.#noteSecret(format === 'json' ? secretNameOfJson(bytes) : secretNameOfYamlDocument(bytes), line);
    }
    if (this.#isUnwanted(kind)) return;
    return this.#withYaml((yaml) => this.#takeDocument(piece, line, kind !== undefined, yaml));
  }

  beginList(text: ListText): void {
    this.#list = { text, held: [], heldBytes: 0, count: 0, anchored: [], anchoredBytes: 0 };
  }

  item(piece: Piece, line: number): Reception {
    const list = this.#list as OpenList;
    const isYaml = piece.format === 'yaml';
    const kind = isYaml ? kindOfYamlItem(piece.bytes) : kindOfJson(piece.bytes);
    const isPassedOver =
      this.#isUnwanted(kind) || (kind === undefined && this.#isUnwanted(itemKindOf(list.text.kind ?? '')));
    const isHeld = kind === undefined && !list.text.isArray && list.text.kind === undefined;
    if (piece.isGuess === true && (isPassedOver || isHeld)) return 'recut';
    if ((kind ?? itemKindOf(list.text.kind ?? '')) === 'Secret') this.#noteSecret(secretNameOfItem(piece), line);
    const item: Item = { piece, line, anchoredBefore: list.anchored.length };
    if (isYaml) rememberAnchors(list, piece.bytes);
    try {
      const waiting = isPassedOver || isHeld ? undefined : this.#withYaml((yaml) => this.#takeItem(list, item, yaml));
      if (isHeld) this.#hold(list, item);
      list.count++;
      return waiting;
    } catch (error) {
      if (error instanceof WrongGuessError) return 'recut';
      throw error;
    }
  }

  endList(text: ListText, tail: string | undefined, tailLine: number): void | Promise<void> {
    const list = this.#list as OpenList;
    return this.#withYaml((yaml) => {
      if (yaml === undefined && (text.format === 'yaml' || list.held.length > 0)) throw new YamlNeededError();
      const head = this.#headOf(list, tail, tailLine, yaml);
      const kind = typeof head.kind === 'string' ? head.kind : undefined;
      if (kind !== undefined && !kind.endsWith('List')) {
        this.#tell('warning', text.line, `a ${shown(kind)} with items is read as a list`);
      }
      // A list that was cut off before its first item is not known to be empty.
      const isEmpty = list.count === 0 && tail !== undefined;
      for (const content of contentOfListHead(head, isEmpty)) this.#keepOther(content, text.line);
      if (kind === undefined || !this.#isUnwanted(itemKindOf(kind))) {
        for (const item of list.held) this.#takeItem(list, item, yaml, head);
      } else if (itemKindOf(kind) === 'Secret') {
        for (const { piece, line } of list.held) this.#noteSecret(secretNameOfItem(piece), line);
      }
      this.#list = undefined;
    });
  }

  appended(line: number): void {
    if (this.#hasAppended) return;
    this.#hasAppended = true;
    this.#tell('warning', line, 'documents were appended without "---" between them: each is read on its own');
  }

  problem(line: number, reason: string): void {
    this.#tell('error', line, reason);
  }

  refuse(line: number, reason: string): void {
    if (this.refusal === undefined) this.#tell('error', line, reason);
    this.refusal ??= reason;
  }

  #tell(severity: 'error' | 'warning', line: number, reason: string): void {
    if (severity === 'error') this.hasProblems = true;
    this.#options.issues.add({ severity, document: this.#document, line, reason });
  }

  /** That there is such a Secret; the rest of it is passed over. */
  #noteSecret(found: SecretName | undefined, line: number): void {
    if (found === undefined) return;
    const { strings, file } = this.#options;
    const metadata = { name: strings.interned(found.name), namespace: strings.interned(found.namespace) };
    const provenance = { file, document: this.#document, line };
    this.objects.push({ kind: 'Secret', object: { kind: 'Secret', metadata }, provenance, told: 'listed' });
  }

  #isUnwanted(kind: string | undefined): boolean {
    if (kind === undefined || isKind(kind) || kind.endsWith('List') || kind === 'Status' || kind === 'Table')
      return false;
    this.unwantedKinds.add(kind);
    return true;
  }

  /** Runs, and once more with js-yaml loaded if it turns out to be needed before anything was kept. */
  #withYaml(run: (yaml: YamlReader | undefined) => void): void | Promise<void> {
    try {
      run(this.#yaml);
    } catch (error) {
      if (!(error instanceof YamlNeededError)) throw error;
      return yamlReader().then((yaml) => {
        this.#yaml = yaml;
        run(yaml);
      });
    }
  }

  #hold(list: OpenList, item: Item): void {
    const limit = this.#options.deferralLimit ?? defaultDeferralLimit;
    const isOver = list.heldBytes > limit;
    list.heldBytes += item.piece.bytes.length;
    if (isOver) return;
    if (list.heldBytes <= limit) {
      list.held.push({ ...item, piece: { ...item.piece, bytes: Buffer.from(item.piece.bytes) } });
    } else {
      this.#tell(
        'error',
        item.line,
        'the kind of the items stands behind more of them than can be held: the rest is passed over',
      );
    }
  }

  #takeDocument(piece: Piece, line: number, hasKind: boolean, yaml: YamlReader | undefined): void {
    this.#take(piece, line, (budget, isExact) => {
      const around = { budget, itemKind: this.#options.itemKind };
      if (isExact) return { contents: contentOf(parseJsonExactly(piece.bytes.toString('utf8')), around) };
      if (piece.format === 'yaml' && !hasKind && yaml !== undefined) return withLines(piece, around, yaml);
      const contents = contentOf(parsePiece(piece, false, yaml), around);
      if (piece.format === 'yaml' || contents.filter(({ is }) => is === 'object').length <= 1) return { contents };
      if (yaml === undefined) throw new YamlNeededError();
      // Lists under the names of their resources: YAML tells the lines of their items.
      return withLines(piece, around, yaml);
    });
  }

  #takeItem(list: OpenList, item: Item, yaml: YamlReader | undefined, head: Mapping = headKnownOf(list)): void {
    const { piece, line } = item;
    this.#take(piece, line, (budget, isExact) => {
      const value = isExact ? parseJsonExactly(piece.bytes.toString('utf8')) : this.#parseItem(list, item, yaml);
      return { contents: contentOfItem(value, surroundingsOf(head, { budget, itemKind: this.#options.itemKind })) };
    });
  }

  #take(piece: Piece, line: number, parse: (budget: ExpansionBudget, isExact: boolean) => Parsed): void {
    try {
      const taken = this.#selected(piece, line, parse, false);
      if (!this.#isTemplate(taken, piece)) this.#keep(taken);
      else this.refuse(line, helmRefusal);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      if (holdsTemplate(piece)) this.refuse(line, helmRefusal);
      else this.#tell('error', piece.line + error.lines, shown(error.message));
    }
  }

  #selected(
    piece: Piece,
    line: number,
    parse: (budget: ExpansionBudget, isExact: boolean) => Parsed,
    isExact: boolean,
  ): Taken {
    const budget = new ExpansionBudget(piece.bytes.length);
    const { contents, lineOf } = parse(budget, isExact);
    const taken: Taken = { objects: [], others: [], newest: undefined };
    for (const content of contents) {
      const offset = 'value' in content ? lineOf?.get(content.value as object) : undefined;
      const at = offset === undefined ? line : piece.line + offset;
      if (content.is !== 'object') {
        taken.others.push({ content, line: at });
        continue;
      }
      try {
        this.#select(content, content.told === 'listed' ? at : line, budget, taken);
      } catch (error) {
        if (error instanceof InexactNumberError && !isExact) return this.#selected(piece, line, parse, true);
        throw error;
      }
    }
    return taken;
  }

  #select(content: Content & { is: 'object' }, line: number, budget: ExpansionBudget, taken: Taken): void {
    const { kind, value, told, apiVersion } = content;
    const { object, remarks, newest } = select(kind, value, { strings: this.#options.strings, budget, apiVersion });
    for (const remark of remarks) taken.others.push({ content: { is: 'problem', ...remark, value }, line });
    taken.newest = laterTimestamp(taken.newest, newest);
    if (object === undefined) return;
    const provenance = { file: this.#options.file, document: this.#document, line };
    taken.objects.push({ kind, object, provenance, told });
  }

  #keep({ objects, others, newest }: Taken): void {
    for (const object of objects) this.objects.push(object);
    for (const { content, line } of others) this.#keepOther(content, line);
    this.newestTimestamp = laterTimestamp(this.newestTimestamp, newest);
  }

  #keepOther(content: Content, line: number): void {
    switch (content.is) {
      case 'object':
        return;
      case 'list':
        this.hasLists = true;
        if (content.head !== undefined) this.record ??= recordedIn(content.head);
        return;
      case 'empty':
        this.emptyKinds.add(content.kind);
        return;
      case 'unwanted':
        this.unwantedKinds.add(content.kind);
        return;
      case 'problem':
        this.#tell(content.severity, line, content.reason);
        return;
      case 'refusal':
        this.refuse(line, content.reason);
        return;
      default:
        content satisfies never;
    }
  }

  /** A template that was not rendered is YAML by accident. */
  #isTemplate({ objects, others }: Taken, piece: Piece): boolean {
    if (objects.some(({ object }) => object.metadata.name.includes('{{'))) return true;
    return (
      others.some(({ content }) => content.is === 'problem' && content.severity === 'error') && holdsTemplate(piece)
    );
  }

  #parseItem(list: OpenList, item: Item, yaml: YamlReader | undefined): unknown {
    try {
      return parsePiece(item.piece, true, yaml);
    } catch (error) {
      if (!isUnknownAlias(error) || yaml === undefined) throw error;
      const before = contextOf(list, item.anchoredBefore);
      const items = this.#inContext(list, before, item.piece.bytes.toString('utf8'), yaml);
      const last = Array.isArray(items) ? items.at(-1) : undefined;
      if (last === undefined) throw error;
      return last;
    }
  }

  /** The items of a list, read together with what the aliases in the text refer to. */
  #inContext({ text }: OpenList, before: string, own: string, yaml: YamlReader): unknown {
    this.#contextLength += before.length;
    if (this.#contextLength > contextLimit) throw new ParseError('too many aliases refer to other items', 0);
    const value = shifted(() => yaml.parse(before + own), -linesIn(before));
    return text.isArray || !isMapping(value) ? value : value.items;
  }

  /** What stands around the items of a list. */
  #headOf(list: OpenList, tail: string | undefined, tailLine: number, yaml: YamlReader | undefined): Mapping {
    const { text, anchored } = list;
    const known = headKnownOf(list);
    if (tail === undefined || text.isArray) return known;
    const headLines = linesIn(text.head);
    try {
      let value: unknown;
      if (text.format === 'json') {
        value = parsePiece({ format: 'json', bytes: Buffer.from(text.head + tail), line: text.line }, false, yaml);
      } else {
        try {
          value = yaml?.parse(text.head + tail);
        } catch (error) {
          if (!isUnknownAlias(error)) throw error;
          value = yaml?.parse(contextOf(list, anchored.length) + tail);
        }
      }
      return isMapping(value) ? value : known;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const isInHead = error.lines < headLines;
      this.#tell(
        'error',
        isInHead ? text.line + error.lines : tailLine + error.lines - headLines,
        shown(error.message),
      );
      return known;
    }
  }
}

/** What is known of a list before what stands behind its items was read. */
function headKnownOf({ text: { kind } }: OpenList): Mapping {
  return kind === undefined ? {} : { kind };
}

interface Parsed {
  readonly contents: readonly Content[];
  /** On which line of the piece, from 0, an object begins. */
  readonly lineOf?: ReadonlyMap<object, number>;
}

function withLines(piece: Piece, around: Parameters<typeof contentOf>[1], yaml: YamlReader): Parsed {
  const { value, lineOf } = yaml.parseWithLines(piece.bytes.toString('utf8'));
  return { contents: contentOf(value, around), lineOf };
}

function secretNameOfItem({ format, bytes }: Piece): SecretName | undefined {
  return format === 'json' ? secretNameOfJson(bytes) : secretNameOfYamlItem(bytes);
}

const ampersand = 0x26;

function rememberAnchors(list: OpenList, bytes: Buffer): void {
  if (bytes.indexOf(ampersand) < 0 || list.anchoredBytes > contextLimit) return;
  const text = bytes.toString('utf8');
  if (!/(?:^|[\s[{,])&[^\s,[\]{}]/.test(text)) return;
  list.anchored.push(text.endsWith('\n') ? text : `${text}\n`);
  list.anchoredBytes += bytes.length;
}

/** The text of a list up to its items and those of them that have anchors. */
function contextOf({ text, anchored }: OpenList, count: number): string {
  return (text.isArray ? '' : `${text.head}items:\n`) + anchored.slice(0, count).join('');
}

function isUnknownAlias(error: unknown): boolean {
  return error instanceof ParseError && error.message.startsWith('unidentified alias');
}

function shifted<T>(parse: () => T, lines: number): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ParseError) throw new ParseError(error.message, Math.max(0, error.lines + lines));
    throw error;
  }
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

/** Whether an unquoted value or a line of the text is an action of a template. */
function holdsTemplate({ bytes }: Piece): boolean {
  return bytes.includes('{{') && /^[ \t]*(?:-[ \t]+)*(?:[\w./-]+:[ \t]+)?\{\{/m.test(bytes.toString('utf8'));
}
