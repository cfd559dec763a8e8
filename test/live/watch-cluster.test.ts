import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { ConnectionError } from '../../src/sources/live/errors.ts';
import { readCluster } from '../../src/sources/live/read-cluster.ts';
import { snapshotOf } from '../../src/sources/live/reading.ts';
import type { RestClient } from '../../src/sources/live/rest-client.ts';
import { coalesceMs, watchCluster } from '../../src/sources/live/watch-cluster.ts';
import { newVolume } from '../support/builders.ts';
import { type FakeApiServer, page, refusal, serve } from './fake-api-server.ts';
import { FakeTiming } from './fake-timing.ts';
import { plainClient } from './plain-client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const volumes = '/api/v1/persistentvolumes';
const first = newVolume('archive-01', '10Gi');

interface Watched {
  readonly server: FakeApiServer;
  readonly timing: FakeTiming;
  /** Sends events to the watch of volumes, in one piece. */
  readonly send: (...events: (readonly [type: string, object: object])[]) => void;
  /** What lists of volumes hold from now on. */
  readonly hold: (items: readonly object[]) => void;
  readonly next: () => Promise<Snapshot | undefined>;
  readonly stop: () => void;
  readonly troubles: readonly string[];
}

/** A cluster with one volume, watched. */
async function watched(): Promise<Watched> {
  let items: readonly object[] = [first];
  let opened: (response: ServerResponse) => void = () => {};
  const open = new Promise<ServerResponse>((resolve) => {
    opened = resolve;
  });
  let stream: ServerResponse | undefined;
  const server = await serve(({ path, query }) => {
    if (path !== volumes) return query.watch === undefined ? page([]) : { stream: () => {} };
    if (query.watch === undefined) return page(items);
    return {
      stream: (response) => {
        stream = response;
        opened(response);
      },
    };
  });
  const timing = new FakeTiming();
  const { client } = plainClient(server.url, { timing });
  const stop = new AbortController();
  const troubles: string[] = [];
  const reading = await readCluster(client, { scope: 'all', timing });
  const readings = watchCluster(client, reading, {
    timing,
    signal: stop.signal,
    trouble: (error) => troubles.push(error.message),
  });
  const next = async () => {
    const { value, done } = await readings.next();
    return done === true ? undefined : snapshotOf(value);
  };
  closing.push(
    () => stop.abort(),
    () => readings.return(undefined),
    () => client.close(),
    () => server.close(),
  );
  return {
    server,
    timing,
    send: (...events) => {
      const lines = events.map(
        ([type, object]) => `${JSON.stringify({ type, object })}
`,
      );
      void open.then(() => stream!.write(lines.join('')));
    },
    hold: (next) => {
      items = next;
    },
    next,
    stop: () => stop.abort(),
    troubles,
  };
}

/** The next snapshot, once the time has passed in which changes are gathered. */
async function settled(found: Watched, act: () => void): Promise<Snapshot | undefined> {
  const next = found.next();
  act();
  await found.timing.started(coalesceMs);
  await allDone();
  found.timing.advance(coalesceMs);
  return next;
}

/** Until what has arrived is worked off. */
const allDone = () => new Promise((resolve) => setImmediate(resolve));

const namesIn = (snapshot: Snapshot | undefined) =>
  snapshot?.list('PersistentVolume').map(({ metadata }) => metadata.name);
const at = (resourceVersion: string) => ({ resourceVersion });

