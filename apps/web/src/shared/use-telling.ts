import { useRef } from 'react';
import { sayFailure } from './say-failure.ts';

/**
 * Changes that are shown at once and told one after another, so that the server sees them in their order. In: what is to be
 * done once all are told, and no sooner: what the server answers in between would take back what is shown. Out: tells one,
 * and says why where it fails.
 */
export function useTelling(allTold: () => void): (change: () => Promise<unknown>) => void {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  return (change) => {
    waiting.current += 1;
    last.current = last.current
      .then(change)
      .catch(sayFailure)
      .then(() => {
        waiting.current -= 1;
        if (waiting.current === 0) allTold();
      });
  };
}
