import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '../database-error.ts';
import type { Door } from './settings.ts';

/** What PostgreSQL writes into `postmaster.pid` while it runs. */
export interface PidFile {
  readonly pid: number;
  readonly door: Door;
}

/** No process can have this id on any platform. */
const NO_PROCESS = 2_147_483_646;

/** Reads a `postmaster.pid`; undefined while the server has not yet written how it is reached. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid, , , port, folder, address, ...rest] = text.split('\n');
  if (rest.length === 0 || (folder === '' && address === '')) return undefined;
  return { pid: Math.abs(Number(pid)), door: folder ? { folder } : { port: Number(port) } };
}

export function readPidFile(cluster: string): PidFile | undefined {
  return parsePidFile(readIfThere(join(cluster, 'postmaster.pid')) ?? '');
}

/** Whether the process of that id is the PostgreSQL server of the cluster: not a zombie, not another's reuse. */
export function runsCluster(pid: number, cluster: string): boolean {
  return exists(pid) && (process.platform === 'win32' || commandOf(pid).includes(` ${cluster} `));
}

/**
 * Takes the name out of a pid file whose server is gone, when the id now belongs to a zombie or another process:
 * PostgreSQL would believe its server still runs. The file itself stays, for it names the shared memory that
 * PostgreSQL checks for survivors before it starts.
 */
export function disown(cluster: string, stale: PidFile): void {
  if (!exists(stale.pid) || readPidFile(cluster)?.pid !== stale.pid) return;
  const file = join(cluster, 'postmaster.pid');
  const text = readFileSync(file, 'utf8').replace(/^-?\d+/, String(NO_PROCESS));
  const opened = openSync(file, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  writeFileSync(opened, text);
  closeSync(opened);
  if (!('folder' in stale.door)) return;
  const socket = join(stale.door.folder, '.s.PGSQL.5432');
  const locked = parseInt(readIfThere(`${socket}.lock`) ?? '', 10);
  if (locked !== stale.pid) return;
  rmSync(socket, { force: true });
  rmSync(`${socket}.lock`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}

/** The command line of a process with a space behind each word; empty for a zombie. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return `${execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).trim()} `;
  } catch {
    return '';
  }
}
