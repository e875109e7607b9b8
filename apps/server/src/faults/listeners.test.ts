import { setTimeout as delay } from 'node:timers/promises';
import { seedUser } from '@escucho/portal';
import { expect, it, onTestFinished } from 'vitest';
import { getWorkspaceDirectory } from '../storage.ts';
import { startHaproxy } from '../testing/faults/haproxy.ts';
import type { LoadUser } from '../testing/faults/load-user.ts';
import { startPatroniCluster } from '../testing/faults/patroni-cluster.ts';
import { prepareFaultyProduct } from '../testing/faults/product.ts';
import { startSampling } from '../testing/listeners/processes.ts';
import { findOutage, type ListenersReport, verifyPositions } from '../testing/listeners/report.ts';
import { startUsers } from '../testing/listeners/users.ts';
import { findFreePort, password } from '../testing/product.ts';

declare module 'vitest' {
  interface TaskMeta {
    listeners?: ListenersReport;
  }
}

const listeners = Number(process.env.LISTENERS ?? 1000);
const minutes = Number(process.env.LOAD_MINUTES ?? 20);
const MINUTE_MS = 60_000;
const BROWSE_PER_SECOND = 50;
const SIGN_INS_PER_SECOND = 20;
const PURCHASE_INTERVAL_MS = 10_000;
const ACCOUNTS_AT_ONCE = 8;
/** When in each minute a process is killed, and when in the run the primary. */
const PROCESS_KILL_AT = 0.5;
const PRIMARY_KILLS_AT = [0.3, 0.65];
/** How long a machine is lost, and how long its effects last at most. */
const MACHINE_LOST_MS = 30_000;
const MAX_OUTAGE_MS = 60_000;
const SETUP_MS = 20 * MINUTE_MS;

const product = await prepareFaultyProduct(startPatroniCluster, {
  contentDirectory: getWorkspaceDirectory('@escucho/content'),
});
const { database: cluster } = product;
await product.endProcess();

type Process = Awaited<ReturnType<typeof product.startProcess>>;

/** Creates the listeners' accounts, with subscriptions that are not of the sandbox. Returns their email addresses. */
async function createAccounts(): Promise<string[]> {
  const connection = cluster.getConnection();
  const emails: string[] = [];
  const createNext = async () => {
    const { email, subject } = await product.createAccount();
    await seedUser({ connection, subject, email, firstName: '', lastName: '', subscribed: true });
    emails.push(email);
  };
  for (let number = 0; number < listeners; number += ACCOUNTS_AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(ACCOUNTS_AT_ONCE, listeners - number) }, createNext));
  await cluster.query('update portal.subscription_grant set is_sandbox = false');
  return emails;
}

/** Starts two processes behind HAProxy: A is never killed, B can be. */
async function startProcesses() {
  const [port, portA, portB] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const origin = `http://127.0.0.1:${port}`;
  const env = { PUBLIC_URL: origin, TRUST_PROXY: 'loopback' };
  const a = await product.startProcess(portA, env);
  let b: Process | undefined = await product.startProcess(portB, env);
  onTestFinished(async () => {
    await Promise.all([a.end('SIGTERM'), b?.end('SIGTERM')]);
  });
  const haproxy = await startHaproxy({
    port,
    origins: [a.origin, b.origin],
    directory: product.directory,
    maxConnections: 4 * listeners,
  });
  onTestFinished(haproxy.stop);
  return {
    origin,
    a,
    getPidOfB: () => b?.pid,
    /** Kills B, and starts it again until it runs, as systemd does. Returns for how many milliseconds it was away. */
    async killB(): Promise<number> {
      const killedAt = Date.now();
      await b?.end('SIGKILL');
      for (b = undefined; !b; ) b = await product.startProcess(portB, env).catch(() => undefined);
      return Date.now() - killedAt;
    },
  };
}

/** Runs `work` at moments of the run, as shares of it, one after another. */
async function runAt(
  moments: readonly number[],
  startedAt: number,
  work: () => Promise<void>,
): Promise<void> {
  for (const moment of moments) {
    await delay(Math.max(startedAt + moment * minutes * MINUTE_MS - Date.now(), 0));
    await work();
  }
}

/** Creates a user for each purchase. */
async function createBuyers(origin: string): Promise<LoadUser[]> {
  const buyers: LoadUser[] = [];
  const count = (minutes * MINUTE_MS) / PURCHASE_INTERVAL_MS;
  while (buyers.length < count) {
    const added = Math.min(ACCOUNTS_AT_ONCE, count - buyers.length);
    buyers.push(...(await product.createUsers(() => origin, added)));
  }
  return buyers;
}

