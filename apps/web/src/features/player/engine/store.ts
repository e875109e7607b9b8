import { create } from 'zustand';
import { createPersistedStore } from '#shared/storage.ts';
import { type ContinueListeningState, emptyContinueListening } from '../model/continue-listening.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState, type Sleep } from '../model/state.ts';
import { parseContinueListening, parsePlayer, toPersistedPlayer } from '../model/stored.ts';

/**
 * The player's state, persisted as player-storage (PLAY-01): paused after a reload; of several tabs, the last one that
 * played writes it. `progress` is updated by changes and saves only; the running position is in `usePlayback`, so that
 * only what shows the time renders each second.
 */
export const usePlayer = createPersistedStore<PlayerState>({
  name: 'player-storage',
  version: 1,
  initial: emptyPlayer,
  partialize: toPersistedPlayer,
  parse: parsePlayer,
});

interface Playback {
  /** Seconds. */
  position: number;
  /** How far the audio is loaded; seconds. */
  buffered: number;
  sleep: Sleep;
  /** The number of seeks and track changes so far. */
  jumps: number;
}

/** The parts of the state that change every second. */
export const usePlayback = create<Playback>()(() => ({
  position: usePlayer.getState().progress,
  buffered: 0,
  sleep: null,
  jumps: 0,
}));

/** The tracks in progress, last listened first, persisted as continue-listening-storage (PLAY-05). */
export const useContinueListeningStore = createPersistedStore<ContinueListeningState>({
  name: 'continue-listening-storage',
  version: 1,
  initial: emptyContinueListening,
  partialize: ({ entries, positions }) => ({ entries, places: positions }),
  parse: parseContinueListening,
});

type Listener = (event: PlayerEvent) => void;

let listener: Listener | null = null;
const pendingEvents: PlayerEvent[] = [];

/** The events by which the user chooses what plays, or that nothing does. */
const choices: readonly PlayerEvent['type'][] = [
  'playFrom',
  'play',
  'pause',
  'toggle',
  'previous',
  'next',
  'skipTo',
  'reset',
];
let choiceCount = 0;

/**
 * Records that the user has chosen a list that is still loading.
 * @returns a function that returns whether nothing else was chosen since
 */
export function chooseList(): () => boolean {
  choiceCount += 1;
  const choice = choiceCount;
  return () => choice === choiceCount;
}

/** Sends an event to the running player; before it runs, events are queued. */
export function dispatch(event: PlayerEvent): void {
  if (choices.includes(event.type)) choiceCount += 1;
  if (listener) listener(event);
  else pendingEvents.push(event);
}

/** Sends an event to the running player; before it runs, the event is queued ahead of the others. */
export function dispatchFirst(event: PlayerEvent): void {
  if (listener) listener(event);
  else pendingEvents.unshift(event);
}

/**
 * Subscribes the player to events, queued ones first. There is one subscriber at a time.
 * @returns a function that unsubscribes it
 */
export function subscribe(next: Listener): () => void {
  listener = next;
  for (const event of pendingEvents.splice(0)) next(event);
  return () => {
    listener = null;
  };
}

let readPosition: (() => number) | null = null;

/** Returns the position of the sound right now, in seconds. `usePlayback` is updated about four times a second only. */
export const getCurrentPosition = (): number => readPosition?.() ?? usePlayback.getState().position;

/**
 * Sets where `getCurrentPosition` reads from.
 * @returns a function that removes the source
 */
export function setPositionSource(source: () => number): () => void {
  readPosition = source;
  return () => {
    readPosition = null;
  };
}
