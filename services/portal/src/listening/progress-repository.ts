import type { ProgressEntry } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { getMadeAt, getOccurredAt, isListed, isListening, type Progress } from './policy.ts';

/** An entry of a user's device. */
export interface UserEntry {
  userId: string;
  entry: ProgressEntry;
}

interface LockedProgress extends Progress {
  /** When the entry was made that last changed it. */
  updatedAt: Date;
  /** When the user last removed the track, or all tracks, from the history; null for never. */
  removedAt: Date | null;
  /** The track's duration in seconds. */
  duration: number;
}

/** An entry with the user's saved progress, which is locked until the end of the transaction. */
interface LockedEntry extends UserEntry {
  saved: LockedProgress;
}

interface AppendedEvent {
  /** Whether it was not in the event log before. */
  isNew: boolean;
  /** The latest sequence of the device for the track before it. */
  lastSequence: number | null;
}

export type AppendedEntry = LockedEntry & AppendedEvent;

/** An entry with the progress to save. */
interface ChangedEntry extends LockedEntry {
  merged: Progress;
}

/** Rows have the numbers of their entries, which count from 1. */
type Numbered<Row> = Row & { number: number };

/** How long a transaction of several users waits for a row that another transaction has locked. */
const LOCK_TIMEOUT = sql.lit('500ms');

/** A column of values, one per entry. */
const column = <Item>(items: readonly Item[], type: string, toValue: (item: Item) => unknown) =>
  sql`${items.map(toValue)}::${sql.raw(type)}[]`;

const keyColumns = (entries: readonly UserEntry[]) =>
  sql`${column(entries, 'uuid', ({ userId }) => userId)}, ${column(entries, 'uuid', ({ entry }) => entry.track)}`;

const joinRows = <Entry, Row extends { number: number }, Joined>(
  entries: readonly Entry[],
  rows: readonly Row[],
  join: (entry: Entry, row: Row) => Joined,
): Joined[] =>
  rows.flatMap((row) => {
    const entry = entries[row.number - 1];
    return entry ? [join(entry, row)] : [];
  });

/**
 * The steps of saving progress, to be run in one transaction. Each takes any number of entries, at most one per user and
 * track. All transactions lock rows in the order of users and tracks, so that none waits for another in a circle.
 */
