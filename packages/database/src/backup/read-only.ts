import { Client, escapeIdentifier } from 'pg';
import { type Connection, clientConfig, getDirectConnection } from '../connection.ts';
import { DatabaseError, getErrorCode } from '../database-error.ts';

/** PostgreSQL's code for a role that lacks a privilege. */
const INSUFFICIENT_PRIVILEGE = '42501';
/** How long to wait for the end of each session. */
const END_TIMEOUT_MS = 5000;

/** Returns whether new sessions of a database are read-only. */
export async function isReadOnly(connection: Connection): Promise<boolean> {
  const client = new Client(clientConfig(getDirectConnection(connection), 'read-only'));
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ setting: string }>(
      `select current_setting('default_transaction_read_only') as setting`,
    );
    return rows[0]?.setting === 'on';
  } finally {
    await client.end();
  }
}

/**
 * Makes a database read-only, or writable again, for all sessions of its owner and of others. Open sessions of clients are
 * ended, because the setting applies to new ones; pools connect again. Waits for their end, so that none gets another request.
 * Sessions that the role may not end stay: those of superusers, and of other roles such as a monitoring system's.
 *
 * @throws DatabaseError `not-owner` where the role does not own the database
 */
export async function setReadOnly(connection: Connection, isReadOnly: boolean): Promise<void> {
  const client = new Client({
    ...clientConfig(getDirectConnection(connection), 'read-only'),
    options: '-c default_transaction_read_only=off',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const database = escapeIdentifier(connection.database);
    const change = isReadOnly
      ? 'set default_transaction_read_only = on'
      : 'reset default_transaction_read_only';
    await client.query(`alter database ${database} ${change}`);
    await client.query(
      `select pg_terminate_backend(pid, ${END_TIMEOUT_MS}) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
         and (current_setting('is_superuser')::boolean or not (select rolsuper from pg_roles where oid = usesysid)
           and (pg_has_role(usesysid, 'usage') or pg_has_role('pg_signal_backend', 'usage')))`,
    );
  } catch (cause) {
    if (getErrorCode(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
    throw new DatabaseError(
      'not-owner',
      `The role ${connection.user} must own the database ${connection.database} to make it read-only or writable.`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
