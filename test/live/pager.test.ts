import { afterEach, describe, expect, it } from 'vitest';
import { listAll } from '../../src/sources/live/pager.ts';
import { type Answer, type Asked, type FakeApiServer, page, refusal, serve } from './fake-api-server.ts';
import { plainClient } from './plain-client.ts';

let server: FakeApiServer | undefined;
afterEach(() => server?.close());

const path = '/api/v1/persistentvolumes';

async function list(answers: readonly Answer[]) {
  const left = [...answers];
  const asked = await serve(() => left.shift() ?? refusal(500, 'InternalError', 'asked once too often'));
  server = asked;
  const { client } = plainClient(asked.url);
  const counts: number[] = [];
  const options = {
    take: (element: unknown) => (element === 'drop' ? undefined : element),
    progress: (count: number) => counts.push(count),
    signal: new AbortController().signal,
  };
  const found = await listAll(client, path, options).catch((error: Error) => error);
  client.close();
  return { found, counts, queries: asked.asked.map(({ query }: Asked) => query) };
}

describe('a list', () => {
  it('is read in pages of 500, without a resource version', async () => {
    const { found, counts, queries } = await list([page(['a', 'b'], 'next', '7'), page(['c', 'drop'], '', '7')]);
    expect(found).toEqual({ items: ['a', 'b', 'c'], resourceVersion: '7' });
    expect(queries).toEqual([{ limit: '500' }, { limit: '500', continue: 'next' }]);
    expect(counts).toEqual([2, 3]);
  });

  it('may be empty, also as Go prints it', async () => {
    const { found } = await list([{ body: { metadata: { resourceVersion: '7' }, items: null } }]);
    expect(found).toEqual({ items: [], resourceVersion: '7' });
  });

  it('that expires on the way is read again, at once and whole', async () => {
    const { found, queries } = await list([
      page(['a'], 'next', '7'),
      refusal(410, 'Expired', 'The provided continue parameter is too old'),
      page(['a', 'b'], '', '9'),
    ]);
    expect(found).toEqual({ items: ['a', 'b'], resourceVersion: '9' });
    expect(queries).toEqual([{ limit: '500' }, { limit: '500', continue: 'next' }, {}]);
  });

  it('that expires again is given up', async () => {
    const expired = refusal(410, 'Expired', 'too old');
    const { found, queries } = await list([page(['a'], 'next'), expired, expired, page([])]);
    expect(found).toMatchObject({ name: 'ApiStatusError', code: 410 });
    expect(queries).toHaveLength(3);
  });

  it('that has expired on its first page is given up', async () => {
    const { found, queries } = await list([refusal(410, 'Expired', 'too old'), page([])]);
    expect(found).toMatchObject({ code: 410 });
    expect(queries).toHaveLength(1);
  });

  it.each([{ body: {} }, { body: 'null' }, { body: '"fine"' }, { body: [] }])(
    'is not what answers with $body',
    async (answer) => {
      expect((await list([answer])).found).toMatchObject({
        name: 'ConnectionError',
        message: 'Server returned an unexpected response: no list',
      });
    },
  );
});
