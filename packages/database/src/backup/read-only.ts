import { escapeIdentifier } from 'pg';
import { withClient } from '../client.ts';
import type { Connection } from '../connection.ts';
import { DatabaseError, isInsufficientPrivilege } from '../database-error.ts';

/** How long to wait for the end of each session. */
const END_TIMEOUT_MS = 5000;

/** Returns whether new sessions of a database are read-only. */
export const isReadOnly = (connection: Connection): Promise<boolean> =>
  withClient({ connection, name: 'read-only' }, async (client) => {
    const { rows } = await client.query<{ setting: string }>(
      `select current_setting('default_transaction_read_only') as setting`,
    );
    return rows[0]?.setting === 'on';
  });

/**
 * Makes a database read-only, or writable again, for all sessions of its owner and of others. Open sessions of clients are
 * ended, because the setting applies to new ones; pools connect again. Waits for their end, so that none gets another request.
 * Sessions that the role may not end stay: those of superusers, and of other roles such as a monitoring system's.
 *
 * @throws DatabaseError `not-owner` where the role does not own the database
 */
export async function setReadOnly(connection: Connection, isReadOnly: boolean): Promise<void> {
  const options = '-c default_transaction_read_only=off';
  const database = escapeIdentifier(connection.database);
  const change = isReadOnly
    ? 'set default_transaction_read_only = on'
    : 'reset default_transaction_read_only';
  try {
    await withClient({ connection, name: 'read-only', options }, async (client) => {
      await client.query(`alter database ${database} ${change}`);
      await client.query(
        `select pg_terminate_backend(pid, ${END_TIMEOUT_MS}) from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
           and (current_setting('is_superuser')::boolean or not (select rolsuper from pg_roles where oid = usesysid)
             and (pg_has_role(usesysid, 'usage') or pg_has_role('pg_signal_backend', 'usage')))`,
      );
    });
  } catch (cause) {
    if (!isInsufficientPrivilege(cause)) throw cause;
    throw new DatabaseError(
      'not-owner',
      `The role ${connection.user} must own the database ${connection.database} to make it read-only or writable.`,
      { cause },
    );
  }
}
