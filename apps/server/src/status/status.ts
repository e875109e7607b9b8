import { stat, statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import {
  type Connection,
  type Log,
  measureReplicaLag,
  openDatabase,
  removeBrackets,
} from '@escucho/database';
import { createIdentityAdmin } from '@escucho/identity';
import { createJobQueue } from '@escucho/jobs';
import { type Kysely, sql } from 'kysely';
import { findNewestSet, openBackupStore, toSetTime } from '../backup/backup-sets.ts';
import { getSecretsPath, type Instance } from '../instance.ts';
import type { BackupSettings } from '../settings/stores.ts';
import type { Settings } from '../settings.ts';
import { getProductVersion, serviceNames } from '../storage.ts';

const TIMEOUT_MS = 5000;

/** A section of the status: known, not used by this installation or process, or not readable now. */
export type Section<T> = { state: 'ok'; value: T } | { state: 'unused' } | { state: 'failed' };

export interface StatusDeps {
  settings: Settings;
  instance: Instance;
  /** Undefined where the process serves the web app only. */
  connection: Connection | undefined;
  log: Pick<Log, 'warn'>;
}

async function readDatabase(db: Kysely<object>) {
  const { rows } = await sql<{ version: string; bytes: number; connections: number; maxConnections: number }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::integer as connections,
      current_setting('max_connections')::integer as "maxConnections"`.execute(db);
  const [database] = rows;
  if (!database) throw new Error('The database returned no row.');
  // Roles without pg_monitor see the names only.
  const replicas = await sql<{ name: string; state: string | null; mode: string | null; lag: number | null }>`
    select application_name as name, state, sync_state as mode, extract(epoch from replay_lag)::float8 as lag
    from pg_stat_replication order by application_name`.execute(db);
  return { ...database, replicas: replicas.rows };
}

const countJobs = (db: Kysely<object>) =>
  Promise.all(
    serviceNames.map(async (service) => ({ service, ...(await createJobQueue(service).countJobs(db)) })),
  );

async function readBackups({ location, schedule }: BackupSettings) {
  const store = await openBackupStore(location);
  const sets = await store.list().finally(store.close);
  const newest = findNewestSet(sets, new Date());
  return {
    schedule: schedule ?? null,
    count: sets.filter(({ isComplete }) => isComplete).length,
    newest: newest ? new Date(toSetTime(newest.name)) : null,
  };
}

async function readDisk(directory: string) {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { directory, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns the validity of the certificate that visitors get, also of one that has expired. */
async function readCertificate(publicUrl: string) {
  const { hostname: urlHost, port } = new URL(publicUrl);
  const hostname = removeBrackets(urlHost);
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    ...(isIP(hostname) === 0 && { servername: hostname }),
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject);
      socket.once('timeout', () => reject(new Error('The TLS handshake took too long.')));
    });
    const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
    return { from: new Date(from), to: new Date(to) };
  } finally {
    socket.destroy();
  }
}

/** Returns a reader of the state of the installation as administrators need it. Call `close` at the end. */
export function createStatusReader({ settings, instance, connection, log }: StatusDeps) {
  const { backup, dataDir, publicUrl, roles, externalIdentity, secrets } = settings;
  const options = { schema: 'public', name: 'status', maxConnections: 1 };
  const db = connection && openDatabase<object>({ ...options, connection });
  const replica =
    connection?.replica &&
    openDatabase<object>({ ...options, connection: connection.replica, timeoutMs: TIMEOUT_MS });
  const identity =
    connection && !externalIdentity
      ? createIdentityAdmin({ connection, poolId: instance.userPoolId, secret: instance.identitySecret })
      : undefined;

  /** Reads a section; one that cannot be read does not affect the others. */
  async function readSection<T>(
    name: string,
    read: (() => Promise<T>) | undefined | false,
  ): Promise<Section<T>> {
    if (!read) return { state: 'unused' };
    const timeout = delay(TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`There was no response for ${TIMEOUT_MS} ms.`);
    });
    try {
      return { state: 'ok', value: await Promise.race([read(), timeout]) };
    } catch (err) {
      log.warn({ err, section: name }, 'status not readable');
      return { state: 'failed' };
    }
  }

  return {
    async read() {
      const [database, readReplica, jobs, backups, signingKeys, secretsFile, certificate, disk] =
        await Promise.all([
          readSection('database', db && (() => readDatabase(db))),
          readSection(
            'readReplica',
            db && replica && (async () => ({ lagBytes: await measureReplicaLag(db, replica) })),
          ),
          readSection('jobs', db && (() => countJobs(db))),
          readSection('backups', backup && (() => readBackups(backup))),
          readSection('signingKeys', identity?.listKeyAges),
          readSection('secretsFile', !secrets && (async () => (await stat(getSecretsPath(dataDir))).mtime)),
          readSection('certificate', publicUrl.startsWith('https:') && (() => readCertificate(publicUrl))),
          readSection('disk', () => readDisk(dataDir)),
        ]);
      const startedAt = new Date(Date.now() - process.uptime() * 1000);
      const versions = { escucho: getProductVersion(), node: process.versions.node };
      const sections = { database, readReplica, jobs, backups, signingKeys, secretsFile, certificate, disk };
      return { readAt: new Date(), process: { ...versions, startedAt, roles }, ...sections };
    },
    close: async () => {
      await Promise.all([db?.destroy(), replica?.destroy(), identity?.close()]);
    },
  };
}

export type Status = Awaited<ReturnType<ReturnType<typeof createStatusReader>['read']>>;
