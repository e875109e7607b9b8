import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '../database-error.ts';
import type { ServerAddress } from './settings.ts';

/** The contents of `postmaster.pid`. */
interface PidFile {
  readonly pid: number;
  readonly address: ServerAddress;
}

/** An id that no process has on any platform. */
const IMPOSSIBLE_PID = 2_147_483_646;

/** Parses a `postmaster.pid`. Returns undefined while the server has not yet written its address. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid, , , port, folder, address, ...rest] = text.split('\n');
  if (rest.length === 0 || (folder === '' && address === '')) return undefined;
  return { pid: Math.abs(Number(pid)), address: folder ? { folder } : { port: Number(port) } };
}

/** Reads `postmaster.pid` of a data directory; undefined where there is none or it is incomplete. */
export function readPidFile(cluster: string): PidFile | undefined {
  return parsePidFile(readIfExists(join(cluster, 'postmaster.pid')) ?? '');
}

/** Returns whether a process is the server of the cluster, and neither a zombie nor an unrelated process. */
export function isClusterProcess(pid: number, cluster: string): boolean {
  return (
    processExists(pid) && (process.platform === 'win32' || readCommandLine(pid).includes(` ${cluster} `))
  );
}

/**
 * Returns the processes that still serve a former cluster of the same path, whose folder was deleted under them. Empty
 * where the system has no /proc.
 */
export function findOrphanedServers(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => pid > 0 && readCommandLine(pid).includes(` ${cluster} `) && isInDeletedFolder(pid, cluster),
    );
}

/**
 * Replaces the process id in a pid file whose server is gone while the id belongs to a zombie or another process:
 * PostgreSQL would assume that its server still runs. The file itself stays, since PostgreSQL reads from it which shared
 * memory to check for surviving children.
 */
export function clearStalePidFile(cluster: string, stale: PidFile): void {
  if (!processExists(stale.pid) || readPidFile(cluster)?.pid !== stale.pid) return;
  const file = join(cluster, 'postmaster.pid');
  const text = readFileSync(file, 'utf8').replace(/^-?\d+/, String(IMPOSSIBLE_PID));
  const opened = openSync(file, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  writeFileSync(opened, text);
  closeSync(opened);
  if (!('folder' in stale.address)) return;
  const socket = join(stale.address.folder, '.s.PGSQL.5432');
  const locked = parseInt(readIfExists(`${socket}.lock`) ?? '', 10);
  if (locked !== stale.pid) return;
  rmSync(socket, { force: true });
  rmSync(`${socket}.lock`);
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns whether a process exists, also one of another account. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}

function isInDeletedFolder(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === `${folder} (deleted)`;
  } catch {
    // It has ended, or belongs to an account that this one may not look at.
    return false;
  }
}

/** Returns the command line of a process with a space after each word; empty for a zombie. */
function readCommandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return `${execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).trim()} `;
  } catch {
    return '';
  }
}
