import type { Playlist } from '@escucho/contracts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
const AUDIO_AT_LEAST = 30 * MINUTE;
const AUDIO_STEP = 5 * MINUTE;

/** A list that is played from: what PLAY-04 must know of it. */
export type Source = Pick<Playlist, 'name' | 'origin'>;

/** What begins a list, if anything does. */
export interface Beginning extends Source {
  playlist: string;
  first: string | null;
}

const isOpen = ({ name, origin }: Source): boolean => origin === 'system' && name.includes('Latest');

/**
 * PLAY-04: a subscriber plays everything; anyone else the first item of a system playlist whose name contains
 * 'Latest'. A reader's own list opens nothing, whatever its name. In: the list, the item's number from 0.
 */
export function mayPlay(isSubscribed: boolean, source: Source, index: number): boolean {
  return isSubscribed || (index === 0 && isOpen(source));
}

/** The tracks that everybody may play now. In: how the lists begin; `playlist` narrows it to playing from that list. */
export function openTracks(beginnings: readonly Beginning[], playlist?: string): ReadonlySet<string> {
  const open = beginnings.filter(
    (beginning) => isOpen(beginning) && (playlist === undefined || playlist === beginning.playlist),
  );
  return new Set(open.flatMap(({ first }) => first ?? []));
}

const stepUp = (seconds: number, step: number): number => Math.ceil(seconds / step) * step;

/**
 * When an audio link ends. In: seconds since 1970, the track's in seconds; `life`, how long all links live, where that
 * is set. Out: seconds since 1970; unless set, at least half an hour and three times the track away, in steps, so that a
 * list asked for twice in a row names the same addresses.
 */
export function audioExpiry(now: number, duration: number, life?: number): number {
  if (life !== undefined) return Math.ceil(now + life);
  return stepUp(now + Math.max(AUDIO_AT_LEAST, 3 * duration), AUDIO_STEP);
}

/**
 * When a picture link ends: the same moment for everybody all week, so that caches keep it, and never less than a day
 * away. In and out: seconds since 1970.
 */
export function pictureExpiry(now: number): number {
  return stepUp(now + DAY, WEEK);
}
