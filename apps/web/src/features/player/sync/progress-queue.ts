import { limits, type ProgressCause, type ProgressEntry } from '@escucho/contracts';

/** The journal of this device's progress that the server has not acknowledged, in order (PLAY-05). */
export interface ProgressQueue {
  /** The id of this device. */
  device: string;
  /** The last sequence number used. */
  sequence: number;
  entries: readonly ProgressEntry[];
}

export interface ProgressUpdate {
  track: string;
  /** Seconds. */
  position: number;
  cause: ProgressCause;
  /** The time by this device's clock (ISO 8601). */
  at: string;
  /** Seconds that the track has sounded since its last entry, where known. */
  secondsPlayed?: number;
}

const MAX_ENTRIES = 200;
/** What was played belongs to its own day: a removal may come days after the last tick. */
const MAX_SUPERSEDED_AGE_MS = 60_000;

/** Adds the time played until an entry that is dropped to the entry after it. Unknown where it is unknown for one of them. */
function addSecondsPlayed<Entry extends Pick<ProgressEntry, 'secondsPlayed'>>(
  { secondsPlayed, ...entry }: Entry,
  dropped: number | undefined,
) {
  if (secondsPlayed === undefined || dropped === undefined) return entry;
  // Whole milliseconds keep the stored queue short.
  const sum = Math.round((secondsPlayed + dropped) * 1000) / 1000;
  return { ...entry, secondsPlayed: Math.min(Math.max(sum, 0), limits.secondsPlayed.max) };
}

/**
 * Drops the oldest entry that is not the last of its track when the queue is full; rather not its first one, from which the
 * time played is counted.
 */
function limitEntries(entries: readonly ProgressEntry[]): readonly ProgressEntry[] {
  if (entries.length <= MAX_ENTRIES) return entries;
  const first = new Map(entries.toReversed().map(({ track, sequence }) => [track, sequence]));
  const latest = new Map(entries.map(({ track, sequence }) => [track, sequence]));
  const isSuperseded = ({ track, sequence }: ProgressEntry) => latest.get(track) !== sequence;
  const between = entries.findIndex(
    (entry) => isSuperseded(entry) && first.get(entry.track) !== entry.sequence,
  );
  const index = Math.max(between >= 0 ? between : entries.findIndex(isSuperseded), 0);
  const dropped = entries[index];
  const next = entries.findIndex(({ track }, other) => other > index && track === dropped?.track);
  return entries
    .map((entry, other) => (other === next ? addSecondsPlayed(entry, dropped?.secondsPlayed) : entry))
    .toSpliced(index, 1);
}

/**
 * Returns whether an entry makes the one before it, of the same track, redundant: of playing on, only the last position
 * counts, and of seeks the last. The position before a seek or a new start is needed for the statistics.
 */
function supersedes(after: ProgressCause, before: ProgressCause): boolean {
  if (before === 'seek') return after === 'seek';
  return (before === 'tick' || before === 'hide') && after !== 'seek' && after !== 'play';
}

/**
 * Appends an update under the next sequence number and drops the entry that it supersedes. Sequence numbers follow the
 * clock: a killed browser may lose its last write, and the server would ignore a number that was used before.
 */
export function enqueueProgress(
  queue: ProgressQueue,
  { track, position, cause, at, secondsPlayed }: ProgressUpdate,
): ProgressQueue {
  const sequence = Math.max(queue.sequence + 1, Date.parse(at));
  const last = queue.entries.at(-1);
  const age = last?.at === undefined ? 0 : Date.parse(at) - Date.parse(last.at);
  const isSuperseded = last?.track === track && supersedes(cause, last.cause) && age <= MAX_SUPERSEDED_AGE_MS;
  const entries = isSuperseded ? queue.entries.slice(0, -1) : queue.entries;
  const entry = {
    track,
    device: queue.device,
    sequence,
    position: Math.min(Math.max(position, 0), limits.positionSeconds.max),
    cause,
    at,
    secondsPlayed,
  };
  const dropped = isSuperseded ? last.secondsPlayed : 0;
  return { ...queue, sequence, entries: limitEntries([...entries, addSecondsPlayed(entry, dropped)]) };
}

/** Removes an entry that the server has acknowledged or rejected. */
export const removeEntry = (queue: ProgressQueue, sequence: number): ProgressQueue => ({
  ...queue,
  entries: queue.entries.filter((entry) => entry.sequence !== sequence),
});
