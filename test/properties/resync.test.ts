import { describe, expect, it } from 'vitest';
import { featuresFor } from '../../src/api/features.ts';
import { start, stateOf } from '../conformance/controller-answer.ts';
import { golden } from '../conformance/golden.ts';
import { normal } from '../conformance/oracle/normal.mjs';
import { decode } from '../conformance/protocol.ts';

describe('looking again at what a change can have an effect on', () => {
  it.each(['bind', 'wild', 'odd'])('comes to the same end as resyncing everything: profile %s', (profile) => {
    const features = featuresFor('1.37');
    let compared = 0;
    for (const { request } of golden(profile)) {
      // What is left to chance must not be left to the order of passes, and refused writes are tried at each resync.
      if (request.refuse !== undefined || request.rounds !== undefined) continue;
      const objects = decode(request.objects ?? []);
      const end = (wholeResyncs: boolean) => {
        const started = start({ ...request, queue: 'volumes', trace: false }, objects, features, wholeResyncs);
        started.run.settle();
        return normal({ controller: stateOf(started) });
      };
      expect(end(false), `request ${request.id}`).toEqual(end(true));
      compared++;
    }
    expect(compared).toBeGreaterThan(500);
  });
});
