import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { backOffMs, type Change, watchList } from '../../src/sources/live/watch-list.ts';
import { type Answer, type FakeApiServer, refusal, serve } from './fake-api-server.ts';
import { FakeTiming } from './fake-timing.ts';
import { plainClient } from './plain-client.ts';

const path = '/api/v1/persistentvolumes';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const line = (type: string, resourceVersion: string, more: object = {}): string =>
  `${JSON.stringify({ type, object: { metadata: { resourceVersion }, ...more } })}\n`;
const expired = JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' },
});

interface Watch {
  readonly server: FakeApiServer;
  readonly timing: FakeTiming;
  /** What came so far, as "put 7"; a relist answers with the version 50. */
  readonly changes: readonly string[];
  readonly troubles: readonly string[];
  /** Until so many changes have come. */
  readonly come: (count: number) => Promise<void>;
  readonly ended: Promise<unknown>;
  readonly stop: () => void;
}

/** Watches a server that answers the n-th request with the n-th answer, and then with a stream that stays open. */
async function watch(...answers: (Answer | string)[]): Promise<Watch> {
  const left = [...answers];
  const server = await serve(() => {
    const answer = left.shift() ?? { stream: () => {} };
    return typeof answer === 'string' ? { stream: (response: ServerResponse) => response.end(answer) } : answer;
  });
  const timing = new FakeTiming();
  const { client } = plainClient(server.url, { timing });
  const stop = new AbortController();
  const changes: string[] = [];
  const troubles: string[] = [];
  let waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const follow = async () => {
    const options = { timing, signal: stop.signal, trouble: (error: Error) => troubles.push(error.message) };
    for await (const change of watchList(client, path, '7', options)) {
      changes.push(shown(change));
      if (change.is === 'relist') change.from('50');
      waiting = waiting.filter(({ count, resolve }) => {
        if (changes.length >= count) resolve();
        return changes.length < count;
      });
    }
    return 'ended';
  };
  const ended = follow().catch((error: Error) => error);
  closing.push(
    () => stop.abort(),
    () => ended,
    () => client.close(),
    () => server.close(),
  );
  return {
    server,
    timing,
    changes,
    troubles,
    ended,
    stop: () => stop.abort(),
    come: (count) =>
      changes.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
  };
}

function shown(change: Change): string {
  if (change.is === 'relist') return 'relist';
  return `${change.is} ${(change.element as { metadata: { resourceVersion: string } }).metadata.resourceVersion}`;
}

/** The answer of a server that ends a watch after its time. */
const afterLong = (text: string, timing: () => FakeTiming): Answer => ({
  stream: (response) => {
    timing().advance(240_000);
    response.end(text);
  },
});

