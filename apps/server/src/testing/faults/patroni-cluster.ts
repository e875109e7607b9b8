import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from 'vitest';

const programs = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  haproxy: '/usr/sbin/haproxy',
  pgbackrest: '/usr/bin/pgbackrest',
  openssl: '/usr/bin/openssl',
  setpriv: '/usr/bin/setpriv',
};
const postgresBinaries = '/usr/lib/postgresql/15/bin';

/** @throws where the test cannot run here, naming what is missing */
function checkPrograms(): void {
  if (process.getuid?.() !== 0)
    throw new Error('The test must run as root, to start PostgreSQL as another user.');
  const missing = [...Object.values(programs), postgresBinaries].filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`Install the programs of Debian 12 that are missing: ${missing}`);
}

const configurations = new URL('../../../../../deploy/high-availability/', import.meta.url);
const machines = [1, 2, 3] as const;
type Machine = (typeof machines)[number];

const START_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 100;

/** The role of the product. */
const role = { user: 'escucho', password: 'escucho-password', database: 'escucho' };

async function waitUntil(what: string, test: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (!(await test())) {
    if (performance.now() > giveUpAt) throw new Error(`It takes too long until ${what}.`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** Starts a program that ends with the test's process: Vitest calls no `afterAll` where the preparation of a file throws. */
const spawnForTest = (program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess =>
  spawn(programs.setpriv, ['--pdeathsig', 'SIGTERM', program, ...args], { ...options, stdio: 'ignore' });

const findAccount = () => {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  return { uid, gid };
};

/**
 * Starts PostgreSQL as `deploy/high-availability` configures it, on loopback addresses instead of three machines: etcd and
 * Patroni three times, HAProxy and an archive of pgBackRest.
 *
 * @param root - a directory for all files, which is created
 * @throws where a program is not installed, or the process does not run as root
 */
export async function startPatroniCluster(root: string) {
  checkPrograms();
  const account = findAccount();
  const certificates = join(root, 'tls');
  const certificate = join(certificates, 'database.crt');
  const directoryOf = (machine: Machine) => join(root, `db-${machine}`);
  const dataOf = (machine: Machine) => join(directoryOf(machine), 'postgresql', 'escucho');
  const addressOf = (machine: Machine) => `127.0.0.2${machine}`;

  async function createDirectory(path: string): Promise<string> {
    await mkdir(path, { recursive: true });
    await chown(path, account.uid ?? 0, account.gid ?? 0);
    await chmod(path, 0o700);
    return path;
  }

  /** Reads a file of `deploy` with the addresses and paths of a machine of the test. */
  async function readConfiguration(name: string, machine: Machine): Promise<string> {
    const directory = directoryOf(machine);
    const text = await readFile(new URL(name, configurations), 'utf8');
    return Object.entries({
      ...(name === 'machine.env' && { 'db-1': `db-${machine}`, '10.0.0.21': addressOf(machine) }),
      '10.0.0.': '127.0.0.',
      '/var/lib/etcd': join(directory, 'etcd'),
      '/var/lib/postgresql/15': join(directory, 'postgresql'),
      '/var/run/postgresql': join(directory, 'run'),
      '/var/run/pgbackrest': join(directory, 'run'),
      '/var/log/pgbackrest': join(directory, 'log'),
      '/var/lib/pgbackrest': join(root, 'repository'),
      '/etc/ssl/escucho': certificates,
    }).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  }

  async function readEnvironment(machine: Machine): Promise<NodeJS.ProcessEnv> {
    const texts = [
      await readConfiguration('machine.env', machine),
      await readConfiguration('cluster.env', machine),
    ];
    const entries = texts.join('\n').matchAll(/^([A-Z_]+)=(.*)$/gm);
    return {
      PATH: process.env.PATH,
      PGBACKREST_CONFIG: join(directoryOf(machine), 'pgbackrest.conf'),
      ...Object.fromEntries([...entries].map(([, name = '', value = '']) => [name, value])),
    };
  }

  async function writeConfigurations(machine: Machine): Promise<void> {
    const directory = await createDirectory(directoryOf(machine));
    for (const name of ['etcd', 'postgresql', 'run', 'log']) await createDirectory(join(directory, name));
    for (const name of ['patroni.yml', 'pgbackrest.conf'])
      await writeFile(join(directory, name), await readConfiguration(name, machine));
  }

  /** Starts a program as `postgres`. */
  const startProgram = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
    spawnForTest(program, args, { env, ...account, cwd: root });

  const processes = new Map<string, ChildProcess>();
  const startEtcd = async (machine: Machine) =>
    processes.set(`etcd ${machine}`, startProgram(programs.etcd, [], await readEnvironment(machine)));
  async function startPatroni(machine: Machine): Promise<void> {
    const configuration = join(directoryOf(machine), 'patroni.yml');
    const child = startProgram(programs.patroni, [configuration], await readEnvironment(machine));
    processes.set(`patroni ${machine}`, child);
  }

  async function endProcess(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = processes.get(name);
    processes.delete(name);
    if (child?.kill(signal)) await once(child, 'exit');
  }

  /** Stops Patroni, which stops PostgreSQL. */
  const stopPatroni = (machine: Machine) => endProcess(`patroni ${machine}`, 'SIGTERM');

  async function startMachine(machine: Machine): Promise<void> {
    await startEtcd(machine);
    await startPatroni(machine);
  }

  /** Ends every process of a machine at once, as the loss of power does. */
  async function killMachine(machine: Machine): Promise<void> {
    const postmasterFile = await readFile(join(dataOf(machine), 'postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(postmasterFile.split('\n')[0]);
    const ends = ['patroni', 'etcd'].map((name) => endProcess(`${name} ${machine}`, 'SIGKILL'));
    if (existsSync(`/proc/${postmaster}`) && postmaster > 0) process.kill(postmaster, 'SIGKILL');
    await Promise.all(ends);
  }

  /** Whether Patroni of a machine responds with 200 for a role: `primary`, `replica` or `synchronous`. */
  async function hasRole(machine: Machine, name: string): Promise<boolean> {
    const response = await fetch(`http://${addressOf(machine)}:8008/${name}`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.ok === true;
  }

  /** Returns the machine of the primary; waits until there is one. */
  async function findPrimary(): Promise<Machine> {
    let primary: Machine | undefined;
    await waitUntil('there is a primary', async () => {
      const roles = await Promise.all(machines.map((machine) => hasRole(machine, 'primary')));
      primary = machines.find((_, index) => roles[index]);
      return primary !== undefined;
    });
    return primary ?? 1;
  }

  /** Waits until a machine is the primary, the others follow it, and one of them synchronously. */
  async function waitUntilComplete(): Promise<void> {
    await waitUntil('the cluster is complete', async () => {
      const all = (name: string) => Promise.all(machines.map((machine) => hasRole(machine, name)));
      const [primaries, replicas, synchronous] = await Promise.all(
        ['primary', 'replica', 'synchronous'].map(all),
      );
      const count = (roles: readonly boolean[] = []) => roles.filter(Boolean).length;
      return count(primaries) === 1 && count(replicas) === 2 && count(synchronous) === 1;
    });
  }

  /** Runs a program of PostgreSQL or pgBackRest on a machine. Returns its output. */
  async function run(
    machine: Machine,
    program: string,
    args: readonly string[],
    input = '',
  ): Promise<string> {
    const env = { ...(await readEnvironment(machine)), PGHOST: join(directoryOf(machine), 'run') };
    return execFileSync(program, args, { env, ...account, cwd: root, encoding: 'utf8', input });
  }

  /** Executes a statement as administrator. Returns its output. */
  async function runSql(machine: Machine, statement: string, database: string): Promise<string> {
    const psql = join(postgresBinaries, 'psql');
    return (await run(machine, psql, ['-Atqc', statement, database, 'postgres'])).trim();
  }

  /** Executes a statement on the primary, as administrator. Returns its output. */
  const query = async (statement: string, database = role.database) =>
    runSql(await findPrimary(), statement, database);

  const runPgBackRest = (machine: Machine, args: readonly string[]) =>
    run(machine, programs.pgbackrest, ['--stanza=escucho', ...args]);

  /** Restores the data of a moment onto one machine, from which the others are copied again. */
  async function restore(moment: string): Promise<void> {
    const [first, ...others] = machines;
    for (const machine of machines) await stopPatroni(machine);
    await runPgBackRest(first, [
      '--delta',
      '--type=time',
      `--target=${moment}`,
      '--target-action=promote',
      'restore',
    ]);
    const control = (args: readonly string[]) =>
      run(first, join(postgresBinaries, 'pg_ctl'), ['-D', dataOf(first), ...args]);
    // The backup can contain the address of another machine.
    const settings = `-c archive_mode=off -c listen_addresses= -c unix_socket_directories=${join(directoryOf(first), 'run')}`;
    await control(['-l', join(directoryOf(first), 'log', 'restore.log'), '-o', settings, 'start']);
    const isInRecovery = () => runSql(first, 'select pg_is_in_recovery()', 'postgres');
    await waitUntil('the restored server is no standby', async () => (await isInRecovery()) === 'f');
    await control(['-m', 'fast', 'stop']);
    const answers = ['escucho', 'Yes I am aware'].join('\n');
    const configuration = join(directoryOf(first), 'patroni.yml');
    await run(first, programs.patronictl, ['-c', configuration, 'remove', 'escucho'], `${answers}\n`);
    for (const machine of others) await rm(dataOf(machine), { recursive: true });
    await startPatroni(first);
    // A machine without data that is started before creates an empty cluster.
    await waitUntil('the restored server is the primary', () => hasRole(first, 'primary'));
    for (const machine of others) await startPatroni(machine);
    await waitUntilComplete();
  }

  await createDirectory(root);
  await createDirectory(certificates);
  await createDirectory(join(root, 'repository'));
  const names = ['127.0.0.1', ...machines.map(addressOf)].map((address) => `IP:${address}`);
  const key = join(certificates, 'database.key');
  execFileSync(
    programs.openssl,
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=escucho'].concat([
      '-addext',
      `subjectAltName=${names}`,
      '-keyout',
      key,
      '-out',
      certificate,
    ]),
    { stdio: 'ignore' },
  );
  await chown(key, account.uid ?? 0, account.gid ?? 0);
  await chmod(certificates, 0o755);
  await chmod(root, 0o711);
  for (const machine of machines) await writeConfigurations(machine);
  const haproxy = join(root, 'haproxy.cfg');
  await writeFile(haproxy, await readConfiguration('haproxy.cfg', 1));

  afterAll(() => Promise.all(machines.map(killMachine)));
  for (const machine of machines) await startMachine(machine);
  const balancer = spawnForTest(programs.haproxy, ['-db', '-q', '-f', haproxy]);
  afterAll(() => void balancer.kill());
  await waitUntilComplete();
  await query(`create role ${role.user} login createdb password '${role.password}'`, 'postgres');
  await query(`create database ${role.database} owner ${role.user}`, 'postgres');
  await runPgBackRest(await findPrimary(), ['stanza-create']);

  const toUrl = (port: number) =>
    `postgres://${role.user}:${role.password}@127.0.0.1:${port}/${role.database}?sslmode=verify-full&sslrootcert=${certificate}`;
  return {
    getConnection: () => ({ host: '127.0.0.1', port: 5000, ...role, tls: { verify: true, ca: certificate } }),
    url: toUrl(5000),
    readUrl: toUrl(5001),
    startMachine,
    killMachine,
    findPrimary,
    waitUntilComplete,
    query,
    switchPrimary: async () => {
      const machine = await findPrimary();
      const configuration = join(directoryOf(machine), 'patroni.yml');
      await run(machine, programs.patronictl, ['-c', configuration, 'switchover', '--force', 'escucho']);
      await waitUntil('another machine is the primary', async () => (await findPrimary()) !== machine);
    },
    /** Takes a full backup. */
    backUp: async () => runPgBackRest(await findPrimary(), ['--type=full', 'backup']),
    restore,
  };
}
