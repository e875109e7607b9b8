import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  assertEmpty,
  backup,
  type Connection,
  DatabaseError,
  isReadOnly,
  readChecksums,
  restore,
  setReadOnly,
} from '@escucho/database';
import { migrateAll } from '../storage.ts';
import { withWorkDirectory } from './take-backup.ts';

interface MoveOptions {
  readonly source: Connection;
  readonly target: Connection;
  /** A directory that is free to write, for a copy of the data. */
  readonly dataDir: string;
  /** Whether to delete rows of the target first. */
  readonly replace: boolean;
}

/**
 * Moves all rows to another database and compares the checksums of all tables. The source becomes read-only and stays so,
 * so that nothing is written that the target does not have. It becomes writable again if the move fails, unless it was
 * read-only before, as it is after an earlier move. A target that is read-only, as the former database is, becomes writable
 * where its rows are replaced.
 *
 * @returns the numbers of tables and rows, and for how many milliseconds nobody could write
 * @throws DatabaseError `same-database`, `not-owner`, `backup-not-empty` where the target has rows, `backup-damaged` where the
 * checksums differ, `backup-running` while another process backs up the source
 */
export async function moveDatabase(options: MoveOptions) {
  const { source, target, replace } = options;
  const isSame = (['host', 'port', 'database'] as const).every((key) => source[key] === target[key]);
  if (isSame) throw new DatabaseError('same-database', 'The new database is the one in use.');
  // The source is read-only during the copy, also where the target is the same database by another name: the order of
  // these steps keeps its rows from being deleted, and its state from being lost.
  const wasReadOnly = await isReadOnly(source);
  const wasTargetReadOnly = replace && (await isReadOnly(target));
  if (wasTargetReadOnly) await setReadOnly(target, false);
  try {
    await migrateAll(target);
    if (!replace) await assertEmpty(target);
    return await copyRows(options, wasReadOnly);
  } catch (error) {
    if (wasTargetReadOnly) await setReadOnly(target, true);
    throw error;
  }
}

async function copyRows({ source, target, dataDir, replace }: MoveOptions, wasReadOnly: boolean) {
  const startedAt = performance.now();
  try {
    await setReadOnly(source, true);
    // A backup that was running has lost its session and with it the lock.
    const counts = await withWorkDirectory({ connection: source, dataDir }, async (work) => {
      const file = join(work, 'database.gz');
      await backup({ connection: source, file });
      return restore({ connection: target, file, replace });
    });
    const [expected, found] = await Promise.all([readChecksums(source), readChecksums(target)]);
    const differing = Object.keys(expected).filter((name) => !isDeepStrictEqual(expected[name], found[name]));
    if (differing.length > 0)
      throw new DatabaseError(
        'backup-damaged',
        `These tables differ after the move: ${differing.join(', ')}.`,
      );
    return { ...counts, readOnlyMs: performance.now() - startedAt };
  } catch (error) {
    if (!wasReadOnly) await setReadOnly(source, false);
    throw error;
  }
}
