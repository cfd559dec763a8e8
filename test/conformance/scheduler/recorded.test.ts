import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../../src/api/features.ts';
import { normal } from '../oracle/normal.mjs';
import type { Request } from '../protocol.ts';
import { answerSchedule } from '../schedule-answer.ts';

// Clusters that exaggerate what single filters look at, with what four releases made of them (oracle mode "schedule").

const read = <T>(name: string): readonly T[] =>
  gunzipSync(readFileSync(new URL(`recorded/${name}.ndjson.gz`, import.meta.url)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

const requests = read<Request>('requests');

describe("every filter of the real scheduler's default profile", () => {
  it.each(['1.37.2', '1.36.3', '1.35.4', '1.34.4'])('decides as ours does: v%s', (version) => {
    const expected = read<object>(`v${version}`);
    expect(expected).toHaveLength(requests.length);
    for (const [i, request] of requests.entries()) {
      const pods = answerSchedule(request, featuresFor(version));
      expect(normal(JSON.parse(JSON.stringify({ pods }))), `request ${request.id}`).toEqual(
        normal(expected[i] as object),
      );
    }
  });
});
