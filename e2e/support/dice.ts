/** Numbers that look thrown, and are the same ones for the same seed (mulberry32). */
export interface Dice {
  /** From 0 up to, but not including, 1. */
  throw: () => number;
  /** A number from `least` up to `most`. */
  between: (least: number, most: number) => number;
  /** One of some things. */
  oneOf: <Thing>(first: Thing, ...others: readonly Thing[]) => Thing;
}

/** Dice that go on from a seed, a whole number. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    throw: next,
    between: (least, most) => least + next() * (most - least),
    oneOf: (first, ...others) => others[Math.floor(next() * (others.length + 1)) - 1] ?? first,
  };
}
