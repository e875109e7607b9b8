import { randomBytes } from 'node:crypto';
import { escapeIdentifier } from 'pg';
import { type Connection, getDirectConnection, withClient } from '../connection.ts';
import { DatabaseError, isInsufficientPrivilege } from '../database-error.ts';

/** The advisory lock of the one process that takes, verifies or restores a backup of a database. */
const BACKUP_LOCK = [1_163_084_627, 3];

/** The prefix of the names of scratch databases; the name of the database follows, and eight hexadecimal digits. */
const SCRATCH_PREFIX = 'escucho_scratch_';

/**
 * Runs `work` unless another process does so for the same database.
 *
 * @throws DatabaseError `backup-running`
 */
export const withBackupLock = <Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> =>
  withClient({ connection, name: 'backup lock' }, async (client) => {
    const lock = 'select pg_try_advisory_lock($1, $2) as acquired';
    const { rows } = await client.query<{ acquired: boolean }>(lock, BACKUP_LOCK);
    if (!rows[0]?.acquired)
      throw new DatabaseError(
        'backup-running',
        'Another process is taking or restoring a backup of this database.',
      );
    return work();
  });

/**
 * Creates an empty database on the same server for the time of `work`. Databases that a killed process left behind are
 * dropped; call it under the backup lock.
 *
 * @returns undefined where the role may not create databases
 */
export const withScratchDatabase = <Result>(
  connection: Connection,
  work: (scratch: Connection) => Promise<Result>,
): Promise<Result | undefined> =>
  withClient({ connection, name: 'scratch database' }, async (client) => {
    const drop = (name: string) =>
      client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
    const prefix = `${SCRATCH_PREFIX}${connection.database}_`;
    // A longer name is the scratch database of another one, such as `escucho_staging` beside `escucho`.
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database
       where starts_with(datname, $1) and substr(datname, length($1) + 1) ~ '^[0-9a-f]{8}$'`,
      [prefix],
    );
    for (const { name } of rows) await drop(name);
    const database = `${prefix}${randomBytes(4).toString('hex')}`;
    try {
      await client.query(`create database ${client.escapeIdentifier(database)}`);
    } catch (error) {
      if (isInsufficientPrivilege(error)) return undefined;
      throw error;
    }
    try {
      const { direct: _, ...address } = getDirectConnection(connection);
      return await work({ ...address, database });
    } finally {
      await drop(database);
    }
  });

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
