import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifySubscriptions } from '@escucho/billing';
import { type Connection, openDatabase } from '@escucho/database';
import { createFolder } from '@escucho/database/testing';
import { seedAccount } from '@escucho/identity';
import { createJobQueue } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { build } from 'vite';
import { afterAll } from 'vitest';
import { startStripeSimulator } from '../../../../../services/billing/src/testing/stripe/simulator.ts';
import { startMailServer } from '../../../../../services/identity/src/testing/mail-server.ts';
import { startBucket } from '../../../../../services/portal/src/testing/fakes/s3.ts';
import { createMp3, writeLibrary } from '../../../../../services/portal/src/testing/library.ts';
import { createInstance } from '../../instance.ts';
import { serviceNames } from '../../storage.ts';
import { findFreePort, password } from '../product.ts';
import { createLoadUser } from './load-user.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const serverDirectory = fileURLToPath(new URL('../../../', import.meta.url));
const clock = fileURLToPath(new URL('shift-clock.mjs', import.meta.url));

/** Whether faults last longer and more users write; `npm run test:faults` sets it. */
export const isLong = process.env.FAULTS !== undefined;
const USER_COUNT = isLong ? 12 : 4;

/** The audiobook of the library takes as long to play as a rolling restart. */
const AUDIO_BYTES = 4_000_000;

/** Bundles the program of a process as production does, because the sources start much slower. Returns its path. */
async function buildProcess(): Promise<string> {
  const outDir = join(serverDirectory, 'dist', `faults-${process.pid}`);
  afterAll(() => rm(outDir, { recursive: true, force: true }));
  const configFile = join(serverDirectory, 'vite.config.ts');
  const ssr = join(serverDirectory, 'src/testing/faults/product-process.ts');
  await build({
    root: serverDirectory,
    configFile,
    logLevel: 'error',
    build: { ssr, outDir, emptyOutDir: true, sourcemap: false },
  });
  return join(outDir, 'product-process.js');
}

/** A database that the product uses. */
export interface ProductDatabase {
  /** What the processes of the product get as DATABASE_URL. */
  url: string;
  /** What they get as DATABASE_READ_URL. */
  readUrl?: string;
  /** The connection that the test uses. */
  getConnection: () => Connection;
}

/** Writes a small library with an audiobook. Returns the bytes of its audio. */
async function writeSmallLibrary(directory: string): Promise<Buffer> {
  await writeLibrary(directory);
  const audio = createMp3(1, AUDIO_BYTES);
  await writeFile(join(directory, 'library', 'long-walk', 'audio.mp3'), audio);
  return audio;
}

/**
 * Prepares a product whose media store, mail server and payment gateway are real servers behind proxies that a test can
 * break. Its processes run the same program as in production.
 *
 * @param startDatabase - starts the database, given a directory that it creates
 * @param options.contentDirectory - the articles; a small library if unset
 */