describe('a watched cluster', () => {
  it('is told anew when an object comes, changes and goes', async () => {
    const found = await watched();
    const added = await settled(found, () => found.send(['ADDED', newVolume('archive-02', '20Gi', {}, at('101'))]));
    expect(namesIn(added)).toEqual(['archive-01', 'archive-02']);
    const changed = await settled(found, () =>
      found.send(['MODIFIED', newVolume('archive-02', '20Gi', {}, at('102'), 'Bound')]),
    );
    expect(changed!.get('PersistentVolume', 'archive-02')!.status!.phase).toBe('Bound');
    const gone = await settled(found, () => found.send(['DELETED', newVolume('archive-01', '10Gi', {}, at('103'))]));
    expect(namesIn(gone)).toEqual(['archive-02']);
  });

  it('tells when it was like that', async () => {
    const found = await watched();
    found.timing.advance(60_000);
    const snapshot = await settled(found, () => found.send(['DELETED', first]));
    expect(snapshot!.capturedAt).toBe('2026-11-30T12:01:00Z');
    expect(snapshot!.coverage('PersistentVolume')).toEqual({ is: 'empty' });
  });

  it('is told once for changes that come together', async () => {
    const found = await watched();
    const both = await settled(found, () =>
      found.send(
        ['ADDED', newVolume('archive-02', '20Gi', {}, at('101'))],
        ['ADDED', newVolume('archive-03', '20Gi', {}, at('102'))],
      ),
    );
    expect(namesIn(both)).toEqual(['archive-01', 'archive-02', 'archive-03']);
  });

  it('is not told for changes that nobody reads', async () => {
    const lines: string[] = [];
    let wake = () => {};
    const client: RestClient = {
      server: 'https://prod',
      get: async (path) => page(path === volumes ? [first] : []).body,
      async stream(path, _, signal) {
        const isOver = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return (async function* () {
          if (path !== volumes) return isOver;
          while (!signal.aborted) {
            yield* lines.splice(0);
            await Promise.race([isOver, new Promise<void>((resolve) => (wake = resolve))]);
          }
        })();
      },
      close: () => {},
    };
    const timing = new FakeTiming();
    const reading = await readCluster(client, { scope: 'all', timing });
    const stop = new AbortController();
    const next = watchCluster(client, reading, { timing, signal: stop.signal, trouble: () => {} }).next();
    const send = async (type: string, object: object) => {
      lines.push(`${JSON.stringify({ type, object })}\n`);
      wake();
      await allDone();
    };
    const heartbeat = { ...first.metadata, resourceVersion: '101', managedFields: [{}] };
    await send('MODIFIED', { ...first, metadata: heartbeat });
    await send('BOOKMARK', { metadata: { resourceVersion: '102' } });
    await send('DELETED', newVolume('never-seen', '1Gi'));
    expect(timing.delays).not.toContain(coalesceMs);
    await send('MODIFIED', newVolume('archive-01', '10Gi', {}, at('103'), 'Released'));
    expect(timing.delays).toContain(coalesceMs);
    timing.advance(coalesceMs);
    expect(snapshotOf((await next).value!).get('PersistentVolume', 'archive-01')).toMatchObject({
      metadata: { resourceVersion: '103' },
      status: { phase: 'Released' },
    });
    stop.abort();
  });

  it('is listed again when the watch is too old', async () => {
    const found = await watched();
    found.hold([newVolume('archive-02', '20Gi')]);
    const error = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    expect(namesIn(await settled(found, () => found.send(['ERROR', error])))).toEqual(['archive-02']);
  });

  it('ends with the signal', async () => {
    const found = await watched();
    const next = found.next();
    found.stop();
    expect(await next).toBeUndefined();
  });

  it('ends while changes are gathered', async () => {
    const found = await watched();
    const next = found.next();
    found.send(['DELETED', first]);
    await found.timing.started(coalesceMs);
    found.stop();
    expect(await next).toBeUndefined();
  });
});

describe('a watched cluster that fails', () => {
  async function failing(answer: ReturnType<typeof refusal>, isWatch: boolean) {
    let isRead = false;
    const server = await serve(({ path, query }) => {
      const fails = isRead && path === volumes && (query.watch !== undefined) === isWatch;
      if (fails) return answer;
      if (query.watch === undefined) return page([]);
      return isWatch || path !== volumes ? { stream: () => {} } : refusal(410, 'Expired', 'too old');
    });
    const timing = new FakeTiming();
    const { client } = plainClient(server.url, { timing });
    const reading = await readCluster(client, { scope: 'all', timing });
    isRead = true;
    const stop = new AbortController();
    const troubles: string[] = [];
    const options = { timing, signal: stop.signal, trouble: (error: Error) => troubles.push(error.message) };
    const readings = watchCluster(client, reading, options);
    closing.push(
      () => stop.abort(),
      () => client.close(),
      () => server.close(),
    );
    return { readings, timing, troubles };
  }

  it.each([true, false])(
    'for who is no longer let in ends with kubectl`s words (while watching: %s)',
    async (isWatch) => {
      const { readings } = await failing(refusal(401, 'Unauthorized', 'Unauthorized'), isWatch);
      await expect(readings.next()).rejects.toThrow('You must be logged in to the server (Unauthorized)');
    },
  );

  it('in all its watches at once says so once, and again after half a minute', async () => {
    const client: RestClient = {
      server: 'https://prod',
      get: async () => page([]).body,
      stream: async () =>
        (async function* () {
          yield '{"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "101"}}}\n';
          throw new ConnectionError('gone');
        })(),
      close: () => {},
    };
    const timing = new FakeTiming();
    const reading = await readCluster(client, { scope: 'all', timing });
    const [stop, troubles] = [new AbortController(), [] as string[]];
    const options = { timing, signal: stop.signal, trouble: (error: Error) => troubles.push(error.message) };
    const next = watchCluster(client, reading, options).next();
    await allDone();
    expect(troubles).toEqual(['gone']);
    for (let passed = 0; passed < 30_000; passed += 800) {
      expect(troubles).toHaveLength(1);
      timing.advance(800);
      await allDone();
    }
    expect(troubles).toHaveLength(2);
    stop.abort();
    expect((await next).done).toBe(true);
  });

  it('when it is listed again tries until it succeeds, and says so once', async () => {
    const { readings, timing, troubles } = await failing(refusal(500, 'InternalError', 'oops'), false);
    const next = readings.next();
    closing.push(() => next);
    for (const delay of [800, 1600]) {
      await timing.started(delay);
      timing.advance(delay);
    }
    await timing.started(3200);
    expect(troubles).toEqual(['Error from server (InternalError): oops']);
  });
});
