import { randomUUID } from 'node:crypto';
import type { Connection } from '@escucho/database';
import { createApp } from '@escucho/service-kit';
import type { FastifyInstance, FastifyServerOptions, InjectOptions } from 'fastify';
import { type IdentityOptions, identity, outbox } from '../index.ts';
import { valueAt } from '../protocol/validation.ts';
import { type Challenge, createSrpClient } from './srp-client.ts';

export const poolId = 'local_Ab12Cd34E';
const poolName = 'Ab12Cd34E';
export const clientId = 'escuchoweb';
export const issuer = `http://localhost:3000/identity/${poolId}`;
export const secret = 'a secret for tests, of more than thirty-two bytes';
export const password = 'Escucho2026';

/** An answer of the provider. */
export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
  /** A member of the body by its path, as text. */
  at(...path: string[]): string;
  /** `Type: message` of a refusal. */
  fault: string;
}

/** A provider over a database of the test's own, with a clock that stands until the test moves it. */
export async function startPool(
  connection: Connection,
  { logger = false, ...options }: Partial<IdentityOptions> & { logger?: FastifyServerOptions['logger'] } = {},
) {
  const time = { now: Date.now() };
  const clock = () => new Date(time.now);
  const app: FastifyInstance = createApp({ logger });
  await app.register(identity, {
    prefix: '/identity',
    connection,
    issuer,
    poolId,
    clientId,
    secret,
    clock,
    ...options,
  });
  await app.register(outbox, { prefix: '/outbox', connection });

  async function call(operation: string, body: unknown, more: InjectOptions = {}): Promise<Reply> {
    const response = await app.inject({
      method: 'POST',
      url: '/identity',
      ...more,
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': operation.includes('.')
          ? operation
          : `AWSCognitoIdentityProviderService.${operation}`,
        ...more.headers,
      },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const parsed: unknown = response.body === '' ? undefined : JSON.parse(response.body);
    const at = (...path: string[]) => String(valueAt(parsed, path));
    return {
      status: response.statusCode,
      headers: response.headers,
      body: parsed,
      at,
      fault: `${at('__type')}: ${at('message')}`,
    };
  }

  /** The codes mailed to an address, newest first. */
  async function codes(email: string): Promise<string[]> {
    const response = await app.inject(`/outbox/messages?to=${encodeURIComponent(email)}`);
    const mails: { code: string }[] = response.json();
    return mails.map((mail) => mail.code);
  }

  const newest = async (email: string) => (await codes(email))[0] ?? 'no code';

  const signUp = (email: string, more: object = {}) =>
    call('SignUp', { ClientId: clientId, Username: email, Password: password, ...more });

  /** A confirmed account with an address of its own. */
  async function member() {
    const email = `reader-${randomUUID()}@escucho.test`;
    const sub = (await signUp(email)).at('UserSub');
    const confirmation = { ClientId: clientId, Username: email, ConfirmationCode: await newest(email) };
    await call('ConfirmSignUp', confirmation);
    return { email, sub };
  }

  /** The first half of an SRP sign-in, and how to go on. */
  async function challenge(username: string, more: InjectOptions = {}) {
    const client = createSrpClient(poolName);
    const reply = await call(
      'InitiateAuth',
      {
        ClientId: clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: username, SRP_A: client.A },
      },
      more,
    );
    const given = (name: keyof Challenge) => reply.at('ChallengeParameters', name);
    const parameters: Challenge = {
      SALT: given('SALT'),
      SRP_B: given('SRP_B'),
      SECRET_BLOCK: given('SECRET_BLOCK'),
      USER_ID_FOR_SRP: given('USER_ID_FOR_SRP'),
    };
    return {
      reply,
      parameters,
      answerTo: (asked: Challenge, attempt = password) => client.answer(asked, attempt, clock()),
      answer: (attempt = password) => client.answer(parameters, attempt, clock()),
    };
  }

  const respond = (answer: object, more: InjectOptions = {}) =>
    call(
      'RespondToAuthChallenge',
      { ClientId: clientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses: answer },
      more,
    );

  /** A whole SRP sign-in; where the first half is refused, that refusal. */
  async function signIn(username: string, attempt = password, more: InjectOptions = {}): Promise<Reply> {
    const begun = await challenge(username, more);
    return begun.reply.status === 200 ? respond(begun.answer(attempt), more) : begun.reply;
  }

  /** Does something as if so many milliseconds had passed. */
  async function later<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
    time.now += milliseconds;
    try {
      return await work();
    } finally {
      time.now -= milliseconds;
    }
  }

  const refresh = (token: string) =>
    call('GetTokensFromRefreshToken', { ClientId: clientId, RefreshToken: token });

  return { app, clock, later, call, codes, newest, signUp, member, challenge, respond, signIn, refresh };
}
