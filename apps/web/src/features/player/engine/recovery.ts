import { isWaitingForAudio, STALL_TIMEOUT_SECONDS, wasSuspended } from '../model/recovery.ts';
import type { PlayerEvent, PlayerState } from '../model/state.ts';

/** Seconds since a moment, those in which the machine slept as well. */
export const secondsSince = (moment: number): number => (Date.now() - moment) / 1000;

/** Notices that nothing comes, and that the network is back. In: whom to tell. */
export function createRecoveryMonitor(happened: (event: PlayerEvent) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cutOffAt: number | null = null;

  const hearNetwork = () => {
    if (cutOffAt !== null) happened({ type: 'networkRestored', seconds: secondsSince(cutOffAt) });
  };
  addEventListener('online', hearNetwork);

  function wait(): void {
    const since = Date.now();
    timer = setTimeout(() => {
      const away = secondsSince(since) - STALL_TIMEOUT_SECONDS;
      happened(wasSuspended(away, 0) ? { type: 'systemResumed', seconds: away } : { type: 'timedOut' });
    }, STALL_TIMEOUT_SECONDS * 1000);
  }

  return {
    /** Something has moved: whatever is awaited in this state may take its time anew. */
    look(state: PlayerState): void {
      clearTimeout(timer);
      if (isWaitingForAudio(state)) wait();
      cutOffAt = state.isInterrupted && state.phase === 'error' ? (cutOffAt ?? Date.now()) : null;
    },
    stop(): void {
      clearTimeout(timer);
      removeEventListener('online', hearNetwork);
    },
  };
}
