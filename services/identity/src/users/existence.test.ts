import { DiffieHellman } from 'node:crypto';
import { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { computeVerifier } from '../sign-in/srp.ts';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  oauthOptions,
  parseForm,
} from '../testing/browser.ts';
import { clientId, createTestPool, newAddress, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool({ oauth: oauthOptions, passwordAuth: true, customAuth: true });
const wrong = 'Wrong2026';

const confirmedUsers = await Promise.all(Array.from({ length: 5 }, () => pool.createUser()));
const confirmedEmails = confirmedUsers.map(({ email }) => email);
const unconfirmedEmails = Array.from({ length: 5 }, newAddress);
await Promise.all(unconfirmedEmails.map((email) => pool.signUp(email)));

const browser = createBrowser(pool.app);
const login = parseForm((await browser.openSignInPage(buildAuthorizationQuery(createPkce().challenge))).body);

type Task = () => Promise<unknown>;

/** Prepares an attempt for a username, and returns the request to measure. */
type Attempt = (username: string) => Promise<Task>;

const createAttempt =
  (operation: string, createBody: (username: string) => object): Attempt =>
  async (username) =>
  () =>
    pool.call(operation, { ClientId: clientId, ...createBody(username) });

const attempts: [name: string, attempt: Attempt, existing: readonly string[]][] = [
  [
    'the challenge of an SRP sign-in',
    createAttempt('InitiateAuth', (USERNAME) => ({
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME, SRP_A: 'abc123' },
    })),
    confirmedEmails,
  ],
  [
    'a wrong password by SRP',
    async (username) => {
      const response = (await pool.startSignIn(username)).solve(wrong);
      return () => pool.respond(response);
    },
    confirmedEmails,
  ],
  [
    'a wrong password in the clear',
    createAttempt('InitiateAuth', (USERNAME) => ({
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME, PASSWORD: wrong },
    })),
    confirmedEmails,
  ],
  [
    'a wrong password at the hosted page',
    async (email) => () => browser.post(login.action, { ...login.fields, email, password: wrong }),
    confirmedEmails,
  ],
  [
    'the mailed code of CUSTOM_AUTH',
    createAttempt('InitiateAuth', (USERNAME) => ({
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME },
    })),
    confirmedEmails,
  ],
  [
    'a wrong answer to CUSTOM_CHALLENGE',
    async (username) => {
      const AuthParameters = { USERNAME: username };
      const initiation = { ClientId: clientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters };
      const challenge = await pool.call('InitiateAuth', initiation);
      const response = {
        ClientId: clientId,
        ChallengeName: 'CUSTOM_CHALLENGE',
        ChallengeResponses: { USERNAME: username, ANSWER: '000000' },
        Session: challenge.at('Session'),
      };
      return () => pool.call('RespondToAuthChallenge', response);
    },
    confirmedEmails,
  ],
  [
    'SignUp',
    createAttempt('SignUp', (Username) => ({ Username, Password: password })),
    [...confirmedEmails, ...unconfirmedEmails],
  ],
  [
    'ResendConfirmationCode of a confirmed account',
    createAttempt('ResendConfirmationCode', (Username) => ({ Username })),
    confirmedEmails,
  ],
  ['ForgotPassword', createAttempt('ForgotPassword', (Username) => ({ Username })), confirmedEmails],
  [
    'ConfirmForgotPassword with a wrong code',
    createAttempt('ConfirmForgotPassword', (Username) => ({
      Username,
      ConfirmationCode: '000000',
      Password: password,
    })),
    confirmedEmails,
  ],
  [
    'ResendConfirmationCode',
    createAttempt('ResendConfirmationCode', (Username) => ({ Username })),
    unconfirmedEmails,
  ],
  [
    'ConfirmSignUp with a wrong code',
    createAttempt('ConfirmSignUp', (Username) => ({ Username, ConfirmationCode: '000000' })),
    unconfirmedEmails,
  ],
];

/** Measures an attempt without rate limits. */
async function measure<T>(attempt: Attempt, username: string, run: (task: Task) => Promise<T>): Promise<T> {
  const task = await attempt(username);
  await sql`with codes as (delete from verification_code) delete from attempt_counter`.execute(db);
  return run(task);
}

afterEach(() => void vi.restoreAllMocks());

describe('the work for unknown and existing users is the same', () => {
  it.each(attempts)(
    '[IDP-03] %s takes as many exponentiations and database messages',
    async (_name, attempt, existing) => {
      const exponentiations = vi.spyOn(DiffieHellman.prototype, 'computeSecret');
      const messages = vi.spyOn(Socket.prototype, 'write');
      const count = async (task: Task) => {
        exponentiations.mockClear();
        messages.mockClear();
        await task();
        return { exponentiations: exponentiations.mock.calls.length, messages: messages.mock.calls.length };
      };
      // The first attempts also do what is done once, such as preparing a statement.
      for (const username of [newAddress(), existing[1] ?? '']) await measure(attempt, username, count);
      const existingWork = await measure(attempt, existing[0] ?? '', count);
      expect(existingWork.messages).toBeGreaterThan(1);
      expect(await measure(attempt, newAddress(), count)).toEqual(existingWork);
    },
  );
});

/** Measures the CPU time of this process in milliseconds, which other processes do not lengthen. */
async function measureCpuMs(task: Task): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const WARM_UP_PAIRS = 10;
const MIN_PAIRS = 20;
const MAX_PAIRS = 400;

describe('the time for unknown and existing users is the same', () => {
  it.each(attempts)(
    '[IDP-03] %s takes as long, within half of an exponentiation',
    async (_name, attempt, existing) => {
      const differences: number[] = [];
      const exponentiations: number[] = [];
      const difference = () => Math.abs(median(differences));
      for (let n = 0; n < WARM_UP_PAIRS + MAX_PAIRS; n += 1) {
        const measureExisting = () => measure(attempt, existing[n % existing.length] ?? '', measureCpuMs);
        const measureUnknown = () => measure(attempt, newAddress(), measureCpuMs);
        // Pairs in alternating order: a slow phase of the machine affects both.
        const isExistingFirst = n % 2 === 0;
        const first = await (isExistingFirst ? measureExisting() : measureUnknown());
        const second = await (isExistingFirst ? measureUnknown() : measureExisting());
        if (n < WARM_UP_PAIRS) continue;
        differences.push(isExistingFirst ? first - second : second - first);
        exponentiations.push(
          await measureCpuMs(async () => computeVerifier('Ab12Cd34E', 'user', wrong, BigInt(n) ** 90n)),
        );
        // Stop early where the result is clear.
        if (differences.length >= MIN_PAIRS && difference() < median(exponentiations) / 4) break;
      }
      expect(difference()).toBeLessThan(median(exponentiations) / 2);
    },
  );
});
