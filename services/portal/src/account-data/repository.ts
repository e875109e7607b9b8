import { anonymizeAuditEvents, findUserEvents, recordAuditEvent } from '@escucho/audit';
import { createJobQueue, defineJob } from '@escucho/jobs';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { hashSubject } from '../accounts/repository.ts';
import type { CurrentUser } from '../accounts/user.ts';
import { type Database, type ForeignKey, findForeignKeys, schema } from '../database.ts';

/** A row as its table has it. */
export type Row = Record<string, unknown>;

/** Longer than any access token is valid. */
const DELETED_USER_RETENTION_MS = 25 * 3_600_000;

/** How many rows are read at a time. */
const PAGE_SIZE = 1000;

/** Newer events of a user are exported, older ones are not. */
const MAX_EXPORTED_EVENTS = 10_000;

/** The portal's background jobs. */
export const jobQueue = createJobQueue(schema);

/** Deletes a former user's accounts at the billing and the identity provider. `subjectHash` is base64. */
export const deleteProviderAccounts = defineJob({
  name: 'delete_provider_accounts',
  payload: z.object({ userId: z.string(), username: z.string(), subjectHash: z.string() }),
  // Must not be given up: the attempts suffice for more than half a year.
  maxAttempts: 1000,
});

/** A row of `t` without the normalized copy of a bookmark's note, which a withdrawn bookmark has, too. */
const withoutCopies = sql`to_jsonb(t) - 'search_note' #- '{row,search_note}'`;

/** Returns a table and those that reference it directly or indirectly, nearest first. */
function findDependentTables(start: string, foreignKeys: readonly ForeignKey[]): string[] {
  const found = [start];
  for (const target of found) {
    const next = foreignKeys.filter((key) => key.target === target).map(({ table }) => table);
    found.push(...new Set(next.filter((table) => !found.includes(table))));
  }
  return found;
}

/** Few enough for the timeout of statements, even where each event is on another page of a slow disk. */
const EVENTS_PER_DELETION = 2000;

/** Deletes a user's listening events in steps: an hour of listening has 900 of them. Call it with the user locked. */
async function deleteListeningEvents(tx: Database, userId: string): Promise<void> {
  let after = sql``;
  for (;;) {
    const { rows } = await sql<{ device: string; sequence: number }>`
      with deleted as materialized (
        delete from listening_event where ctid = any(array(
          select ctid from listening_event where user_id = ${userId} ${after}
          order by device_id, sequence limit ${EVENTS_PER_DELETION}
        ))
        returning device_id, sequence
      )
      select device_id as device, sequence from deleted order by device_id desc, sequence desc limit 1`.execute(
      tx,
    );
    const [last] = rows;
    if (!last) return;
    after = sql`and (device_id, sequence) > (${last.device}, ${last.sequence})`;
  }
}

type DeletedUser = Pick<CurrentUser, 'id' | 'subject'>;

/**
 * Deletes a user with all rows that reference it, makes the audit events about it anonymous, and enqueues the deletion at the
 * providers.
 *
 * @param username - at the identity provider; undefined for operators' users, who have no account there
 */
export async function deleteUser(
  tx: Database,
  { id, subject }: DeletedUser,
  username: string | undefined,
  now: Date,
): Promise<void> {
  const user = tx.selectFrom('users').select('id').where('id', '=', id).forUpdate();
  // A concurrent request deleted the user and enqueued the job.
  if (!(await user.executeTakeFirst())) return;
  await deleteListeningEvents(tx, id);
  await tx.deleteFrom('users').where('id', '=', id).execute();
  await recordAuditEvent(tx, { type: 'account_deleted' });
  await anonymizeAuditEvents(tx, [id, subject]);
  const retentionLimit = new Date(now.getTime() - DELETED_USER_RETENTION_MS);
  await tx
    .deleteFrom('deleted_user')
    .where('completed_at', '<', retentionLimit)
    // Follows from the completion, and has an index.
    .where('deleted_at', '<', retentionLimit)
    .execute();
  const subjectHash = hashSubject(subject);
  const deletion = { deleted_at: now, completed_at: username === undefined ? now : null };
  await tx
    .insertInto('deleted_user')
    .values({ subject_hash: subjectHash, ...deletion })
    .onConflict((conflict) => conflict.column('subject_hash').doUpdateSet(deletion))
    .execute();
  if (username === undefined) return;
  const payload = { userId: id, username, subjectHash: subjectHash.toString('base64') };
  await jobQueue.enqueue(tx, deleteProviderAccounts, payload);
}

/**
 * Everything stored about a user. The tables are found by the foreign keys in the database, so that none is missed:
 * those that reference `users`, and those that reference these.
 */
