import { limits, type ProgressCause, type ProgressEntry } from '@escucho/contracts';

/** Places not yet known to the server, in order, and what makes the next entry of this device (PLAY-05). */
export interface Outbox {
  device: string;
  sequence: number;
  entries: readonly ProgressEntry[];
}

export interface Place {
  track: string;
  position: number;
  cause: ProgressCause;
  /** When, by this device's clock (ISO 8601). */
  at: string;
}

/** More than anybody listens to offline; beyond it the oldest goes. */
const capacity = 200;

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
export function append(outbox: Outbox, { track, position, cause, at }: Place): Outbox {
  const sequence = Math.max(outbox.sequence + 1, Date.parse(at));
  const bounded = Math.min(Math.max(position, 0), limits.positionSeconds.max);
  const last = outbox.entries.at(-1);
  const isReplaced = last?.track === track && replaces(cause, last.cause);
  const waiting = isReplaced ? outbox.entries.slice(0, -1) : outbox.entries;
  const entry = { track, device: outbox.device, sequence, position: bounded, cause, at };
  return { ...outbox, sequence, entries: [...waiting, entry].slice(-capacity) };
}

/** The outbox once the server has an entry: it leaves, whatever came after it stays. */
export const acknowledge = (outbox: Outbox, sequence: number): Outbox => ({
  ...outbox,
  entries: outbox.entries.filter((entry) => entry.sequence !== sequence),
});

/** The last place of each track that the server does not know yet. */
export const unsentPlaces = ({ entries }: Outbox): Record<string, number> =>
  Object.fromEntries(entries.map(({ track, position, cause }) => [track, cause === 'ended' ? 0 : position]));
