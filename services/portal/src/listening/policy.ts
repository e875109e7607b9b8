import { type DeviceKind, limits, type ProgressEntry } from '@escucho/contracts';

/** Where a reader is in a track: seconds, whether it stands in continue listening, and which device says so, of what kind. */
export interface Progress {
  position: number;
  inContinueListening: boolean;
  device: string | null;
  deviceKind: DeviceKind | null;
}

/**
 * What the merge must know beside the entry: the device's newest entry for this track before it, the track's seconds, and for
 * how many seconds the place has stood.
 */
export interface MergeContext {
  lastSequence: number | null;
  duration: number;
  unchangedForSeconds: number;
}

type Entry = Pick<ProgressEntry, 'device' | 'sequence' | 'position' | 'cause' | 'deviceKind' | 'waited'>;

const { start, far, same } = limits.player.place;
/** What is sent at once is under way for less than this; seconds. */
const MAX_TRANSIT_SECONDS = 5;

/** Entries that a player sends by itself; the others follow from what a person did. */
const automatic: readonly Entry['cause'][] = ['play', 'tick', 'hide'];

/** Whether a place was written by another device than the entry's, as far as is known. */
export const isFromOtherDevice = (place: Progress, entry: Pick<Entry, 'device'>): boolean =>
  place.device !== null && place.device !== entry.device;

/** Whether an entry was made by a player that did not know of a far place: it begins at the start, or where it was itself. */
function isUninformed(place: Progress, entry: Entry): boolean {
  if (place.position <= far || !automatic.includes(entry.cause)) return false;
  if (entry.position < start) return true;
  const isApart = Math.abs(entry.position - place.position) > same;
  return entry.cause === 'play' && isFromOtherDevice(place, entry) && isApart;
}

/**
 * Merges a device's entry into the reader's place (PLAY-05). Out: the new place; the very same one where another device has
 * gone on while the entry waited; undefined where the entry is older than what the same device said before. Otherwise the
 * last of the devices to arrive wins. A player that begins, not having heard of a far place, does not lose it; a seek or
 * playing on does. A track that ended begins anew.
 */
export function mergeProgress(place: Progress, entry: Entry, known: MergeContext): Progress | undefined {
  const { device, waited = 0 } = entry;
  if (known.lastSequence !== null && entry.sequence <= known.lastSequence) return undefined;
  if (isFromOtherDevice(place, entry) && waited > Math.max(known.unchangedForSeconds, MAX_TRANSIT_SECONDS))
    return place;
  const deviceKind = entry.deviceKind ?? null;
  if (entry.cause === 'ended') return { position: 0, inContinueListening: false, device, deviceKind };
  const listed = entry.cause !== 'skip';
  if (isUninformed(place, entry)) return { ...place, inContinueListening: listed };
  return {
    position: Math.min(entry.position, known.duration),
    inContinueListening: listed,
    device,
    deviceKind,
  };
}
