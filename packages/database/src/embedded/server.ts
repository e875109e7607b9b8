import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DatabaseError, type DatabaseErrorCode, getErrorMessage } from '../database-error.ts';
import { spawnOptions } from './account.ts';
import { type ClusterPaths, ensureSocketFolder } from './paths.ts';
import { findOrphanedServers, isClusterProcess } from './pid-file.ts';
import { buildPostgresqlConf, getUsableMemory, type ServerAddress } from './settings.ts';

const ON_WINDOWS = process.platform === 'win32';
const MAX_LOG_BYTES = 1_000_000;
const STOP_TIMEOUT_MS = 30_000;

/** Returns the address of a new server: a socket folder or, on Windows, a free port. */
export async function chooseAddress(paths: ClusterPaths): Promise<ServerAddress> {
  return ON_WINDOWS ? { port: await freePort() } : { folder: await ensureSocketFolder(paths) };
}

/** Starts the server in a session of its own, so that Ctrl+C does not reach it before this process stops it. */
export function launchServer(paths: ClusterPaths, address: ServerAddress) {
  const config = writeSettings(paths, address);
  if (existsSync(paths.logFile) && statSync(paths.logFile).size > MAX_LOG_BYTES) {
    renameSync(paths.logFile, `${paths.logFile}.1`);
  }
  const log = openSync(paths.logFile, 'a', 0o600);
  const before = fstatSync(log).size;
  // On Windows pg_ctl drops administrator rights, with which PostgreSQL refuses to run.
  const [program, args] = ON_WINDOWS
    ? (['pg_ctl', ['start', '-w', '-s', '-D', paths.cluster, '-l', paths.logFile]] as const)
    : (['postgres', ['-D', paths.cluster, '-c', `config_file=${config}`]] as const);
  const child = spawn(join(paths.binaries, 'bin', program), args, {
    ...spawnOptions(paths.account),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failure = '';
  child.once('error', (error) => {
    failure = error.message;
  });
  return {
    hasFailed: () =>
      failure !== '' ||
      child.signalCode !== null ||
      (child.exitCode !== null && (!ON_WINDOWS || child.exitCode > 0)),
    /** Returns what it has logged since it was started. */
    output: () => failure + readFileSync(paths.logFile).subarray(before).toString(),
  };
}

export type Launch = ReturnType<typeof launchServer>;

/** Returns the size of the files in a folder and below, in bytes. Processes of a crashed server may still delete some. */
function measureFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

/** Writes the configuration outside the cluster: the cluster's owner could otherwise make root write through a link. */
function writeSettings(paths: ClusterPaths, address: ServerAddress): string {
  const file = join(ON_WINDOWS ? paths.cluster : paths.root, 'postgresql.conf');
  const custom = join(paths.root, 'custom.conf');
  const memory = getUsableMemory(totalmem(), process.constrainedMemory());
  writeFileSync(
    file,
    buildPostgresqlConf({
      address,
      durable: paths.durable,
      memory,
      dataSize: measureFiles(join(paths.cluster, 'base')),
      ...(existsSync(custom) ? { custom } : {}),
    }),
  );
  chmodSync(file, 0o644);
  return file;
}

/** Stops the server in fast mode: open transactions are rolled back, committed data is on disk. */
export async function stopServer(paths: ClusterPaths, pid: number): Promise<void> {
  if (ON_WINDOWS) {
    await promisify(execFile)(join(paths.binaries, 'bin', 'pg_ctl'), [
      'stop',
      '-m',
      'fast',
      '-w',
      '-D',
      paths.cluster,
    ]);
    return;
  }
  await stopBySignals(paths, pid, ['SIGINT', 'SIGQUIT']);
}

/**
 * Stops the servers of a former cluster whose folder was deleted. PostgreSQL notices that only within a minute, and then
 * deletes the socket by its path, which the new server would be using by that time.
 */
export async function stopOrphanedServers(paths: ClusterPaths): Promise<void> {
  for (const pid of findOrphanedServers(paths.cluster))
    await stopBySignals(paths, pid, ['SIGQUIT', 'SIGKILL']);
}

async function stopBySignals(
  paths: ClusterPaths,
  pid: number,
  signals: readonly NodeJS.Signals[],
): Promise<void> {
  for (const signal of signals) {
    signalServer(paths, pid, signal);
    const end = Date.now() + STOP_TIMEOUT_MS;
    while (isClusterProcess(pid, paths.cluster) && Date.now() < end) await delay(10);
  }
}

/** Signals the server without waiting for it to stop. */
export function signalServer(paths: ClusterPaths, pid: number, signal: NodeJS.Signals): void {
  if (!ON_WINDOWS && isClusterProcess(pid, paths.cluster)) process.kill(pid, signal);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const KNOWN_FAILURES: readonly (readonly [RegExp, DatabaseErrorCode, string])[] = [
  [
    /No space left on device|ENOSPC|EDQUOT|Disk quota exceeded/,
    'disk-full',
    'The disk is full: free some space, then start again.',
  ],
  [
    /initialized by PostgreSQL version|incompatible with server/,
    'wrong-version',
    'The data was written by another version of PostgreSQL: start the earlier version of this program, back up, and restore into an empty data directory.',
  ],
  [
    /could not look up effective user ID/,
    'no-account',
    'PostgreSQL needs an account with a name, and this one has none: add it to /etc/passwd, or set DATABASE_URL.',
  ],
  [
    /Address already in use|could not create any TCP\/IP sockets|EADDRINUSE/,
    'port-taken',
    'The address PostgreSQL listens on is taken: end the program that holds it, then start again.',
  ],
  [
    /Permission denied|Read-only file system|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT.* mkdir/,
    'not-writable',
    'The data directory cannot be written: check its owner and permissions, or set DATA_DIR.',
  ],
];

/**
 * Turns the output of PostgreSQL, or Node's message about a file, into an error with advice.
 *
 * @param action - what was attempted, e.g. `start PostgreSQL in /srv/data`
 */
export function describeFailure(action: string, output: string, cause?: unknown): DatabaseError {
  const [, code, advice] = KNOWN_FAILURES.find(([sign]) => sign.test(output)) ?? [];
  const excerpt = output.trim().split('\n').slice(-8).join('\n');
  return new DatabaseError(code ?? 'start-failed', `Could not ${action}. ${advice ?? ''}\n${excerpt}`, {
    cause,
  });
}

/** Returns a `DatabaseError` as it is; gives errors of the file system a code and advice. */
export function toDatabaseError(action: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  return describeFailure(action, getErrorMessage(error), error);
}
