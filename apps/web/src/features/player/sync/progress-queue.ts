import { limits, type ProgressCause, type ProgressEntry } from '@escucho/contracts';

/** Places not yet known to the server, in order, and what makes the next entry of this device (PLAY-05). */
export interface ProgressQueue {
  device: string;
  sequence: number;
  entries: readonly ProgressEntry[];
}

export interface ProgressUpdate {
  track: string;
  position: number;
  cause: ProgressCause;
  /** When, by this device's clock (ISO 8601). */
  at: string;
}

/** More than anybody listens to offline. */
const capacity = 200;

/** Makes room: the oldest goes that is not the last of its track, for where each track was left is never given up. */
function bounded(entries: readonly ProgressEntry[]): readonly ProgressEntry[] {
  if (entries.length <= capacity) return entries;
  const newest = new Map(entries.map(({ track, sequence }) => [track, sequence]));
  const needless = entries.findIndex(({ track, sequence }) => newest.get(track) !== sequence);
  return entries.toSpliced(Math.max(needless, 0), 1);
}

/**
 * Whether a place makes the one of the same track before it needless. Of listening on, only how far it went counts, and of
 * seeks the last; but what was heard before a seek or a new start would be lost to the figures.
 */
function replaces(after: ProgressCause, before: ProgressCause): boolean {
  if (before === 'seek') return after === 'seek';
  return (before === 'tick' || before === 'hide') && after !== 'seek' && after !== 'play';
}

/**
 * Adds a place under the next sequence number. One before it that it makes needless goes, while it waits. Numbers rise with
 * the clock: a browser that is killed may forget what it wrote last, and a number used twice would be taken for said before.
 */
export function enqueueProgress(
  outbox: ProgressQueue,
  { track, position, cause, at }: ProgressUpdate,
): ProgressQueue {
  const sequence = Math.max(outbox.sequence + 1, Date.parse(at));
  const within = Math.min(Math.max(position, 0), limits.positionSeconds.max);
  const last = outbox.entries.at(-1);
  const isReplaced = last?.track === track && replaces(cause, last.cause);
  const waiting = isReplaced ? outbox.entries.slice(0, -1) : outbox.entries;
  const entry = { track, device: outbox.device, sequence, position: within, cause, at };
  return { ...outbox, sequence, entries: bounded([...waiting, entry]) };
}

/** The outbox once the server has an entry: it leaves, whatever came after it stays. */
export const removeEntry = (outbox: ProgressQueue, sequence: number): ProgressQueue => ({
  ...outbox,
  entries: outbox.entries.filter((entry) => entry.sequence !== sequence),
});
