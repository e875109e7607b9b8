import type { ContinueListening, Track } from '@escucho/contracts';
import { dispatch } from './dispatch.ts';
import { adopted, dropped, nothingBegun, placeIn, restored } from './model/continue-list.ts';
import type { Place } from './model/outbox.ts';
import { emptyPlayer, type Source } from './model/player-state.ts';
import { belongsTo, belongTo, unsent } from './owner.ts';
import { useListening, usePlayer, useProgress } from './store.ts';

export { trackOf } from './model/continue-list.ts';
export type { Source } from './model/player-state.ts';

/** Plays a track of a list, by its index there; what follows in the list follows in the queue (PLAY-02, PLAY-04). */
export function play(source: Source, tracks: readonly Track[], index: number): void {
  const listening = useListening.getState();
  const placed = tracks.map((track) => ({ ...track, progress: placeIn(listening, track) }));
  dispatch({ type: 'playFrom', source, tracks: placed, index });
}

/** Plays a list from its first track in just this order: whatever was in the queue goes (LIST-06). */
export function playAfresh(source: Source, tracks: readonly Track[]): void {
  dispatch({ type: 'pause' });
  dispatch({ type: 'reset' });
  play(source, tracks, 0);
}

/** Plays what is paused, pauses what plays. */
export const toggle = (): void => dispatch({ type: 'toggle' });

/** How a track stands with the player. */
export type Standing = 'playing' | 'paused' | 'absent';

/** Whether a track is the active one, and whether sound is wanted of it. */
export const useStanding = (id: string): Standing =>
  usePlayer(({ activeTrack, isPlaying }) => {
    if (activeTrack?._id !== id) return 'absent';
    return isPlaying ? 'playing' : 'paused';
  });

/** What a press on a track does: plays it, pauses it, or, where it is locked, asks for a subscription. */
export function usePress(id: string, isLocked: boolean): 'play' | 'pause' | 'lock' {
  if (useStanding(id) === 'playing') return 'pause';
  return isLocked ? 'lock' : 'play';
}

/** Where a track is in the player, in seconds; null while another is there, or none. */
export function useHeardAt(id: string): number | null {
  const isActive = useStanding(id) !== 'absent';
  return useProgress(({ position }) => (isActive ? position : null));
}

/** Hears the active track from a position, in seconds. */
export const hearFrom = (position: number): void => dispatch({ type: 'seek', position });

/** What the reader has begun, last heard first (PLAY-05). */
export const useContinueListening = (): readonly ContinueListening[] =>
  useListening((listening) => listening.entries);

/** Whether the reader has begun anything; unlike the list it changes seldom. */
export const useHasBegun = (): boolean => useListening(({ entries }) => entries.length > 0);

/** Where the reader left a track, in seconds. */
export const usePlaceOf = (track: Track): number => useListening((listening) => placeIn(listening, track));

/** Forgets a reader who has left: queue and places. Volume and speed stay, and what was not sent waits for them. */
export function forgetListening(): void {
  dispatch({ type: 'reset' });
  usePlayer.setState(({ volume, speed, muted }) => ({
    ...emptyPlayer,
    ...{ volume, speed, muted, usualSpeed: speed },
  }));
  useListening.setState(nothingBegun);
  belongTo(null);
}

/** What is kept here belongs to one reader: it is forgotten when another comes. In: the id of the one who is here. */
export function claimListening(reader: string): void {
  if (belongsTo(reader)) return;
  forgetListening();
  belongTo(reader);
}

/**
 * To be called before the server is asked what a reader has begun. In: the reader's id. Out: takes the answer; lists, and
 * a player at rest, follow it but for places that were saved meanwhile or not sent yet.
 */
export function expectPlaces(reader: string): (entries: readonly ContinueListening[]) => void {
  claimListening(reader);
  const before = useListening.getState().places;
  return (entries) => {
    const now = useListening.getState().places;
    const saved = Object.entries(now).filter(([id, place]) => before[id] !== place);
    const ours = { ...Object.fromEntries(saved), ...unsent() };
    useListening.setState((listening) => adopted(listening, entries, ours));
    const places = Object.fromEntries(entries.map(({ _id, progress }) => [_id, progress]));
    const heardOn = Object.fromEntries(
      entries.flatMap(({ _id, heardOn }) => (heardOn ? [[_id, heardOn]] : [])),
    );
    dispatch({ type: 'placesLearned', places: { ...places, ...ours }, heardOn });
  };
}

/** Tells the server of a place, by code that comes with the player: pages do not wait for it. */
const keep = (place: Omit<Place, 'at'>): void =>
  void import('./place-keeper.ts').then((keeper) => keeper.keep(place)).catch(() => undefined);

/**
 * Takes a track out of continue listening, as skipping it does: offline too, and in order with the places around it.
 * Out: puts it back where it was.
 */
export function dropFromContinue(entry: ContinueListening): () => void {
  const index = useListening.getState().entries.findIndex(({ _id }) => _id === entry._id);
  const place = { track: entry._id, position: entry.progress };
  useListening.setState((listening) => dropped(listening, entry._id));
  keep({ ...place, cause: 'skip' });
  return () => {
    useListening.setState((listening) => restored(listening, entry, Math.max(0, index)));
    keep({ ...place, cause: 'pause' });
  };
}
