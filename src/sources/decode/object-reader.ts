import type { KubernetesObject } from '../../api/objects.ts';
import { isKind, type Kind } from '../../snapshot/kinds.ts';
import type { LoadedObject } from '../../snapshot/loaded.ts';
import { laterTimestamp } from '../../snapshot/timestamp.ts';
import type { IssueLog } from '../issue-log.ts';
import { type Content, contentOf, contentOfItem, contentOfListHead, isMapping, type Mapping, shown, surroundingsOf } from './classify.ts';
import type { Cuts, ListText, Piece } from './cuts.ts';
import { helmRefusal } from './display-text.ts';
import { ExpansionBudget } from './expansion-budget.ts';
import { parseJsonExactly } from './json.ts';
import { itemKindOf } from './kind-names.ts';
import { kindOfJson, kindOfYamlDocument, kindOfYamlItem } from './look.ts';
import { ParseError } from './parse-error.ts';
import { parsePiece } from './parse-piece.ts';
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
const contextLimit = 256 * 1024 * 1024;

interface HeldItem {
  readonly piece: Piece;
  readonly line: number;
}

/** What is known of the list whose items arrive. */
interface OpenList {
  readonly text: ListText;
  readonly held: HeldItem[];
  heldBytes: number;
  count: number;
  /** Items with anchors: later ones may refer to them. */
  readonly anchored: string[];
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
  readonly #options: ObjectReaderOptions;
  #yaml: YamlReader | undefined;
  #document = 1;
  #list: OpenList | undefined;
  #hasAppended = false;
  #contextBytes = 0;

  constructor(options: ObjectReaderOptions) {
    this.#options = options;
  }

  beginDocument(document: number): void {
    this.#document = document;
  }

  document(piece: Piece, isBlock: boolean, line: number): void | Promise<void> {
    const kind = piece.format === 'json' ? kindOfJson(piece.bytes) : isBlock ? kindOfYamlDocument(piece.bytes) : undefined;
    if (this.#isUnwanted(kind)) return;
    return this.#withYaml(piece, (yaml) => this.#takeDocument(piece, line, kind !== undefined, yaml));
  }

  beginList(text: ListText): void {
    this.#list = { text, held: [], heldBytes: 0, count: 0, anchored: [] };
    this.#contextBytes = 0;
  }

  item(piece: Piece, line: number): void | Promise<void> {
    const list = this.#list as OpenList;
    list.count++;
    const isYaml = piece.format === 'yaml';
    if (isYaml && hasAnchor(piece.bytes)) list.anchored.push(piece.bytes.toString('utf8'));
    const kind = isYaml ? kindOfYamlItem(piece.bytes) : kindOfJson(piece.bytes);
    if (this.#isUnwanted(kind)) return;
    const { text } = list;
    if (kind === undefined && text.head !== '') {
      // A typed list says its kind once, for YAML after the items.
      if (text.kind === undefined) return this.#hold(list, piece, line);
      if (this.#isUnwanted(itemKindOf(text.kind))) return;
    }
    return this.#withYaml(piece, (yaml) => this.#takeItem(piece, line, { kind: text.kind }, yaml));
  }

  endList(text: ListText, tail: string | undefined, tailLine: number): void | Promise<void> {
    const yaml = this.#yaml;
    if (yaml === undefined) {
      return yamlReader().then((loaded) => {
        this.#yaml = loaded;
        return this.endList(text, tail, tailLine);
      });
    }
    const list = this.#list as OpenList;
    const head = this.#headOf(list, tail, tailLine, yaml);
    const kind = typeof head.kind === 'string' ? head.kind : undefined;
    if (kind !== undefined && !kind.endsWith('List')) {
      this.#tell('warning', text.line, `a ${shown(kind)} with items is read as a list`);
    }
    // A list that was cut off before its first item is not known to be empty.
    const isEmpty = list.count === 0 && tail !== undefined;
    for (const content of contentOfListHead(head, isEmpty)) this.#takeOther(content, text.line);
    if (kind === undefined || !this.#isUnwanted(itemKindOf(kind))) {
      for (const { piece, line } of list.held) this.#takeItem(piece, line, head, yaml);
    }
    this.#list = undefined;
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

  #isUnwanted(kind: string | undefined): boolean {
    if (kind === undefined || isKind(kind) || kind.endsWith('List') || kind === 'Status' || kind === 'Table') return false;
    this.unwantedKinds.add(kind);
    return true;
  }

  /** Runs once js-yaml is there. JSON needs it only for what JSON.parse refuses. */
  #withYaml(piece: Piece, run: (yaml: YamlReader) => void): void | Promise<void> {
    if (this.#yaml !== undefined) return run(this.#yaml);
    if (piece.format === 'json' && isJson(piece.bytes)) return run(unloadedYaml);
    return yamlReader().then((yaml) => {
      this.#yaml = yaml;
      run(yaml);
    });
  }

  #hold(list: OpenList, piece: Piece, line: number): void {
    const limit = this.#options.deferralLimit ?? defaultDeferralLimit;
    const isOver = list.heldBytes > limit;
    list.heldBytes += piece.bytes.length;
    if (isOver) return;
    if (list.heldBytes > limit) {
      this.#tell('error', line, 'the kind of the items stands behind more of them than can be held: the rest is passed over');
    } else list.held.push({ piece: { ...piece, bytes: Buffer.from(piece.bytes) }, line });
  }
}
