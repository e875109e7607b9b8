import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { api, buildPath } from '@escucho/contracts';
import { createTestDatabase, listenOnLoopback } from '@escucho/database/testing';
import { afterAll, expect, it, vi } from 'vitest';
import { openPortalDatabase } from '../database.ts';
import { seedUser } from '../seed.ts';
import { createTestClock } from '../testing/fakes/clock.ts';
import { createTestIssuer } from '../testing/fakes/issuer.ts';
import { jobQueue } from './repository.ts';

const connection = await createTestDatabase();
const db = openPortalDatabase(connection, { name: 'portal tests', maxConnections: 1 });
const issuer = await createTestIssuer(createTestClock());

const requests: string[] = [];
/** The operation whose process is killed before the response. */
let killAt: string | undefined;

/** Simulates the billing and the identity provider; a process is identified by its credentials. */
const providers = createServer((request, response) => {
  const operation = request.headers['x-amz-target']?.toString().split('.')[1] ?? request.method ?? '';
  request.resume().once('end', () => {
    requests.push(operation);
    if (operation === killAt) {
      killAt = undefined;
      return processes.get(request.headers.authorization ?? '')?.kill('SIGKILL');
    }
    const subscriber = { entitlements: {}, subscriptions: {}, non_subscriptions: {} };
    const body = { Username: 'ana', UserAttributes: [], app_user_id: '', deleted: true, subscriber };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
});
const endpoint = `http://127.0.0.1:${await listenOnLoopback(providers)}`;

/** Running processes by the bearer token they use. */
const processes = new Map<string, ChildProcess>();
afterAll(async () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  await db.destroy();
});

/** Starts a portal over the same database in a process of its own and returns its base URL. */
async function startProcess(): Promise<string> {
  const { keys: _, ...tokens } = issuer.tokens;
  const key = `key ${randomUUID()}`;
  const options = {
    connection,
    tokens,
    keys: issuer.published,
    media: { secret: 'a media secret of the tests, long enough', baseUrl: '/media' },
    provider: { endpoint, userPoolId: 'local_Test', listsSessions: true, adminKey: key },
    operators: { tokenSecret: 'a key of the tests for tokens of operators’ users', gateways: {} },
    billing: { endpoint, secretKey: key },
  };
  const script = fileURLToPath(new URL('../testing/portal-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)]);
  processes.set(`Bearer ${key}`, child);
  child.once('exit', () => processes.delete(`Bearer ${key}`));
  const [line] = await once(child.stdout, 'data');
  return `${String(line).trim()}/api`;
}

// One is killed in each case.
const baseUrls = await Promise.all([startProcess(), startProcess(), startProcess()]);

it.each([
  ['the billing provider', 'DELETE', ['GetUser', 'DELETE', 'DELETE', 'AdminDeleteUser']],
  [
    'the identity provider',
    'AdminDeleteUser',
    ['GetUser', 'DELETE', 'AdminDeleteUser', 'DELETE', 'AdminDeleteUser'],
  ],
])(
  '[SHELL-03] another process finishes a deletion when one is killed waiting for %s',
  async (_name, operation, expected) => {
    const subject = randomUUID();
    const profile = { email: null, firstName: 'Ana', lastName: 'Ruiz' };
    const id = await seedUser({ connection, subject, ...profile, subscribed: false });
    // The processes have the system's clock, not the test's.
    const claims = { auth_time: Math.floor(Date.now() / 1000) };
    const token = await issuer.access(subject, { lifetime: 10 * 365 * 86_400, claims });
    const [baseUrl] = await Promise.any(
      baseUrls.map(async (url) => [url, await fetch(url + buildPath(api.auth.me, {}))] as const),
    );
    killAt = operation;
    requests.length = 0;
    const url = baseUrl + buildPath(api.account.deleteAccount, {});
    // The process may be killed before or after it responds: the deletion is a background job.
    await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }).catch(() => {});
    await vi.waitFor(() => expect(killAt).toBeUndefined(), { timeout: 60_000 });
    expect(await db.selectFrom('users').select('id').where('id', '=', id).execute()).toEqual([]);
    await vi.waitFor(
      async () => expect(await jobQueue.countJobs(db)).toEqual({ waiting: 0, running: 0, dead: 0 }),
      { timeout: 60_000 },
    );
    expect(requests.filter((request) => request !== 'GET')).toEqual(expected);
  },
  120_000,
);
