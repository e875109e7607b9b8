import { randomUUID } from 'node:crypto';
import type { Connection } from '@escucho/database';
import { addCleanup, countLockWaiters, createTestDatabase } from '@escucho/database/testing';
import { openJobConnections } from '@escucho/jobs';
import { createApp, loggerOptions } from '@escucho/service-kit';
import type { FastifyInstance, FastifyServerOptions, InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { createSecrets } from '../crypto.ts';
import { type Database, openIdentityDatabase } from '../database.ts';
import { type IdentityOptions, identity, outbox } from '../index.ts';
import { getValueAt } from '../protocol/operation.ts';
import { createKey } from '../tokens/keys.ts';
import { insertKey } from '../tokens/repository.ts';
import { type Challenge, createSrpClient } from './srp-client.ts';

export const poolId = 'local_Ab12Cd34E';
const poolName = 'Ab12Cd34E';
export const clientId = 'escuchoweb';
export const issuer = `http://localhost:3000/identity/${poolId}`;
export const secret = 'a secret for tests, of more than thirty-two bytes';
export const password = 'Escucho2026';

/** Returns an address that no user has. */
export const newAddress = () => `user-${randomUUID()}@escucho.test`;

/** A response of the provider. */
export interface PoolResponse {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
  /** Returns a member of the body by its path, as text. */
  at(...path: string[]): string;
  /** The error as `Type: message`. */
  error: string;
}

/** Starts a provider with a fixed clock, until the end of the test, the `describe` or the file that starts it. */
export async function startPool(
  connection: Connection,
  { logger = false, ...options }: Partial<IdentityOptions> & { logger?: FastifyServerOptions['logger'] } = {},
) {
  const time = { now: Date.now() };
  const clock = () => new Date(time.now);
  const app: FastifyInstance = createApp({ logger });
  const jobs = options.smtp && (await openJobConnections({ connection, log: app.log }));
  app.addHook('onClose', async () => jobs?.close());
  addCleanup(() => app.close());
  await app.register(identity, {
    prefix: '/identity',
    connection,
    issuer,
    poolId,
    clientId,
    secret,
    clock,
    jobs,
    ...options,
  });
  await app.register(outbox, { prefix: '/outbox', connection, secret, poolId });

  async function call(
    operation: string,
    body: unknown,
    injectOptions: InjectOptions = {},
  ): Promise<PoolResponse> {
    const response = await app.inject({
      method: 'POST',
      url: '/identity',
      ...injectOptions,
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': operation.includes('.')
          ? operation
          : `AWSCognitoIdentityProviderService.${operation}`,
        ...injectOptions.headers,
      },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const parsed: unknown = response.body === '' ? undefined : JSON.parse(response.body);
    const at = (...path: string[]) => String(getValueAt(parsed, path));
    return {
      status: response.statusCode,
      headers: response.headers,
      body: parsed,
      at,
      error: `${at('__type')}: ${at('message')}`,
    };
  }

  async function listMails(email: string): Promise<{ subject: string; code: string | null }[]> {
    return (await app.inject(`/outbox/messages?to=${encodeURIComponent(email)}`)).json();
  }

  /** Returns the codes mailed to an address, newest first. */
  const listCodes = async (email: string) => (await listMails(email)).flatMap(({ code }) => code ?? []);

  /** Returns the subjects of the mails without a code that were sent to an address, newest first. */
  const listNotifications = async (email: string) =>
    (await listMails(email)).flatMap(({ code, subject }) => (code === null ? subject : []));

  const getLatestCode = async (email: string) => (await listCodes(email))[0] ?? 'no code';

  const signUp = (email: string, overrides: object = {}) =>
    call('SignUp', { ClientId: clientId, Username: email, Password: password, ...overrides });

  /** Creates a confirmed user with a unique address. */
  async function createUser() {
    const email = newAddress();
    const sub = (await signUp(email)).at('UserSub');
    const confirmation = {
      ClientId: clientId,
      Username: email,
      ConfirmationCode: await getLatestCode(email),
    };
    await call('ConfirmSignUp', confirmation);
    return { email, sub };
  }

  /** Requests the challenge of an SRP sign-in. */
  async function startSignIn(username: string, injectOptions: InjectOptions = {}) {
    const client = createSrpClient(poolName);
    const response = await call(
      'InitiateAuth',
      {
        ClientId: clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: username, SRP_A: client.A },
      },
      injectOptions,
    );
    const get = (name: keyof Challenge) => response.at('ChallengeParameters', name);
    const parameters: Challenge = {
      SALT: get('SALT'),
      SRP_B: get('SRP_B'),
      SECRET_BLOCK: get('SECRET_BLOCK'),
      USER_ID_FOR_SRP: get('USER_ID_FOR_SRP'),
    };
    return {
      response,
      parameters,
      /** Computes the response to the challenge, or to another one. */
      solve: (attempt = password, challenge = parameters) => client.solve(challenge, attempt, clock()),
    };
  }

  const respond = (challengeResponses: object, injectOptions: InjectOptions = {}) =>
    call(
      'RespondToAuthChallenge',
      { ClientId: clientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses: challengeResponses },
      injectOptions,
    );

  /** Signs in by SRP; returns the first error. */
  async function signIn(
    username: string,
    attempt = password,
    injectOptions: InjectOptions = {},
  ): Promise<PoolResponse> {
    const { response, solve } = await startSignIn(username, injectOptions);
    return response.status === 200 ? respond(solve(attempt), injectOptions) : response;
  }

  /** Runs a task with the clock advanced, and sets the clock back. */
  async function withClockAdvanced<T>(milliseconds: number, task: () => Promise<T>): Promise<T> {
    time.now += milliseconds;
    try {
      return await task();
    } finally {
      time.now -= milliseconds;
    }
  }

  /** Creates a user and signs them in; returns their tokens too. */
  async function createSignedInUser() {
    const user = await createUser();
    const response = await signIn(user.email);
    const getToken = (name: string) => response.at('AuthenticationResult', name);
    return {
      ...user,
      access: getToken('AccessToken'),
      id: getToken('IdToken'),
      refresh: getToken('RefreshToken'),
    };
  }

  const refresh = (token: string) =>
    call('GetTokensFromRefreshToken', { ClientId: clientId, RefreshToken: token });

  return {
    app,
    clock,
    withClockAdvanced,
    call,
    listCodes,
    listNotifications,
    getLatestCode,
    signUp,
    createUser,
    createSignedInUser,
    startSignIn,
    respond,
    signIn,
    refresh,
  };
}

const secrets = createSecrets(secret, poolId);
// Generating a key takes long, so the databases of a process share them.
const signingKeys = [await createKey(secrets, 'access'), await createKey(secrets, 'id')];

/** Creates a database, with the same signing keys each time, and starts a provider on it. */
export async function createTestPool(options: Parameters<typeof startPool>[1] = {}) {
  const connection = await createTestDatabase();
  const db = openIdentityDatabase(connection, 'test', 2);
  addCleanup(() => db.destroy());
  for (const key of signingKeys) await insertKey(db, key, new Date());
  const pool = await startPool(connection, options);
  return { connection, pool, db };
}

/** Creates logger options that collect every line. */
export function createTestLog() {
  const log: string[] = [];
  const stream = { write: (line: string) => log.push(line) };
  return { log, logger: { ...loggerOptions('trace'), stream } };
}

/** Sends requests that wait for the same user, in this order, and lets them continue at the same time. */
export async function sendTogether<Response>(
  db: Database,
  userId: string,
  requests: readonly (() => Promise<Response>)[],
): Promise<Response[]> {
  const responses: Promise<Response>[] = [];
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', userId).forUpdate().execute();
    for (const send of requests) {
      responses.push(send());
      await expect.poll(() => countLockWaiters(db)).toBe(responses.length);
    }
  });
  return Promise.all(responses);
}
