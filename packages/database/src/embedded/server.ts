import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
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
import { spawnAs } from './account.ts';
import { runsCluster } from './pid-file.ts';
import { type Place, socketFolder } from './place.ts';
import { type Door, postgresqlConf, usableMemory } from './settings.ts';

const ON_WINDOWS = process.platform === 'win32';
const LARGEST_LOG = 1_000_000;
const PATIENCE_MS = 30_000;

/** A server that was just started: whether it gave up, and what it has written since. */
export interface Launch {
  gaveUp(): boolean;
  output(): string;
}

/** A way in for a new server: the socket folder of the place, or on Windows a free port. */
export async function newDoor(place: Place): Promise<Door> {
  return ON_WINDOWS ? { port: await freePort() } : { folder: await socketFolder(place) };
}

/** Starts the server in a session of its own, so that a Ctrl-C meant for us does not end it before us. */
export function launch(place: Place, door: Door, durable: boolean): Launch {
  const config = writeSettings(place, door, durable);
  if (existsSync(place.logFile) && statSync(place.logFile).size > LARGEST_LOG) {
    renameSync(place.logFile, `${place.logFile}.1`);
  }
  const log = openSync(place.logFile, 'a', 0o600);
  const before = fstatSync(log).size;
  // on Windows pg_ctl sheds an administrator's rights, with which PostgreSQL refuses to run
  const [program, args] = ON_WINDOWS
    ? (['pg_ctl', ['start', '-w', '-s', '-D', place.cluster, '-l', place.logFile]] as const)
    : (['postgres', ['-D', place.cluster, '-c', `config_file=${config}`]] as const);
  const child = spawn(join(place.binaries, 'bin', program), args, {
    ...spawnAs(place.account),
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
    gaveUp: () =>
      failure !== '' ||
      child.signalCode !== null ||
      (child.exitCode !== null && (!ON_WINDOWS || child.exitCode > 0)),
    output: () => failure + readFileSync(place.logFile).subarray(before).toString(),
  };
}

/** Outside the cluster, for what owns the cluster could make root write through a link there. */
function writeSettings(place: Place, door: Door, durable: boolean): string {
  const file = join(ON_WINDOWS ? place.cluster : place.root, 'postgresql.conf');
  const custom = join(place.root, 'custom.conf');
  const memory = usableMemory(totalmem(), process.constrainedMemory());
  writeFileSync(file, postgresqlConf({ door, durable, memory, ...(existsSync(custom) ? { custom } : {}) }));
  chmodSync(file, 0o644);
  return file;
}

/** Ends the server in fast mode: open transactions roll back, everything committed is on disk. */
export async function shutDown(place: Place, pid: number): Promise<void> {
  if (ON_WINDOWS) {
    await promisify(execFile)(join(place.binaries, 'bin', 'pg_ctl'), [
      'stop',
      '-m',
      'fast',
      '-w',
      '-D',
      place.cluster,
    ]);
    return;
  }
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalServer(place, pid, signal);
    const end = Date.now() + PATIENCE_MS;
    while (runsCluster(pid, place.cluster) && Date.now() < end) await delay(10);
  }
}

/** Tells the server to end without waiting for it. */
export function signalServer(place: Place, pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (!ON_WINDOWS && runsCluster(pid, place.cluster)) process.kill(pid, signal);
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
