import { faults } from '../faults.ts';

/** Lets work through, or refuses. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Bounds how many of something go on at once. Sign-ins are arithmetic on the event loop: what exceeds the bound is
 * refused at once, and not made to wait behind work that nobody waits for any more.
 */
export function createGate(places: number): Gate {
  let taken = 0;
  return async (work) => {
    if (taken >= places) throw faults.tooBusy();
    taken += 1;
    try {
      return await work();
    } finally {
      taken -= 1;
    }
  };
}