export function createAccountDataRepository(db: Database) {
  /** Returns the columns of a table's primary key; none where it has no key. */
  async function findKeyColumns(table: string): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select a.attname as name from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = ${table}::text::regclass and i.indisprimary
      order by array_position(i.indkey::int2[], a.attnum)`.execute(db);
    return rows.map(({ name }) => name);
  }

  /**
   * Reads the rows of a table that refer to an id, in pages; those of a table without a key at once. PostgreSQL infers the
   * types of the values, because a cast of the columns would prevent the use of their indexes.
   */
  async function* readRows(
    { table, key }: { table: string; key: readonly string[] },
    column: string,
    id: string,
  ): AsyncGenerator<Row[]> {
    const columns = sql.join(key.map((each) => sql.ref(`t.${each}`)));
    let last: Row | undefined;
    do {
      const after = last && sql`and (${columns}) > (${sql.join(key.map((each) => String(last?.[each])))})`;
      const { rows } = await sql<{ row: Row }>`
        select ${withoutCopies} as row from ${sql.table(table)} t
        where ${sql.ref(`t.${column}`)} = ${id} ${after ?? sql``}
        ${key.length > 0 ? sql`order by ${columns} limit ${PAGE_SIZE}::integer` : sql``}`.execute(db);
      yield rows.map(({ row }) => row);
      last = key.length > 0 && rows.length === PAGE_SIZE ? rows.at(-1)?.row : undefined;
    } while (last);
  }

  return {
    /** Reads a user's rows by table, each table in pages. Read a table to its end before the next one. */
    async *readTables(userId: string): AsyncGenerator<{ table: string; pages: AsyncIterable<Row[]> }> {
      const foreignKeys = await findForeignKeys(db);
      const targets = new Set(foreignKeys.map(({ target }) => target));
      const ids: Record<string, string[]> = {};

      async function* readTable(table: string): AsyncGenerator<Row[]> {
        const references = [
          ...(table === 'users' ? [{ column: 'id', values: [userId] }] : []),
          ...foreignKeys
            .filter((key) => key.table === table)
            .map(({ column, target }) => ({ column, values: ids[target] ?? [] })),
        ];
        const source = { table, key: await findKeyColumns(table) };
        const found: string[] = [];
        for (const { column, values } of references) {
          for (const value of values) {
            for await (const rows of readRows(source, column, value)) {
              if (targets.has(table)) found.push(...rows.map((row) => String(row.id)));
              yield rows;
            }
          }
        }
        ids[table] = found;
      }

      for (const table of findDependentTables('users', foreignKeys)) yield { table, pages: readTable(table) };
    },

    /**
     * Returns the audit events about a user, newest first, and records that they are exported with all other data; undefined
     * where the user was deleted since the request was authenticated.
     */
    exportSecurityEvents: ({ id, subject }: { id: string; subject: string }): Promise<Row[] | undefined> =>
      db.transaction().execute(async (tx) => {
        // A deletion waits until the event is recorded, which it then makes anonymous.
        const user = tx.selectFrom('users').select('id').where('id', '=', id).forKeyShare();
        if (!(await user.executeTakeFirst())) return undefined;
        await recordAuditEvent(tx, { type: 'data_exported', userId: id });
        const { events } = await findUserEvents(tx, [id, subject], { limit: MAX_EXPORTED_EVENTS });
        // The name is of an account of the operating system, not of the user.
        return events.map(({ actorName: _, ...event }) => event);
      }),

    /** Returns a page of the audit events about a user, those of all services, newest first. */
    findSecurityEvents: (
      { id, subject }: { id: string; subject: string },
      page: { after?: string | undefined; limit: number },
    ) => findUserEvents(db, [id, subject], page),

    /** Returns the titles of articles by id, also of withdrawn ones. */
    async findTitles(ids: readonly string[]): Promise<Record<string, string>> {
      const anyId = sql<string>`any(${ids}::uuid[])`;
      const rows = await db
        .selectFrom('article')
        .select(['id', 'title'])
        .where('id', '=', anyId)
        .unionAll(db.selectFrom('withdrawn_article').select(['id', 'title']).where('id', '=', anyId))
        .execute();
      return Object.fromEntries(rows.map(({ id, title }) => [id, title]));
    },

    /** Deletes a user as the function `deleteUser` does, in a transaction of its own. */
    deleteUser: (user: DeletedUser, username: string | undefined, now: Date): Promise<void> =>
      db.transaction().execute((tx) => deleteUser(tx, user, username, now)),

    /** Returns whether a deleted user may still have accounts at the providers. */
    async isDeletionPending(subjectHash: string): Promise<boolean> {
      const row = await db
        .selectFrom('deleted_user')
        .select('deleted_at')
        .where('subject_hash', '=', Buffer.from(subjectHash, 'base64'))
        .where('completed_at', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Records that no account of a deleted user is left, so that the same person may sign in again. */
    async completeDeletion(subjectHash: string, now: Date): Promise<void> {
      await db
        .updateTable('deleted_user')
        .set({ completed_at: now })
        .where('subject_hash', '=', Buffer.from(subjectHash, 'base64'))
        .execute();
    },
  };
}

export type AccountDataRepository = ReturnType<typeof createAccountDataRepository>;
