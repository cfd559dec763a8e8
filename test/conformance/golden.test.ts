import { describe, expect, it } from 'vitest';
import { answer } from './answer.ts';
import { golden } from './golden.ts';
// The comparer is the oracle's own: it sets aside what upstream leaves open.
import { normal } from './oracle/normal.mjs';

describe('recorded answers of the real controllers', () => {
  it.each(['bind', 'wild', 'odd', 'schedule', 'rich', 'validate'])('are ours, too: profile %s', (profile) => {
    const recorded = golden(profile);
    expect(recorded.length).toBeGreaterThan(1000);
    for (const { request, expected } of recorded) {
      const ours = JSON.parse(JSON.stringify(answer(request, '1.37.2')));
      expect(normal(ours), `request ${request.id}`).toEqual(normal(expected));
    }
  });
});