export async function prepareFaultyProduct<Database extends ProductDatabase>(
  startDatabase: (directory: string) => Promise<Database>,
  { contentDirectory }: { contentDirectory?: string } = {},
) {
  const directory = await createFolder();
  const script = await buildProcess();
  const smallLibrary = join(directory, 'content');
  const audio = await writeSmallLibrary(smallLibrary);
  const database = await startDatabase(join(directory, 'database'));
  const bucket = await startBucket();
  const mail = await startMailServer();
  const stripe = await startStripeSimulator({ clock: () => new Date() });
  const proxies = {
    store: await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(bucket.endpoint).port) }),
    mail: await startTcpProxy({ host: '127.0.0.1', port: mail.port }),
    gateway: await startTcpProxy({ host: '127.0.0.1', port: stripe.options.address.port }),
  };

  const instance = createInstance();
  const env = {
    DATABASE_URL: database.url,
    ...(database.readUrl && { DATABASE_READ_URL: database.readUrl }),
    MEDIA_STORE: 's3://escucho/media',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxies.store.port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    SMTP_URL: `smtp://127.0.0.1:${proxies.mail.port}`,
    MAIL_FROM: 'Escucho <no-reply@escucho.test>',
    SECRETS: JSON.stringify(instance),
    DATA_DIR: join(directory, 'data'),
    DEMO: 'false',
    IDENTITY_ALLOW: 'USER_PASSWORD_AUTH',
    LOG_LEVEL: 'silent',
    ROLES: 'portal,identity,billing,jobs',
  };
  const { address, ...keys } = stripe.options;
  const processOptions = {
    contentDirectory: contentDirectory ?? smallLibrary,
    stripe: { ...keys, address: { ...address, port: proxies.gateway.port } },
  };

  // Tests start processes too, where `afterAll` has no effect.
  const children = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** Starts a process and waits until it serves requests. */
  async function startProcess(port: number, changes: NodeJS.ProcessEnv = {}) {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const args = ['--import', clock, script, JSON.stringify(processOptions)];
    const child: ChildProcess = spawn(process.execPath, args, {
      env: {
        ...inherited,
        NODE_ENV: 'development',
        ...env,
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ...changes,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    children.add(child);
    const startedLine = child.stdout && once(child.stdout, 'data');
    await Promise.race([
      startedLine,
      exited.then(([code]) => Promise.reject(new Error(`The process exited with code ${code}.`))),
    ]);
    return {
      origin: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      /** Ends it by a signal and waits for its end. */
      end: async (signal: 'SIGTERM' | 'SIGKILL') => {
        child.kill(signal);
        await exited;
      },
      /** Moves its clock an hour ahead, and back when called again. */
      moveClock: () => void child.kill('SIGWINCH'),
    };
  }

  const port = await findFreePort();
  let running = await startProcess(port);

  const setupOf = (clientSecret: string) => stripe.completeSetup(clientSecret);

  /** Creates an account at the identity provider. */
  async function createAccount(): Promise<{ email: string; subject: string }> {
    const email = `user-${randomUUID()}@escucho.test`;
    const { userPoolId: poolId, identitySecret: secret } = instance;
    const subject = await seedAccount(
      { connection: database.getConnection(), poolId, secret },
      { email, password, firstName: 'Ana', lastName: 'Ruiz' },
    );
    return { email, subject };
  }

  /** Creates users with accounts of their own. */
  const createUsers = (getOrigin = () => running.origin, count = USER_COUNT) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { email } = await createAccount();
        return createLoadUser({ getOrigin, instance, email, completeSetup: setupOf });
      }),
    );

  /** Returns the amounts that the payment gateway has charged a customer. */
  const listCharges = (customer: string) =>
    stripe
      .list('payment_intent')
      .filter((payment) => payment.customer === customer && payment.status === 'succeeded')
      .map(({ amount }) => Number(amount));

  /** Waits for the background jobs, then returns what is wrong with the ledger, the jobs and the rows. */
  async function findInconsistencies(): Promise<string[]> {
    const connection = database.getConnection();
    const options = { schema: 'billing', name: 'faults', maxConnections: 1 };
    await using db = openDatabase<object>({ connection, ...options });
    const found: string[] = [];
    for (const service of serviceNames) {
      const queue = createJobQueue(service);
      await settleJobs(db, queue, { advanceMs: 3_600_000, timeoutMs: 60_000 });
      const { dead } = await queue.countJobs(db);
      if (dead > 0) found.push(`${dead} dead jobs of ${service}`);
    }
    const { differing } = await verifySubscriptions(connection);
    for (const { id, reason } of differing) found.push(`${id}: ${reason}`);
    const { rows } = await sql<{ id: string }>`
      select s.id from subscriber s where not exists (
        select from portal.users u where u.id::text = s.app_user_id)`.execute(db);
    return [...found, ...rows.map(({ id }) => `subscriber ${id} without a user`)];
  }

  return {
    directory,
    instance,
    audio,
    proxies,
    database,
    mail,
    startProcess,
    /** Kills the process that users send requests to, and starts it again until it runs, as systemd does. */
    killProcess: async () => {
      await running.end('SIGKILL');
      for (let started: typeof running | undefined; !started; ) {
        started = await startProcess(port).catch(() => undefined);
        running = started ?? running;
      }
    },
    /** Ends that process for good, which frees its connections to the database. */
    endProcess: () => running.end('SIGTERM'),
    /** Moves the clock of that process an hour ahead, and back when called again. */
    moveClock: () => running.moveClock(),
    createAccount,
    /** Returns the metrics of that process. */
    readMetrics: async () => (await fetch(`${running.origin}/metrics`)).text(),
    createUsers,
    listCharges,
    findInconsistencies,
  };
}

export type FaultyProduct = Awaited<ReturnType<typeof prepareFaultyProduct<ProductDatabase>>>;