type Processes = Awaited<ReturnType<typeof startProcesses>>;
type Users = Awaited<ReturnType<typeof startUsers>>;

/** Loses the machine of the primary, and brings it back. Returns when it was lost. */
async function losePrimary(users: Users): Promise<number> {
  const lost = await cluster.findPrimary();
  users.setFailover(true);
  const at = Date.now();
  await cluster.killMachine(lost);
  await delay(MACHINE_LOST_MS);
  await cluster.startMachine(lost);
  await cluster.waitUntilComplete();
  users.setFailover(false);
  return at;
}

/** Returns how many bytes of changes the database has written since it was created. */
const readWalBytes = async () => Number(await cluster.query("select pg_current_wal_lsn() - '0/0'"));

/** Causes the faults of the run while the buyers buy. */
async function causeFaults(processes: Processes, users: Users, buyers: readonly LoadUser[]) {
  const startedAt = Date.now();
  const processKills: { at: number; awayMs: number }[] = [];
  const primaryKills: number[] = [];
  const killsAt = Array.from({ length: minutes }, (_, minute) => (minute + PROCESS_KILL_AT) / minutes);
  await Promise.all([
    runAt(killsAt, startedAt, async () => {
      const at = Date.now();
      processKills.push({ at, awayMs: await processes.killB() });
    }),
    runAt(PRIMARY_KILLS_AT, startedAt, async () => {
      primaryKills.push(await losePrimary(users));
    }),
    runAt([1], startedAt, async () => {}),
    ...buyers.map(async (buyer, index) => {
      await delay(index * PURCHASE_INTERVAL_MS);
      await buyer.buy();
    }),
  ]);
  return { processKills, primaryKills, seconds: (Date.now() - startedAt) / 1000 };
}

it(
  'listeners lose nothing while a process is killed each minute and the primary twice',
  async ({ task }) => {
    const emails = await createAccounts();
    const processes = await startProcesses();
    const { origin, a } = processes;
    const buyers = await createBuyers(origin);
    const users = await startUsers({
      origin,
      clientId: product.instance.clientId,
      password,
      emails,
      browsePerSecond: BROWSE_PER_SECOND,
      signInsPerSecond: SIGN_INS_PER_SECOND,
    });
    const named = () => ({
      'process A': a.pid,
      'process B': processes.getPidOfB(),
      users: users.pid,
      'S3 server, simulators': process.pid,
    });
    const stopSampling = startSampling({ origin: a.origin, pid: a.pid, directory: product.directory, named });
    users.startMeasuring();
    const walBefore = await readWalBytes();
    const { processKills, primaryKills, seconds } = await causeFaults(processes, users, buyers);
    const { samples, cpuMs } = await stopSampling();
    const walBytes = (await readWalBytes()) - walBefore;
    const { report, devices, eventLoopP99Ms } = await users.stop();

    const positions = await verifyPositions(cluster.getConnection(), devices);
    const lostByBuyers = (await Promise.all(buyers.map((buyer) => buyer.findLost()))).flat();
    const inconsistencies = await product.findInconsistencies();
    const outageAfter = (at: number) => findOutage(report, at, MAX_OUTAGE_MS);
    const tableBytes = Number(await cluster.query("select pg_total_relation_size('portal.listening_event')"));
    const result: ListenersReport = {
      listeners,
      seconds,
      report,
      positions: { ...positions, lost: positions.lost.length },
      purchases: buyers.length,
      walBytes,
      bytesPerPosition: tableBytes / (positions.acknowledged + positions.unacknowledged),
      processKills: processKills.map(({ at, awayMs }) => ({ awayMs, ...outageAfter(at) })),
      primaryKills: primaryKills.map(outageAfter),
      samples,
      cpuMs,
      eventLoopP99Ms,
    };
    task.meta.listeners = result;

    expect(positions.lost, 'acknowledged positions that are lost').toEqual([]);
    expect(lostByBuyers, 'purchases that are lost').toEqual([]);
    expect(devices.flatMap(({ rejected }) => rejected)).toEqual([]);
    expect(buyers.flatMap(({ problems }) => problems)).toEqual([]);
    expect(buyers.map((buyer) => product.listCharges(buyer.getCustomer()))).toEqual(buyers.map(() => [300]));
    expect(inconsistencies).toEqual([]);
    for (const { gapMs } of result.primaryKills) expect(gapMs).toBeLessThan(30_000);
  },
  SETUP_MS + minutes * MINUTE_MS,
);
