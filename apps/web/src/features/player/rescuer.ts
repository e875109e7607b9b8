import type { PlayerEvent, PlayerState } from './model/player-state.ts';
import { isAwaiting, isSlept, patience } from './model/rescue.ts';

/** Seconds since a moment, those in which the machine slept as well. */
export const secondsSince = (moment: number): number => (Date.now() - moment) / 1000;

/** Notices that nothing comes, and that the network is back. In: whom to tell. */
export function createRescuer(happened: (event: PlayerEvent) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cutOffAt: number | null = null;

  const hearNetwork = () => {
    if (cutOffAt !== null) happened({ type: 'networkBack', seconds: secondsSince(cutOffAt) });
  };
  addEventListener('online', hearNetwork);

  function wait(): void {
    const since = Date.now();
    timer = setTimeout(() => {
      const away = secondsSince(since) - patience;
      happened(isSlept(away, 0) ? { type: 'woke', seconds: away } : { type: 'hung' });
    }, patience * 1000);
  }

  return {
    /** Something has moved: whatever is awaited in this state may take its time anew. */
    look(state: PlayerState): void {
      clearTimeout(timer);
      if (isAwaiting(state)) wait();
      cutOffAt = state.isCutOff && state.phase === 'error' ? (cutOffAt ?? Date.now()) : null;
    },
    stop(): void {
      clearTimeout(timer);
      removeEventListener('online', hearNetwork);
    },
  };
}
