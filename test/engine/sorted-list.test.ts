import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Names } from '../../src/engine/names.ts';
import { SortedList } from '../../src/engine/sorted-list.ts';

describe('a sorted list', () => {
  it('holds what a sorted array would hold, whatever is added and removed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.nat(2000)), { maxLength: 3000 }),
        fc.nat(2000),
        (steps, sought) => {
          const list = new SortedList<number>((a, b) => a - b);
          const members = new Set<number>();
          for (const [adds, value] of steps) {
            if (adds && !members.has(value)) list.add(value);
            if (adds) members.add(value);
            else {
              list.remove(value);
              members.delete(value);
            }
          }
          const sorted = [...members].sort((a, b) => a - b);
          expect([...list]).toEqual(sorted);
          expect(list.firstNotBefore((value) => value - sought)).toBe(sorted.find((value) => value >= sought));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a set of names', () => {
  it('knows its first by text order, whatever is added and removed', () => {
    const anyStep = fc.tuple(fc.boolean(), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
        const names = new Names();
        const members = new Set<string>();
        for (const [adds, name] of steps) {
          if (adds) {
            names.add(name);
            members.add(name);
          } else {
            names.delete(name);
            members.delete(name);
          }
          expect(names.first).toBe([...members].sort()[0]);
          expect(names.size).toBe(members.size);
        }
      }),
    );
  });
});
