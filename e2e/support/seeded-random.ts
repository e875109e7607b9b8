/** A pseudorandom number generator that repeats its sequence for the same seed. */
export interface SeededRandom {
  /** Returns a number from 0 up to, but not including, 1. */
  next: () => number;
  /** Returns a number from `min` up to `max`. */
  between: (min: number, max: number) => number;
  /** Returns one of the arguments. */
  pick: <Item>(first: Item, ...others: readonly Item[]) => Item;
}

/** Creates a generator (mulberry32) from a seed, an integer. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    pick: (first, ...others) => others[Math.floor(next() * (others.length + 1)) - 1] ?? first,
  };
}
