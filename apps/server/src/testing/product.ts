import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { connectionFromUrl } from '@escucho/database';
import { addCleanup, createFolder, createTestDatabase } from '@escucho/database/testing';
import { openMediaStore } from '@escucho/portal';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { buildApp } from '../app.ts';
import { loadInstance } from '../instance.ts';
import { readSettings } from '../settings.ts';

/** The password of users that tests create. */
export const password = 'Escucho2026';

/** Files of a web app, by their paths. */
const webFiles = {
  'index.html': '<!doctype html><html lang="en"><title>Escucho</title>',
  'pages/es/index.html': '<!doctype html><html lang="es"><title>Escucho</title>',
  'pages.json': JSON.stringify({
    pages: [
      { path: '/auth/sign-in', isIndexed: true },
      { path: '/auth/reset-password', isIndexed: false },
      { path: '/not-found', isIndexed: false },
    ],
    routes: ['^/$', '^/(discover|library|articles/[^/]+/[^/]+)/?$'],
  }),
  'pages/en/not-found.html': '<html lang="en"><h1>Nothing here</h1>',
  'pages/es/not-found.html': '<html lang="es"><h1>Nada</h1>',
  'pages/en/auth/sign-in.html': '<html lang="en"><link rel="canonical" href="https://origin.invalid/a">',
  'pages/en/auth/reset-password.html': '',
  'pages/es/auth/reset-password.html': '',
  'pages/es/auth/sign-in.html': '<html lang="es"><link rel="canonical" href="https://origin.invalid/a">',
  'csp.json': JSON.stringify({ scripts: ["'sha256-boot'"], styles: [] }),
  'assets/main-abc.js': 'export {};',
  'sw.js': 'keep("/index.html", "abc-POLICY")',
  'favicon.ico': '',
};

/** Returns a port that is free at the moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/**
 * Prepares what the product runs on: a directory with the web app, secrets and media, which is deleted after the tests,
 * and a database. `build` builds the product on them with additional environment variables; it is closed at the end of the
 * test, the `describe` or the file that builds it.
 */
export async function prepareProduct() {
  const directory = await createFolder();
  const dataDir = join(directory, 'data');
  const webDirectory = join(directory, 'web');
  for (const [path, text] of Object.entries(webFiles)) {
    await mkdir(dirname(join(webDirectory, path)), { recursive: true });
    await writeFile(join(webDirectory, path), text);
  }
  const primary = await createTestDatabase();
  const instance = await loadInstance(dataDir);
  const mediaStore = await openMediaStore({ directory: join(directory, 'media') });

  /** Builds the product, with or without background jobs; the probe is the readiness of the database. */
  async function build(
    env: NodeJS.ProcessEnv = {},
    database = async () => undefined,
    { performJobs = true } = {},
  ) {
    const defaults = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env });
    const roles = defaults.roles.filter((role) => performJobs || role !== 'jobs');
    const settings = { ...defaults, roles };
    const probes = { database };
    const { readDatabaseUrl } = settings;
    const connection = readDatabaseUrl
      ? { ...primary, replica: connectionFromUrl(readDatabaseUrl) }
      : primary;
    const app = await buildApp({ settings, instance, connection, mediaStore, webDirectory, probes });
    addCleanup(() => app.close());
    return { app, settings };
  }

  const createApp = async (...options: Parameters<typeof build>): Promise<FastifyInstance> =>
    (await build(...options)).app;

  return { directory, dataDir, connection: primary, instance, mediaStore, build, createApp };
}

/** Sends an operation to the identity provider, such as `SignUp`. */
export const requestOperation = (app: FastifyInstance, name: string, body: object) =>
  app.inject({
    method: 'POST',
    url: '/identity',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
    },
    payload: JSON.stringify(body),
  });

/** Sends an operation to the identity provider, which must succeed. Returns the body. */
export async function callOperation(app: FastifyInstance, name: string, body: object) {
  const response = await requestOperation(app, name, body);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

/** Signs a user in by `password`; needs USER_PASSWORD_AUTH in IDENTITY_ALLOW. Returns the tokens. */
export async function signInByPassword(app: FastifyInstance, ClientId: string, email: string) {
  const AuthParameters = { USERNAME: email, PASSWORD: password };
  const body = { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters };
  return (await callOperation(app, 'InitiateAuth', body)).AuthenticationResult;
}
