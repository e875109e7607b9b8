import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '../embedded/start-embedded.ts';
import { addCleanup, createFolder, silentLog } from './cleanup.ts';

const replicationSettings = `
wal_level = replica
max_wal_senders = 4
wal_keep_size = 256MB
`;

/** Starts a server and a standby that follows it by streaming replication; both end after the file's tests. */
export async function startWithStandby() {
  const root = await createFolder();
  const [primaryDir, standbyDir] = [join(root, 'primary'), join(root, 'standby')];
  const writeSettings = async (dataDir: string, settings: string) => {
    const file = join(dataDir, 'custom.conf');
    await writeFile(file, replicationSettings + settings);
    await chmod(file, 0o644);
  };
  const start = (dataDir: string) => startEmbedded({ dataDir, log: silentLog, durable: false });

  await mkdir(primaryDir, { mode: 0o711 });
  await writeSettings(primaryDir, '');
  const empty = await start(primaryDir);
  await empty.stop();
  // Node's copy does not keep the owner of files.
  execFileSync('cp', ['-a', primaryDir, standbyDir]);
  const primary = await start(primaryDir);
  const { host, port, user } = primary.connection;
  await writeSettings(standbyDir, `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`);
  await writeFile(join(standbyDir, 'cluster', 'standby.signal'), '');
  let standby = await start(standbyDir);
  addCleanup(async () => {
    await standby.stop();
    await primary.stop();
  });
  return {
    primary: primary.connection,
    standby: standby.connection,
    stopStandby: () => standby.stop(),
    startStandby: async () => {
      standby = await start(standbyDir);
    },
  };
}