describe('a watch', () => {
  it('tells what comes, goes and changes', async () => {
    const found = await watch(
      line('ADDED', '8') + line('MODIFIED', '9') + line('BOOKMARK', '12') + line('DELETED', '13'),
    );
    await found.come(3);
    expect(found.changes).toEqual(['put 8', 'put 9', 'delete 13']);
    expect(found.server.asked[0]).toMatchObject({
      path,
      query: { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '7', timeoutSeconds: '240' },
    });
  });

  it('that ends goes on at once from the last version, bookmarks included', async () => {
    let timing: FakeTiming | undefined;
    const found = await watch(
      afterLong(line('ADDED', '8') + line('BOOKMARK', '20'), () => timing!),
      line('ADDED', '21'),
    );
    timing = found.timing;
    await found.come(2);
    expect(found.changes).toEqual(['put 8', 'put 21']);
    expect(found.server.asked[1]!.query.resourceVersion).toBe('20');
    expect(found.troubles).toEqual([]);
  });

  it.each<{ name: string; answer: Answer | string }>([
    { name: 'an event', answer: `${line('ADDED', '8')}${expired}\n` },
    { name: 'an answer', answer: refusal(410, 'Expired', 'too old') },
  ])('that is too old, by $name, asks for a relist and goes on from there', async ({ answer }) => {
    const found = await watch(answer);
    await found.server.requests(2);
    expect(found.changes.at(-1)).toBe('relist');
    expect(found.server.asked[1]!.query.resourceVersion).toBe('50');
    expect(found.troubles).toEqual([]);
  });

  it('drops a line that was cut off, and gets it again', async () => {
    let timing: FakeTiming | undefined;
    const found = await watch(
      afterLong(line('ADDED', '8') + line('ADDED', '9').slice(0, 20), () => timing!),
      line('ADDED', '9'),
    );
    timing = found.timing;
    await found.come(2);
    expect(found.changes).toEqual(['put 8', 'put 9']);
    expect(found.server.asked[1]!.query.resourceVersion).toBe('8');
  });

  it('reads lines that come in pieces', async () => {
    const text = line('ADDED', '8', { spec: 'größe' });
    const bytes = Buffer.from(text);
    // In the middle of a character.
    const cut = bytes.indexOf('ö') + 1;
    const found = await watch({
      stream: (response) => {
        response.write(bytes.subarray(0, cut), () => response.write(bytes.subarray(cut)));
      },
    });
    await found.come(1);
    expect(found.changes).toEqual(['put 8']);
  });

  it('that stalls is given up half a minute after its time, and taken up again', async () => {
    const found = await watch({ stream: (response) => response.write(line('ADDED', '8')) });
    await found.come(1);
    found.timing.advance(269_999);
    expect(found.server.asked).toHaveLength(1);
    found.timing.advance(1);
    await found.timing.started(800);
    found.timing.advance(800);
    await found.server.requests(2);
    expect(found.server.asked[1]!.query.resourceVersion).toBe('8');
    expect(found.troubles).toEqual(['the watch has stalled']);
  });

  it('that breaks waits longer each time, and says so once', async () => {
    const found = await watch(
      { reset: true },
      { reset: true },
      refusal(500, 'InternalError', 'oops'),
      line('ADDED', '8'),
    );
    for (const delay of [800, 1600, 3200]) {
      await found.timing.started(delay);
      found.timing.advance(delay);
    }
    await found.come(1);
    expect(found.troubles).toHaveLength(1);
    expect(found.server.asked.map(({ query }) => query.resourceVersion).slice(0, 4)).toEqual(['7', '7', '7', '7']);
  });

  it('says again that it broke after it was well', async () => {
    const found = await watch({ reset: true }, `${line('ADDED', '8')}nonsense\n`);
    await found.timing.started(800);
    found.timing.advance(800);
    await found.come(1);
    await found.timing.started(800);
    expect(found.troubles).toHaveLength(2);
    expect(found.troubles[1]).toBe('Server returned an unexpected response: nonsense');
  });

  it('that a server ends at once is not taken up again at once', async () => {
    const found = await watch('', '');
    await found.timing.started(800);
    found.timing.advance(800);
    await found.timing.started(1600);
    expect(found.server.asked).toHaveLength(2);
    expect(found.troubles).toEqual([]);
  });

  it.each([403, 404, 405])('that is refused with %d becomes a list every half minute', async (status) => {
    const found = await watch(refusal(status, 'Refused', 'no watch'), refusal(status, 'Refused', 'no watch'));
    for (const count of [1, 2]) {
      await found.timing.started(30_000);
      expect(found.changes).toHaveLength(count - 1);
      found.timing.advance(30_000);
      await found.come(count);
    }
    expect(found.changes).toEqual(['relist', 'relist']);
    expect(found.troubles).toEqual([]);
  });

  it('ends for who is no longer let in', async () => {
    const refused = refusal(401, 'Unauthorized', 'Unauthorized');
    const found = await watch(refused, refused);
    expect(await found.ended).toMatchObject({ name: 'ApiStatusError', code: 401 });
  });

  it.each<{ name: string; answer: Answer }>([
    { name: 'while it is open', answer: { stream: () => {} } },
    { name: 'while it waits', answer: refusal(500, 'InternalError', 'oops') },
  ])('ends with the signal $name, without leaving a timer', async ({ answer }) => {
    const found = await watch(answer);
    await found.server.requests(1);
    found.stop();
    expect(await found.ended).toBe('ended');
    expect(found.timing.delays).toEqual([]);
  });
});

it.each([
  [1, 0, 800],
  [2, 0, 1600],
  [6, 0, 25_600],
  [7, 0, 30_000],
  [99, 0, 30_000],
  [1, 0.5, 1200],
  [99, 0.5, 45_000],
])('after %d failures, with the chance %d, the wait is %d ms', (failures, chance, expected) => {
  expect(backOffMs(failures, new FakeTiming(chance))).toBe(expected);
});
