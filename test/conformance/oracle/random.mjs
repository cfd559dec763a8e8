// Chance that is the same for the same seed (mulberry32), and what generators draw from it.

let state = 0;

/** Starts the sequence of request n of a seed. */
export function seed(base, n) {
  state = (base * 1000003 + n * 7919) | 0;
}

export const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
export const chance = p => random() < p;
export const int = (from, to) => from + Math.floor(random() * (to - from + 1));
export const pick = list => list[Math.floor(random() * list.length)];
export const some = (list, p) => list.filter(() => chance(p));
export const maybe = (p, make) => (chance(p) ? make() : undefined);
export const clean = object => JSON.parse(JSON.stringify(object));
