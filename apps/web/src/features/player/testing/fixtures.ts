import type { Article, Bookmark, ContinueListening, Track } from '@escucho/contracts';
import { createGate } from '../model/gate.ts';
import { transition } from '../model/machine.ts';
import { type Effect, emptyPlayer, type PlayerEvent, type PlayerState, type Source } from '../model/state.ts';

/** Returns a UUID made from a small number. */
export const toId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Returns a track; the number determines its id and title. */
export const buildTrack = (number: number, changes: Partial<Track> = {}): Track => ({
  _id: toId(number),
  url: `/media/${number}.mp3`,
  title: `Track ${number}`,
  artist: 'Ana Ruiz',
  artwork: `/media/${number}-large.avif`,
  duration: 100,
  progress: 0,
  like: false,
  image: `/media/${number}.avif`,
  source: 'Stories',
  playlist: toId(900),
  kind: 'article',
  language: 'en',
  level: 'B1',
  topic: 'Nature',
  ...changes,
});

/** Returns an entry of continue listening. */
export const buildEntry = (number: number, changes: Partial<ContinueListening> = {}): ContinueListening => ({
  _id: toId(number),
  title: `Track ${number}`,
  duration: 100,
  audio: `/media/${number}.mp3`,
  image: `/media/${number}.avif`,
  artwork: `/media/${number}-large.avif`,
  language: 'en',
  level: 'B1',
  narrator: { name: 'Ana Ruiz', image: null },
  progress: 40,
  kind: 'article',
  topic: 'Nature',
  like: false,
  ...changes,
});

/** Returns a bookmark in the first track. */
export const buildBookmark = (number: number, position: number, note = ''): Bookmark => ({
  _id: toId(800 + number),
  track: toId(1),
  position,
  note,
  createdAt: '2026-11-01T00:00:00.000Z',
});

/** Returns an article of three sentences, ten seconds each, in two paragraphs. */
export const buildArticle = (number: number): Article => ({
  _id: toId(number),
  slug: `track-${number}`,
  title: `Track ${number}`,
  summary: 'A summary.',
  kind: 'article',
  language: 'en',
  translationLanguage: null,
  level: 'B1',
  topic: 'Nature',
  narrator: { name: 'Ana Ruiz', image: null },
  image: `/media/${number}.avif`,
  artwork: `/media/${number}-large.avif`,
  duration: 100,
  publishedAt: '2026-11-01T00:00:00.000Z',
  chapters: [],
  pages: [],
  sentences: ['The sea was calm.', 'A boat came in.', 'Nobody saw it.'].map((text, index) => ({
    text,
    translation: null,
    start: index * 10,
    end: index * 10 + 10,
    paragraph: index < 2 ? 0 : 1,
    chapter: null,
    page: null,
  })),
});

export const listSource: Source = { name: 'Stories', playlist: toId(900) };
export const latestSource: Source = { name: 'Latest articles', playlist: toId(901) };

/** Runs events from a state. Returns the last state and the effects of the last event; `done` has their types. */
export function runEvents(from: PlayerState, events: readonly PlayerEvent[], gate = createGate(true)) {
  let state = from;
  let effects: readonly Effect[] = [];
  for (const event of events) ({ state, effects } = transition(state, event, gate));
  return { state, effects, done: effects.map((effect) => effect.type) };
}

/** Returns a player that plays one of the tracks. */
export const buildPlaying = (
  tracks = [buildTrack(1), buildTrack(2), buildTrack(3)],
  index = 0,
): PlayerState =>
  runEvents(emptyPlayer, [playFrom(listSource, tracks, index), { type: 'ready' }, { type: 'started' }]).state;

/** Returns a playing player at a position, in seconds. */
export const buildPlayingAt = (position: number, state = buildPlaying()): PlayerState =>
  runEvents(state, [{ type: 'time', position }]).state;

/** Returns a player that was paused at a position, in seconds. */
export const buildPausedAt = (position: number): PlayerState =>
  runEvents(buildPlayingAt(position), [{ type: 'pause' }]).state;

/** Plays the next track, and leaves the active one in continue listening. */
export const next: PlayerEvent = { type: 'next', removeFromContinue: false };

/** Plays a track of a list. */
export const playFrom = (source: Source, tracks: readonly Track[], index = 0): PlayerEvent<'playFrom'> => ({
  type: 'playFrom',
  source,
  tracks,
  index,
});

export const buildTick = (position: number, seconds = 1): PlayerEvent => ({
  type: 'tick',
  position,
  seconds,
});
