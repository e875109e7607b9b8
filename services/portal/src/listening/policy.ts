import { type DeviceKind, limits, type ProgressEntry } from '@escucho/contracts';

/** A user's saved position in a track, in seconds, with the device that saved it. */
export interface Progress {
  position: number;
  inContinueListening: boolean;
  device: string | null;
  deviceKind: DeviceKind | null;
}

/** The facts, in addition to the entry and the saved progress, that decide a merge. */
interface MergeContext {
  /** The sequence of the device's latest entry for this track; null for its first. */
  lastSequence: number | null;
  /** The track's duration in seconds. */
  duration: number;
  /** Seconds since the entry was made that last changed the progress. */
  unchangedForSeconds: number;
}

type Entry = Pick<ProgressEntry, 'device' | 'sequence' | 'position' | 'cause' | 'deviceKind' | 'waited'>;

const { start, far, same } = limits.player.position;
/** An entry that is sent at once arrives within this time. */
const MAX_TRANSIT_SECONDS = 5;
/** An entry that waited longer is dated as if it had waited this long: its clock may have been corrected by years. */
const MAX_WAIT_SECONDS = 7 * 24 * 60 * 60;

const getWaitSeconds = ({ waited = 0 }: Pick<Entry, 'waited'>): number =>
  waited > MAX_TRANSIT_SECONDS ? waited : 0;

/** Returns when an entry was made, by the clock of the server that it has just reached. */
export const getMadeAt = (entry: Pick<Entry, 'waited'>, now: Date): Date =>
  new Date(now.getTime() - Math.min(getWaitSeconds(entry), MAX_WAIT_SECONDS) * 1000);

/** A device's clock is wrong if it differs from the server's by more: a request does not take as long. */
const MAX_CLOCK_ERROR_MS = 60_000;

/** Returns when an entry was made for the statistics: by its device's clock unless that is wrong, and not in the future. */
export function getOccurredAt({ at, waited }: Pick<ProgressEntry, 'at' | 'waited'>, now: Date): Date {
  if (at === undefined) return now;
  const occurredAt = new Date(at);
  const clockErrorMs = waited === undefined ? 0 : occurredAt.getTime() + waited * 1000 - now.getTime();
  if (Math.abs(clockErrorMs) > MAX_CLOCK_ERROR_MS) return getMadeAt({ waited }, now);
  return occurredAt > now ? now : occurredAt;
}

/** Causes a player reports by itself; the others follow from an action of the user. */
const automaticCauses: readonly Entry['cause'][] = ['play', 'tick', 'hide'];

/** Returns whether the progress was saved by another device than the entry's. */
export const isFromOtherDevice = (progress: Progress, entry: Pick<Entry, 'device'>): boolean =>
  progress.device !== null && progress.device !== entry.device;

/**
 * Returns whether an entry means that its track was listened to. A skip may come long after that, or without it; a seek to
 * the saved position undoes one.
 */
export const isListening = (progress: Pick<Progress, 'position'>, { cause, position }: Entry): boolean =>
  cause !== 'skip' && (cause !== 'seek' || position !== progress.position);

/**
 * Returns whether an entry lists its track in the history: it was listened to after the user last removed it. All the
 * time that the entry waited counts, so that a removal holds: a clock that was corrected by years delays the track until its
 * next entry.
 */
export const isListed = (
  progress: Pick<Progress, 'position'> & { removedAt: Date | null },
  entry: Entry,
  now: Date,
): boolean =>
  isListening(progress, entry) &&
  (progress.removedAt === null ||
    now.getTime() - getWaitSeconds(entry) * 1000 >= progress.removedAt.getTime());

/** Returns whether the player did not know the saved progress: it began at the start, or at a position of its own. */
function isUninformed(progress: Progress, entry: Entry): boolean {
  if (progress.position <= far || !automaticCauses.includes(entry.cause)) return false;
  if (entry.position < start) return true;
  const isApart = Math.abs(entry.position - progress.position) > same;
  return entry.cause === 'play' && isFromOtherDevice(progress, entry) && isApart;
}

/**
 * Merges an entry of a device into the user's progress (PLAY-05). The last entry to arrive wins, with these exceptions:
 * a player that starts without knowing a saved position far into the track does not overwrite it; a device that was
 * offline does not overwrite what another device saved in the meantime; a track that ended starts at 0 again.
 *
 * @returns the new progress; the same object when another device continued while the entry waited to be sent;
 *   undefined when the entry is older than the device's latest
 */
export function mergeProgress(progress: Progress, entry: Entry, context: MergeContext): Progress | undefined {
  const { device, waited = 0 } = entry;
  if (context.lastSequence !== null && entry.sequence <= context.lastSequence) return undefined;
  if (
    isFromOtherDevice(progress, entry) &&
    waited > Math.max(context.unchangedForSeconds, MAX_TRANSIT_SECONDS)
  ) {
    return progress;
  }
  const deviceKind = entry.deviceKind ?? null;
  if (entry.cause === 'ended') return { position: 0, inContinueListening: false, device, deviceKind };
  const inContinueListening = entry.cause !== 'skip';
  // A skip removes the track from continue listening; it does not move the position that another device saved.
  const isForeignSkip = entry.cause === 'skip' && isFromOtherDevice(progress, entry);
  // Without a device, a track that was never listened to is still new.
  const isUnstartedSkip = entry.cause === 'skip' && progress.device === null && entry.position === 0;
  if (isForeignSkip || isUnstartedSkip || isUninformed(progress, entry))
    return { ...progress, inContinueListening };
  return { position: Math.min(entry.position, context.duration), inContinueListening, device, deviceKind };
}
