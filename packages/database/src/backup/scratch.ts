import { randomBytes } from 'node:crypto';
import { withClient } from '../client.ts';
import { type Connection, getDirectConnection } from '../connection.ts';
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
