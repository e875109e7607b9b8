import { recordProgress } from '../model/continue-listening.ts';
import { isSeek } from '../model/machine.ts';
import type { PlayerEvent, PlayerState, Transition } from '../model/state.ts';
import { useContinueListeningStore, usePlayback, usePlayer } from './store.ts';

/** A change of any of these is published to the subscribers of `usePlayer`. */
const publishedKeys = [
  'phase',
  'isPlaying',
  'volume',
  'muted',
  'speed',
  'queue',
  'activeTrack',
  'error',
  'spans',
  'practice',
  'isPlayingInOtherTab',
] as const;

/**
 * Updates the stores by a transition: `usePlayer` only by changes that are more than the passing of time.
 * @param before - the state before the event
 */
export function updateStores(
  before: PlayerState,
  { state: after, effects }: Transition,
  event: PlayerEvent,
): void {
  const isOtherTrack = before.activeTrack?._id !== after.activeTrack?._id;
  const isJump = isOtherTrack || isSeek(event);
  if (isJump || before.progress !== after.progress || before.sleep !== after.sleep) {
    usePlayback.setState(({ buffered, jumps }) => ({
      position: after.progress,
      sleep: after.sleep,
      buffered: isOtherTrack ? 0 : buffered,
      jumps: isJump ? jumps + 1 : jumps,
    }));
  }
  const isPublished = publishedKeys.some((key) => before[key] !== after[key]);
  if (isPublished || effects.some(({ type }) => type === 'saveProgress' || type === 'seek'))
    usePlayer.setState(after);
  for (const effect of effects) {
    if (effect.type !== 'saveProgress') continue;
    const { track, position, cause } = effect;
    useContinueListeningStore.setState((list) => recordProgress(list, track, position, cause));
  }
}

/**
 * Creates the publisher of updates to the stores. Once a track loads, they wait, so that rendering does not delay its
 * sound, and are published together and in order; not in the background, where browsers delay timers.
 *
 * @param loadingDelay - how long they wait; milliseconds, 0 to publish each at once
 */
export function createPublisher(loadingDelay: number) {
  const updates: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const update of updates.splice(0)) update();
  }
  return {
    flush,
    /**
     * Publishes an update: at once, or with those that wait.
     * @param isLoading - whether a track loads
     */
    publish(update: () => void, isLoading = false): void {
      updates.push(update);
      if (isLoading && loadingDelay > 0 && !document.hidden) timer ??= setTimeout(flush, loadingDelay);
      if (timer === undefined) flush();
    },
  };
}
