import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { openDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { createJobQueue } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { openMediaStore } from '@escucho/portal';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { createInstance } from './instance.ts';
import { startProduct } from './product.ts';
import { readSettings } from './settings.ts';

const directory = await createFolder();
const webDirectory = join(directory, 'web');
const spanishDirectory = join(webDirectory, 'pages', 'es');
await mkdir(spanishDirectory, { recursive: true });
for (const directory of [webDirectory, spanishDirectory])
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Escucho</title>');
const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'roles test', maxConnections: 1 });
const mediaStore = await openMediaStore({ directory: join(directory, 'media') });
const instance = createInstance();
const apps: FastifyInstance[] = [];

/** The addresses of the processes by path prefix, as a reverse proxy has them. */
const targets = new Map<string, string>();
const proxy = createServer((incoming, outgoing) => {
  const url = incoming.url ?? '/';
  const [, origin] = [...targets].find(([prefix]) => url.startsWith(prefix)) ?? [];
  const { method = 'GET', headers } = incoming;
  const sent = forward(`${origin}${url}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  incoming.pipe(sent);
});

function getOrigin(server: Server): string {
  const address = server.address();
  return `http://localhost:${typeof address === 'object' ? address?.port : 0}`;
}

/** Starts a process with roles, which has its secrets from the environment. */
async function startProcess(roles: string) {
  const settings = readSettings({
    ROLES: roles,
    SECRETS: JSON.stringify(instance),
    PUBLIC_URL: getOrigin(proxy),
    DATABASE_URL: 'postgres://escucho@localhost/escucho',
    DATA_DIR: join(directory, 'data'),
    LOG_LEVEL: 'silent',
    IDENTITY_ALLOW: 'USER_PASSWORD_AUTH',
  });
  const isWeb = roles === 'web';
  const app = await buildApp({
    settings,
    instance: settings.secrets ?? instance,
    connection: isWeb ? undefined : connection,
    mediaStore: isWeb ? undefined : mediaStore,
    webDirectory,
    probes: {},
  });
  apps.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, origin: getOrigin(app.server) };
}

beforeAll(async () => {
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  proxy.close();
  proxy.closeAllConnections();
  await db.destroy();
});

/** Sends a request to the public address. */
const send = (path: string, body: object | undefined, headers: Record<string, string>, method = 'POST') =>
  fetch(getOrigin(proxy) + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });

async function requestOperation(name: string, body: object) {
  const response = await send(
    '/identity',
    { ClientId: instance.clientId, ...body },
    {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
    },
  );
  return { status: response.status, body: await readBody(response) };
}

const readBody = async (response: Response) => JSON.parse(await response.text());

const email = 'roles@escucho.test';
const password = 'Escucho2026';
const signIn = () =>
  requestOperation('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: email, PASSWORD: password },
  });

/** Returns the background workers that are connected to the database. */
async function findWorkers(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like '% workers' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

describe('processes with different roles', () => {
  it('serve the product together; jobs wait for a process with their role', async () => {
    const providers = await startProcess('identity,billing');
    const portal = await startProcess('portal');
    for (const prefix of ['/identity', '/outbox', '/billing']) targets.set(prefix, providers.origin);
    targets.set('/api', portal.origin);

    const attributes = [{ Name: 'given_name', Value: 'Nora' }];
    await requestOperation('SignUp', { Username: email, Password: password, UserAttributes: attributes });
    const [mail] = await readBody(await send(`/outbox/messages?to=${email}`, undefined, {}, 'GET'));
    await requestOperation('ConfirmSignUp', { Username: email, ConfirmationCode: mail.code });
    const { AuthenticationResult: tokens } = (await signIn()).body;

    // The portal verifies the tokens of the other process, and asks it for the account.
    const headers = { authorization: `Bearer ${tokens.AccessToken}`, 'content-type': 'application/json' };
    const signedIn = await send(`/api${api.auth.signInCognito.path}`, { idToken: tokens.IdToken }, headers);
    expect(signedIn.status).toBe(200);
    const exported = await send(`/api${api.account.exportAccount.path}`, undefined, headers, 'GET');
    expect(await readBody(exported)).toMatchObject({ signIn: { attributes: { email, given_name: 'Nora' } } });

    const { method, path } = api.account.deleteAccount;
    expect((await send(`/api${path}`, {}, headers, method)).status).toBe(200);
    expect(await findWorkers()).toEqual([]);
    expect((await createJobQueue('portal').countJobs(db)).waiting).toBe(1);
    expect((await signIn()).status).toBe(200);

    const jobs = await startProcess('jobs');
    expect(await findWorkers()).toEqual(['job workers']);
    await settleJobs(db, createJobQueue('portal'));
    expect((await signIn()).body.__type).toBe('NotAuthorizedException');
    const metrics = (await jobs.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body;
    expect(metrics).toMatch(
      /job_attempts_total\{service="portal",job="delete_provider_accounts",outcome="success"\} 1/,
    );
  });

  const jwks = `/identity/${instance.userPoolId}/.well-known/jwks.json`;
  it.each([
    ['web', ['/', '/config.json']],
    ['portal', ['/api/openapi.json']],
    ['identity', [jwks]],
    ['jobs', []],
  ])('a process with the role %s serves its paths only', async (role, served) => {
    const { app } = await startProcess(role);
    for (const path of ['/', '/config.json', '/api/openapi.json', jwks]) {
      const response = await app.inject(path);
      expect([path, response.statusCode]).toEqual([path, served.includes(path) ? 200 : 404]);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    }
    expect((await app.inject('/health/ready')).statusCode).toBe(200);
  });

  it.each(['portal', 'identity', 'billing', 'jobs'])(
    'a process with the role %s refuses the secrets of another installation',
    async (role) => {
      await startProcess('identity');
      const dataDir = await createFolder();
      const settings = readSettings({
        ROLES: role,
        PUBLIC_URL: getOrigin(proxy),
        DATABASE_URL: toDatabaseUrl(connection),
        DATA_DIR: dataDir,
        MEDIA_STORE: `file:${directory}/media`,
        LOG_LEVEL: 'silent',
      });
      await expect(startProduct(settings)).rejects.toThrow('another identity secret');
      expect(await readdir(dataDir)).toEqual([]);
    },
  );
});