function createSaveSteps(db: Database) {
  return {
    /** Ends the transaction instead of letting its users wait for a row of one of them. */
    async limitLockWaits(): Promise<void> {
      await sql`set local lock_timeout = ${LOCK_TIMEOUT}`.execute(db);
    },

    /**
     * Locks the progress of entries; creates it first, at position 0 and in no list. Users are locked before, as the deletion
     * of an account does.
     *
     * @returns the entries with their progress, without those of an unknown user or track
     */
    async lockProgress(entries: readonly UserEntry[], now: Date): Promise<LockedEntry[]> {
      const { rows } = await sql<Numbered<LockedProgress>>`
        with entry as materialized (
          select e.number, e.user_id, e.article_id, e.made_at, a.duration, u.history_cleared_at
          from unnest(${keyColumns(entries)}, ${column(entries, 'timestamptz', ({ entry }) => getMadeAt(entry, now))})
            with ordinality as e (user_id, article_id, made_at, number)
          join article a on a.id = e.article_id
          join users u on u.id = e.user_id
          order by e.user_id, e.article_id
          for key share of u
        ), saved as materialized (
          insert into listening_progress as p (user_id, article_id, position, in_continue_listening, in_history, listened_at)
          select user_id, article_id, 0, false, false, made_at from entry order by user_id, article_id
          -- Changes nothing, but locks the row and reads its latest version.
          on conflict (user_id, article_id) do update set position = p.position
          returning user_id, article_id, position, in_continue_listening, device_id, device_kind, history_removed_at,
            greatest(updated_at, listened_at) as updated_at
        )
        select entry.number, saved.position, saved.in_continue_listening as "inContinueListening",
          saved.device_id as device, saved.device_kind as "deviceKind", saved.updated_at as "updatedAt",
          greatest(entry.history_cleared_at, saved.history_removed_at) as "removedAt", entry.duration
        from entry join saved using (user_id, article_id)`.execute(db);
      return joinRows(entries, rows, (entry, saved) => ({ ...entry, saved }));
    },

    /**
     * Appends entries to the event log unless they are there. Call it with their progress locked, so that no other entry
     * of their devices is appended concurrently.
     */
    async appendEvents(entries: readonly LockedEntry[], now: Date): Promise<AppendedEntry[]> {
      const { rows } = await sql<Numbered<AppendedEvent>>`
        with entry as materialized (
          select * from unnest(
            ${keyColumns(entries)},
            ${column(entries, 'uuid', ({ entry }) => entry.device)},
            ${column(entries, 'bigint', ({ entry }) => entry.sequence)},
            ${column(entries, 'double precision', ({ entry }) => entry.position)},
            ${column(entries, 'text', ({ entry }) => entry.cause)},
            ${column(entries, 'timestamptz', ({ entry }) => getOccurredAt(entry, now))},
            ${column(entries, 'double precision', ({ entry }) => entry.secondsPlayed ?? null)}
          ) with ordinality
            as e (user_id, article_id, device_id, sequence, position, cause, occurred_at, seconds_played, number)
        ), added as materialized (
          insert into listening_event
            (user_id, device_id, sequence, article_id, position, cause, occurred_at, received_at, seconds_played)
          select user_id, device_id, sequence, article_id, position, cause, occurred_at, ${now}, seconds_played
          from entry order by user_id, device_id, sequence, number
          on conflict (user_id, device_id, sequence) do nothing
          returning user_id, article_id
        )
        select entry.number,
          exists (
            select from added where added.user_id = entry.user_id and added.article_id = entry.article_id
          ) as "isNew",
          -- The statement sees the log as it was before its own insertion.
          (
            select e.sequence from listening_event e
            where e.article_id = entry.article_id and e.user_id = entry.user_id and e.device_id = entry.device_id
            order by e.sequence desc limit 1
          ) as "lastSequence"
        from entry`.execute(db);
      return joinRows(entries, rows, (entry, event) => ({ ...entry, ...event }));
    },

    /** Saves progress. Entries that were sent late are dated when they were made, and date no row back. */
    async updateProgress(changed: readonly ChangedEntry[], now: Date): Promise<void> {
      await sql`
        update listening_progress as p set
          position = c.position,
          in_continue_listening = c.in_continue_listening,
          device_id = c.device_id,
          device_kind = c.device_kind,
          in_history = p.in_history or c.is_listed,
          listened_at = case when c.is_listened then greatest(p.listened_at, c.made_at) else p.listened_at end,
          updated_at = greatest(p.updated_at, p.listened_at, c.made_at)
        from unnest(
          ${keyColumns(changed)},
          ${column(changed, 'double precision', ({ merged }) => merged.position)},
          ${column(changed, 'boolean', ({ merged }) => merged.inContinueListening)},
          ${column(changed, 'uuid', ({ merged }) => merged.device)},
          ${column(changed, 'text', ({ merged }) => merged.deviceKind)},
          ${column(changed, 'boolean', ({ entry, saved }) => isListening(saved, entry))},
          ${column(changed, 'boolean', ({ entry, saved }) => isListed(saved, entry, now))},
          ${column(changed, 'timestamptz', ({ entry }) => getMadeAt(entry, now))}
        ) as c
          (user_id, article_id, position, in_continue_listening, device_id, device_kind, is_listened, is_listed, made_at)
        where p.user_id = c.user_id and p.article_id = c.article_id`.execute(db);
    },
  };
}

/** Runs the steps of saving progress in one transaction. */
export const runSaveSteps = <Result>(
  db: Database,
  work: (steps: ReturnType<typeof createSaveSteps>) => Promise<Result>,
): Promise<Result> => db.transaction().execute((transaction) => work(createSaveSteps(transaction)));
