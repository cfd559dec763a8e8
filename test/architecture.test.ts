import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = new URL('../src', import.meta.url).pathname;

interface SourceFile {
  /** Path below src, "engine/world.ts". */
  readonly path: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly { readonly from: string; readonly isDynamic: boolean; readonly isType: boolean }[];
}

const importPattern =
  /(?:^|\n)(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|\bimport\('([^']+)'\)/g;

const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const imports = [...text.matchAll(importPattern)].map((match) => ({
      from: (match[2] ?? match[3] ?? match[4]) as string,
      isDynamic: match[4] !== undefined,
      isType: match[1] !== undefined,
    }));
    return { path: path.split(sep).join('/'), room: path.split(sep)[0] as string, text, imports };
  });

/** Rooms from the foundation up: a room may use those before it. */
const floors = ['api', 'snapshot', 'manifests', 'engine', 'diagnosis', 'report', 'printers', 'tui'];

function allowed(room: string): readonly string[] {
  if (room === 'cli' || room === 'index.ts') return [...floors, 'sources', 'cli'];
  if (room === 'sources') return ['api', 'snapshot', 'sources'];
  return floors.slice(0, floors.indexOf(room) + 1);
}

const roomOf = (file: SourceFile, target: string): string =>
  relative(src, join(src, dirname(file.path), target)).split(sep)[0] as string;

const ofPackages = (file: SourceFile) => file.imports.filter(({ from }) => !from.startsWith('.'));

describe('the house', () => {
  it('has no rooms but those of the plan', () => {
    expect(
      [...new Set(files.map(({ room }) => room))].filter(
        (room) => ![...floors, 'sources', 'cli', 'index.ts'].includes(room),
      ),
    ).toEqual([]);
  });

  it('data never turns back: a room imports only what stands before it', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter(({ from }) => from.startsWith('.') && !allowed(file.room).includes(roomOf(file, from)))
        .map(({ from }) => `${file.path} imports ${from}`),
    );
    expect(wrong).toEqual([]);
  });

  it('the core is pure, so that it can be run again on a fork, in a test, in a browser: no node modules, clock, chance, process', () => {
    const core = files.filter(({ room }) =>
      ['api', 'snapshot', 'manifests', 'engine', 'diagnosis', 'report'].includes(room),
    );
    const wrong = core.flatMap((file) => [
      ...ofPackages(file).map(({ from }) => `${file.path} imports ${from}`),
      ...['Date.now(', 'new Date()', 'Math.random(', 'process.', 'console.', 'performance.now(', 'setTimeout(']
        .filter((use) => file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').includes(use))
        .map((use) => `${file.path} uses ${use}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it('start-up is a feature: no command loads a heavy package before it is needed', () => {
    const heavy = ['@kubernetes/client-node', 'ink', 'react', 'cli-table3', 'js-yaml'];
    const byPath = new Map(files.map((file) => [file.path, file]));
    const starts = files
      .map(({ path }) => path)
      .filter((path) => path === 'index.ts' || path === 'cli/main.ts' || path.startsWith('cli/commands/'));
    const wrong = starts.flatMap((start) => {
      // Everything that is loaded with it at once, by the way on which it is reached.
      const ways = new Map([[start, start]]);
      for (const [path, way] of ways) {
        for (const { from, isDynamic, isType } of byPath.get(path)?.imports ?? []) {
          if (isDynamic || isType || !from.startsWith('.')) continue;
          const next = relative(src, join(src, dirname(path), from))
            .split(sep)
            .join('/');
          if (!ways.has(next)) ways.set(next, `${way} → ${next}`);
        }
      }
      return [...ways].flatMap(([path, way]) =>
        (byPath.get(path)?.imports ?? [])
          .filter(({ from, isDynamic, isType }) => heavy.includes(from) && !isDynamic && !isType)
          .map(({ from }) => `${way} → ${from}`),
      );
    });
    expect(wrong).toEqual([]);
  });

  it('each heavy package has one room that knows it', () => {
    const rooms = new Map<string, Set<string>>();
    for (const file of files) {
      for (const { from } of ofPackages(file).filter((one) => !one.from.startsWith('node:'))) {
        rooms.set(from, (rooms.get(from) ?? new Set()).add(file.room));
      }
    }
    const wrong = [...rooms]
      .filter(([, using]) => using.size > 1)
      .map(([name, using]) => `${name} is used by ${[...using].join(' and ')}`);
    expect(wrong).toEqual([]);
  });

  it('exports have names, and only index.ts gathers them', () => {
    const wrong = files.flatMap(({ path, text }) => [
      ...(/\nexport default /.test(text) ? [`${path} has a default export`] : []),
      ...(path !== 'index.ts' && /\nexport \* from/.test(text) ? [`${path} is a barrel`] : []),
    ]);
    expect(wrong).toEqual([]);
  });

  it('modules do not go round in circles', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      if (state.get(path) === 'done') return;
      if (state.get(path) === 'open') {
        circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
        return;
      }
      state.set(path, 'open');
      for (const { from, isType, isDynamic } of byPath.get(path)?.imports ?? []) {
        if (!from.startsWith('.') || isType || isDynamic) continue;
        visit(
          relative(src, join(src, dirname(path), from))
            .split(sep)
            .join('/'),
          [...way, path],
        );
      }
      state.set(path, 'done');
    };
    for (const { path } of files) visit(path, []);
    expect(circles).toEqual([]);
  });
});
