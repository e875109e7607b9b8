import { sql } from 'kysely';
import { hashSubject } from '../accounts/repository.ts';
import type { Database } from '../database.ts';

/** A record as its table has it. */
export type Row = Record<string, unknown>;

/** A table that points at a reader, or at something of theirs. */
interface ForeignKey {
  table: string;
  column: string;
  target: string;
}

/** A table and those that lead to it, nearest first. */
function findDependentTables(start: string, findForeignKeys: readonly ForeignKey[]): string[] {
  const reached = [start];
  for (const target of reached) {
    const next = findForeignKeys.filter((pointer) => pointer.target === target).map(({ table }) => table);
    reached.push(...new Set(next.filter((table) => !reached.includes(table))));
  }
  return reached;
}

/** Hashes of subjects are kept this long: no token lives longer. */
const DELETED_USER_RETENTION_MS = 25 * 3_600_000;

/**
 * Everything of one reader. Which tables hold some of it is asked of the database itself, so that none is forgotten:
 * those that point at `users`, and those that point at these.
 */
export function createAccountDataRepository(db: Database) {
  /** Every column that points from one table to another's id. */
  async function pointers(): Promise<ForeignKey[]> {
    const { rows } = await sql<ForeignKey>`
      select source.relname "table", a.attname "column", target.relname "target"
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_class source on source.oid = c.conrelid
      join pg_class target on target.oid = c.confrelid
      where c.contype = 'f' and source.relnamespace = (select relnamespace from pg_class where oid = 'users'::regclass)
      order by 1, 2`.execute(db);
    return rows;
  }

  const findRows = async (table: string, column: string, ids: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where ${sql.ref(`t.${column}`)}::text = any(${ids.map(String)})`.execute(
      db,
    );
    return rows.map(({ row }) => row);
  };

  return {
    /** By the tables that hold them. */
    async findAllRows(reader: string): Promise<Record<string, Row[]>> {
      const all = await pointers();
      const found: Record<string, Row[]> = { users: await findRows('users', 'id', [reader]) };
      for (const target of findDependentTables('users', all)) {
        const ids = (found[target] ?? []).map(({ id }) => id);
        for (const { table, column } of all.filter((pointer) => pointer.target === target)) {
          found[table] = [...(found[table] ?? []), ...(await findRows(table, column, ids))];
        }
      }
      return found;
    },

    /** The titles of pieces by their ids. */
    async findTitles(ids: readonly string[]): Promise<Record<string, string>> {
      if (ids.length === 0) return {};
      const rows = await db.selectFrom('article').select(['id', 'title']).where('id', 'in', ids).execute();
      return Object.fromEntries(rows.map(({ id, title }) => [id, title]));
    },

    /**
     * Erases a reader with all that points at them, and puts down that they are to go elsewhere too, where they have an
     * account there.
     */
    async deleteUser(
      { id, subject }: { id: string; subject: string },
      account: string | undefined,
      now: Date,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('users').where('id', '=', id).execute();
        await tx
          .deleteFrom('deleted_user')
          .where('deleted_at', '<', new Date(now.getTime() - DELETED_USER_RETENTION_MS))
          .where('subject_hash', 'not in', tx.selectFrom('account_deletion').select('subject_hash'))
          .execute();
        const subject_hash = hashSubject(subject);
        await tx
          .insertInto('deleted_user')
          .values({ subject_hash, deleted_at: now })
          .onConflict((conflict) => conflict.column('subject_hash').doUpdateSet({ deleted_at: now }))
          .execute();
        if (account === undefined) return;
        await tx
          .insertInto('account_deletion')
          .values({ user_id: id, subject_hash, username: account, due_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    },
  };
}

export type AccountDataRepository = ReturnType<typeof createAccountDataRepository>;
