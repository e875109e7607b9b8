import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import {
  assertEmpty,
  backup,
  type Connection,
  connectionFromUrl,
  DatabaseError,
  getErrorMessage,
  isReadOnly,
  readChecksums,
  restore,
  setReadOnly,
  startEmbedded,
} from '@escucho/database';
import { moveMedia, openMediaStore } from '@escucho/portal';
import { withWorkDirectory } from '../backup/take-backup.ts';
import { readStoreLocation } from '../settings/stores.ts';
import { describeStartError } from '../start-errors.ts';
import { migrateAll } from '../storage.ts';
import { assertNoArguments, type Command, type CommandContext, type Commands } from './command.ts';
import { createProgressBar, createStepProgress } from './progress.ts';

/** The value of NEW_DATABASE_URL for the embedded database. */
const EMBEDDED = 'embedded';

/** @throws Error that names NEW_DATABASE_URL where the new database does not accept connections */
async function assertConnects(connection: Connection): Promise<void> {
  await isReadOnly(connection).catch((error: unknown) => {
    throw new Error(describeStartError(error, 'NEW_DATABASE_URL') ?? getErrorMessage(error));
  });
}

/** Opens the database of NEW_DATABASE_URL; the embedded one is started. */
async function openTarget({ env, settings }: CommandContext) {
  const { NEW_DATABASE_URL: url } = env;
  if (url === undefined) throw new Error(`Where? Set NEW_DATABASE_URL to an address, or to ${EMBEDDED}.`);
  if (url !== EMBEDDED) {
    const connection = connectionFromUrl(url, 'NEW_DATABASE_URL');
    await assertConnects(connection);
    return { connection, stop: async () => {} };
  }
  if (settings.databaseUrl === undefined) throw new Error('The embedded database is the one in use.');
  return startEmbedded({ dataDir: join(settings.dataDir, 'postgres') });
}

/** Copies the media that the store of NEW_MEDIA_STORE does not have yet; returns the files that failed, with reasons. */
async function copyMedia({ env, settings }: CommandContext): Promise<string[]> {
  if (env.NEW_MEDIA_STORE === undefined) return [];
  const from = await openMediaStore(settings.mediaLocation);
  const to = await openMediaStore(readStoreLocation('NEW_MEDIA_STORE', env.NEW_MEDIA_STORE, env));
  const bar = createProgressBar();
  const { failed } = await moveMedia({ from, to, onFile: bar.update });
  bar.clear();
  return failed.map(({ key, reason }) => `${key}: ${reason}`);
}

/** Returns the names of the other variables with addresses of the old database, as far as they are set. */
const findOtherAddresses = ({ settings }: CommandContext): string[] => [
  ...(settings.directDatabaseUrl === undefined ? [] : ['DATABASE_DIRECT_URL']),
  ...(settings.readDatabaseUrl === undefined ? [] : ['DATABASE_READ_URL']),
];

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
async function moveDatabase(options: MoveOptions) {
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
  const steps = createStepProgress();
  try {
    await setReadOnly(source, true);
    const onCopy = steps.start('The database is read-only. Copying all rows');
    // A backup that was running has lost its session and with it the lock.
    const counts = await withWorkDirectory({ connection: source, dataDir }, async (work) => {
      const file = join(work, 'database.gz');
      await backup({ connection: source, file, onProgress: onCopy });
      const onProgress = steps.start('Writing them into the new database');
      return restore({ connection: target, file, replace, onProgress });
    });
    steps.start('Comparing all rows');
    const [expected, found] = await Promise.all([readChecksums(source), readChecksums(target)]);
    const differing = Object.keys(expected).filter((name) => !isDeepStrictEqual(expected[name], found[name]));
    if (differing.length > 0)
      throw new DatabaseError(
        'backup-damaged',
        `These tables differ after the move: ${differing.join(', ')}.`,
      );
    return { ...counts, readOnlyMs: performance.now() - startedAt };
  } catch (error) {
    steps.clear();
    if (!wasReadOnly) await setReadOnly(source, false);
    throw error;
  }
}

/** Moves the product's database, and its media, to where NEW_DATABASE_URL and NEW_MEDIA_STORE say. */
const move: Command = async (context) => {
  const { args, settings, storage } = context;
  const { values } = parseArgs({ args, options: { replace: { type: 'boolean' } } });
  const target = await openTarget(context);
  try {
    // Most media are copied while the product is in use; what is added during that time follows below.
    const failed = await copyMedia(context);
    if (failed.length > 0) return { text: failed.join('\n'), failed: true };
    const { tables, rows, readOnlyMs } = await moveDatabase({
      source: storage.connection,
      target: target.connection,
      dataDir: settings.dataDir,
      replace: values.replace === true,
    });
    const failedAfterwards = await copyMedia(context);
    // The new database is the product's from now on: its audit log gets this command.
    const stopSource = storage.stop;
    storage.connection = target.connection;
    storage.stop = async () => {
      await stopSource();
      await target.stop();
    };
    const seconds = (readOnlyMs / 1000).toFixed(1);
    const lines = [
      `Moved ${tables} tables with ${rows} rows; all checksums agree. It took ${seconds} s, in which nobody could write.`,
      'The old database stays read-only. Start the product with the new settings; to go back instead: npm run db -- make-writable.',
      ...findOtherAddresses(context).map(
        (name) => `${name} leads to the old database: change or remove it too.`,
      ),
      ...failedAfterwards,
    ];
    return { text: lines.join('\n'), failed: failedAfterwards.length > 0 };
  } catch (error) {
    await target.stop();
    throw error;
  }
};

/** The commands of `db` for moving to another database. */
export const moveCommands: Commands = {
  move,
  async 'make-writable'({ args, storage }) {
    assertNoArguments(args);
    await setReadOnly(storage.connection, false);
    return 'The database is writable.';
  },
};
