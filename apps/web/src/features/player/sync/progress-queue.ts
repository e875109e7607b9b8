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
}

const MAX_ENTRIES = 200;

/** Drops the oldest entry that is not the last of its track when the queue is full. */
function limitEntries(entries: readonly ProgressEntry[]): readonly ProgressEntry[] {
  if (entries.length <= MAX_ENTRIES) return entries;
  const latest = new Map(entries.map(({ track, sequence }) => [track, sequence]));
  const superseded = entries.findIndex(({ track, sequence }) => latest.get(track) !== sequence);
  return entries.toSpliced(Math.max(superseded, 0), 1);
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
  { track, position, cause, at }: ProgressUpdate,
): ProgressQueue {
  const sequence = Math.max(queue.sequence + 1, Date.parse(at));
  const last = queue.entries.at(-1);
  const isSuperseded = last?.track === track && supersedes(cause, last.cause);
  const entries = isSuperseded ? queue.entries.slice(0, -1) : queue.entries;
  const entry = {
    track,
    device: queue.device,
    sequence,
    position: Math.min(Math.max(position, 0), limits.positionSeconds.max),
    cause,
    at,
  };
  return { ...queue, sequence, entries: limitEntries([...entries, entry]) };
}

/** Removes an entry that the server has acknowledged or rejected. */
export const removeEntry = (queue: ProgressQueue, sequence: number): ProgressQueue => ({
  ...queue,
  entries: queue.entries.filter((entry) => entry.sequence !== sequence),
});
