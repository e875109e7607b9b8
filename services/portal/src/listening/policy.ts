import { type DeviceKind, limits, type ProgressEntry } from '@escucho/contracts';

/** Where a reader is in a track: seconds, whether it stands in continue listening, and what kind of device says so. */
export interface Place {
  position: number;
  listed: boolean;
  deviceKind: DeviceKind | null;
}

/** What the merge must know beside the entry: the device's newest entry for this track before it, and the track's seconds. */
export interface Known {
  lastSequence: number | null;
  duration: number;
}

type Entry = Pick<ProgressEntry, 'sequence' | 'position' | 'cause' | 'deviceKind'>;

const { start, far } = limits.player.place;

/** Entries that a player sends by itself; the others follow from what a person did. */
const automatic: readonly Entry['cause'][] = ['play', 'tick', 'hide'];

/**
 * Merges a device's entry into the reader's place (PLAY-05). Out: the new place, or undefined where the entry is older
 * than what the same device said before. Between devices the last to arrive wins. A player that starts at the
 * beginning, not having heard of a far place, does not lose it; a seek there does. A track that ended begins anew.
 */
export function merged(place: Place, entry: Entry, { lastSequence, duration }: Known): Place | undefined {
  if (lastSequence !== null && entry.sequence <= lastSequence) return undefined;
  const deviceKind = entry.deviceKind ?? null;
  if (entry.cause === 'ended') return { position: 0, listed: false, deviceKind };
  const unaware = automatic.includes(entry.cause) && entry.position < start && place.position > far;
  const listed = entry.cause !== 'skip';
  if (unaware) return { ...place, listed };
  return { position: Math.min(entry.position, duration), listed, deviceKind };
}
