import { useRef } from 'react';
import { sayFailure } from './say-failure.ts';

/**
 * Changes that are shown at once and told one after another, so that the server sees them in their order. In: what is to be
 * done once all are told, and whether any failed; no sooner, for what the server answers in between would take back what is
 * shown. Out: tells one, and says why where it fails; resolves with whether it was told.
 */
export function useTelling(
  allTold: (hasFailed: boolean) => void,
): (change: () => Promise<unknown>) => Promise<boolean> {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef({ changes: 0, hasFailed: false });
  return (change) => {
    const now = waiting.current;
    now.changes += 1;
    const told = last.current
      .then(change)
      .then(
        () => true,
        (error: unknown) => {
          sayFailure(error);
          now.hasFailed = true;
          return false;
        },
      )
      .then((isTold) => {
        now.changes -= 1;
        if (now.changes > 0) return isTold;
        const { hasFailed } = now;
        now.hasFailed = false;
        allTold(hasFailed);
        return isTold;
      });
    last.current = told;
    return told;
  };
}
