import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { api, buildPath } from '@escucho/contracts';
import { afterAll, expect, it, vi } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { connection, db, createUser, issuer, tokenSecret } = await startPortal();

const asked: string[] = [];
/** What is done as soon as something is asked, before it is answered. */
let meanwhile: { what: string; act: () => void } | undefined;

/** The billing and the identity provider. */
const others = createServer((request, response) => {
  const what = request.headers['x-amz-target']?.toString().split('.')[1] ?? request.method ?? '';
  request.resume().once('end', () => {
    asked.push(what);
    if (what === meanwhile?.what) return meanwhile.act();
    const subscriber = { entitlements: {}, subscriptions: {}, non_subscriptions: {} };
    const answer = { Username: 'ana', UserAttributes: [], app_user_id: '', deleted: true, subscriber };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
}).listen(0, '127.0.0.1');
await once(others, 'listening');
const running = new Set<ReturnType<typeof spawn>>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  others.closeAllConnections();
  others.close();
});

const elsewhere = Object(others.address()).port;
const endpoint = `http://127.0.0.1:${elsewhere}`;

/** A portal over the same database that can be killed. */
async function startProcess() {
  const { keys: _, ...tokens } = issuer.tokens;
  const options = {
    ...{ connection, tokens, keys: issuer.published },
    media: { secret: 'a media secret of the tests, long enough', baseUrl: '/media' },
    provider: { endpoint, userPoolId: 'local_Test', listsSessions: true, adminKey: 'a key' },
    operators: { tokenSecret, gateways: {} },
    billing: { endpoint, secretKey: 'sk_test' },
  };
  const script = fileURLToPath(new URL('../testing/portal-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)]);
  running.add(child);
  child.once('exit', () => running.delete(child));
  const [line] = await once(child.stdout, 'data');
  return { child, address: `${String(line).trim()}/api` };
}

it.each([
  ['by the billing provider', 'DELETE', ['GetUser', 'DELETE', 'DELETE', 'AdminDeleteUser']],
  [
    'by the identity provider',
    'AdminDeleteUser',
    ['GetUser', 'DELETE', 'AdminDeleteUser', 'DELETE', 'AdminDeleteUser'],
  ],
])(
  '[SHELL-03] killed before it is answered %s, the next process goes on with it',
  async (_name, what, expected) => {
    const { id, subject } = await createUser();
    // The process has the time of the world, not the test's.
    const token = await issuer.access(subject, { lives: 10 * 365 * 86_400 });
    const first = await startProcess();
    const killed = once(first.child, 'exit');
    meanwhile = { what, act: () => first.child.kill('SIGKILL') };
    asked.length = 0;
    const target = first.address + buildPath(api.account.deleteAccount, {});
    const headers = { authorization: `Bearer ${token}` };
    await expect(fetch(target, { method: 'DELETE', headers })).rejects.toThrow();
    await killed;
    meanwhile = undefined;
    expect(await db.selectFrom('users').select('id').where('id', '=', id).execute()).toEqual([]);
    const second = await startProcess();
    await vi.waitFor(
      async () => expect(await db.selectFrom('account_deletion').select('user_id').execute()).toEqual([]),
      { timeout: 60_000 },
    );
    expect(asked.filter((one) => one !== 'GET')).toEqual(expected);
    second.child.kill('SIGTERM');
  },
  180_000,
);
