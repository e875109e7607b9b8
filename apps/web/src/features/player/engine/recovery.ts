import { isWaitingForAudio, STALL_TIMEOUT_SECONDS, wasSuspended } from '../model/recovery.ts';
import { type PlayerEvent, type PlayerState, TICK_INTERVAL_MS } from '../model/state.ts';
import type { AudioPort } from './html-audio.ts';

type Dispatch = (event: PlayerEvent) => void;

/** Returns the seconds since a timestamp by the wall clock, which counts while the machine is suspended. */
export const getSecondsSince = (timestamp: number): number => (Date.now() - timestamp) / 1000;

/**
 * Creates the detector of stalled audio (`timedOut`), of a suspended machine (`systemResumed`) and of a restored network
 * (`networkRestored`).
 */
export function createRecoveryMonitor(dispatch: Dispatch) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let interruptedAt: number | null = null;

  const handleOnline = () => {
    if (interruptedAt !== null)
      dispatch({ type: 'networkRestored', seconds: getSecondsSince(interruptedAt) });
  };
  addEventListener('online', handleOnline);

  function startTimeout(): void {
    const startedAt = Date.now();
    timer = setTimeout(() => {
      const seconds = getSecondsSince(startedAt) - STALL_TIMEOUT_SECONDS;
      dispatch(wasSuspended(seconds, 0) ? { type: 'systemResumed', seconds } : { type: 'timedOut' });
    }, STALL_TIMEOUT_SECONDS * 1000);
  }

  return {
    /** Restarts the timeout after any change of the state or of the loaded audio. */
    update(state: PlayerState): void {
      clearTimeout(timer);
      if (isWaitingForAudio(state)) startTimeout();
      interruptedAt = state.isInterrupted && state.phase === 'error' ? (interruptedAt ?? Date.now()) : null;
    },
    stop(): void {
      clearTimeout(timer);
      removeEventListener('online', handleOnline);
    },
  };
}

/**
 * Creates the clock of playing, which dispatches a `tick` every second, or `systemResumed` when the machine was suspended.
 * @returns a function that turns it on and off
 */
export function createTicker(audio: AudioPort, dispatch: Dispatch) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const read = () => ({ time: performance.now(), timestamp: Date.now(), position: audio.position() });
  return (isOn: boolean): void => {
    if (!isOn) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    if (timer) return;
    let last = read();
    timer = setInterval(() => {
      const before = last;
      last = read();
      const { position } = last;
      const elapsed = getSecondsSince(before.timestamp);
      if (wasSuspended(elapsed, position - before.position))
        dispatch({ type: 'systemResumed', seconds: elapsed });
      else dispatch({ type: 'tick', position, seconds: (last.time - before.time) / 1000 });
    }, TICK_INTERVAL_MS);
  };
}

const MIN_DELAY_MS = 10;

/**
 * Creates a timer for a position that must be noticed exactly, as the next `timeupdate` may come 250 ms late.
 * @returns a function that sets the timer, in seconds; null clears it
 */
export function createPositionTimer(onReached: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (seconds: number | null): void => {
    clearTimeout(timer);
    if (seconds !== null) timer = setTimeout(onReached, Math.max(MIN_DELAY_MS, seconds * 1000));
  };
}
