import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createProgressLine } from '../../src/sources/live/progress-line.ts';
import { FakeTiming } from './fake-timing.ts';

const wipe = '\r\x1b[K';

function progress(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  const timing = new FakeTiming();
  return { timing, line: createProgressLine(stream, timing), text: () => stream.read() ?? '' };
}

it('reading that takes long is told on one line, which is wiped in the end', () => {
  const { timing, line, text } = progress(true);
  line.tell('PersistentVolume', 500);
  timing.advance(499);
  expect(text()).toBe('');
  timing.advance(1);
  line.tell('PersistentVolume', 1000);
  line.end();
  expect(text()).toBe(`${wipe}listing persistentvolumes... 500${wipe}listing persistentvolumes... 1000${wipe}`);
});

it('reading that is quick is not told', () => {
  const { timing, line, text } = progress(true);
  line.tell('PersistentVolume', 500);
  line.end();
  timing.advance(1000);
  expect(text()).toBe('');
});

it('nothing is told where nobody looks', () => {
  const { timing, line, text } = progress(false);
  timing.advance(1000);
  line.tell('PersistentVolume', 500);
  line.end();
  expect(text()).toBe('');
});
