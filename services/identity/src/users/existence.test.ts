import { DiffieHellman, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { computeVerifier } from '../srp/srp.ts';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  oauthOptions,
  parseForm,
} from '../testing/browser.ts';
import { clientId, createTestPool, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool({ oauth: oauthOptions, passwordAuth: true });
const wrong = 'Wrong2026';
const newAddress = () => `user-${randomUUID()}@escucho.test`;

/** People with an account, and people who have signed up and proved nothing yet. */
const members = await Promise.all(Array.from({ length: 20 }, () => pool.createUser()));
const newcomers = Array.from({ length: 20 }, newAddress);
await Promise.all(newcomers.map((email) => pool.signUp(email)));

const browser = createBrowser(pool.app);
const login = parseForm((await browser.openSignInPage(buildAuthorizationQuery(createPkce().challenge))).body);

/** A door at which names are tried. Out: how to try a name, once what leads there is done. */
type Door = (name: string) => Promise<() => Promise<unknown>>;

const atOnce =
  (operation: string, body: (name: string) => object): Door =>
  async (name) =>
  () =>
    pool.call(operation, { ClientId: clientId, ...body(name) });

const doors: [name: string, door: Door, known: readonly string[]][] = [
  ...(
    [
      [
        'the first half of an SRP sign-in',
        atOnce('InitiateAuth', (USERNAME) => ({
          AuthFlow: 'USER_SRP_AUTH',
          AuthParameters: { USERNAME, SRP_A: 'abc123' },
        })),
      ],
      [
        'a wrong password by SRP',
        async (name) => {
          const answer = (await pool.startSignIn(name)).solve(wrong);
          return () => pool.respond(answer);
        },
      ],
      [
        'a wrong password in the clear',
        atOnce('InitiateAuth', (USERNAME) => ({
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME, PASSWORD: wrong },
        })),
      ],
      [
        'a wrong password at the hosted page',
        async (email) => () => browser.post(login.action, { ...login.fields, email, password: wrong }),
      ],
      ['a forgotten password', atOnce('ForgotPassword', (Username) => ({ Username }))],
      [
        'a wrong code for a forgotten password',
        atOnce('ConfirmForgotPassword', (Username) => ({
          ...{ Username, ConfirmationCode: '000000', Password: password },
        })),
      ],
    ] satisfies [string, Door][]
  ).map(([name, door]): [string, Door, string[]] => [name, door, members.map(({ email }) => email)]),
  ['a code sent again', atOnce('ResendConfirmationCode', (Username) => ({ Username })), newcomers],
  [
    'a wrong code for a sign-up',
    atOnce('ConfirmSignUp', (Username) => ({ Username, ConfirmationCode: '000000' })),
    newcomers,
  ],
];

/** Does a try, with no limit in its way. Out: what `measure` makes of it. */
async function tried<T>(door: Door, name: string, measure: (work: () => Promise<unknown>) => Promise<T>) {
  const work = await door(name);
  await db.deleteFrom('attempt_counter').execute();
  await db.deleteFrom('verification_code').execute();
  return measure(work);
}

afterEach(() => void vi.restoreAllMocks());

describe('who has an account is not told by the work', () => {
  it.each(doors)(
    '[IDP-03] %s takes as many powers and words with the database',
    async (_name, door, known) => {
      const powers = vi.spyOn(DiffieHellman.prototype, 'computeSecret');
      const words = vi.spyOn(Socket.prototype, 'write');
      const count = async (work: () => Promise<unknown>) => {
        powers.mockClear();
        words.mockClear();
        await work();
        return { powers: powers.mock.calls.length, words: words.mock.calls.length };
      };
      // What is done once only, as opening a connection, is done before.
      await tried(door, newAddress(), count);
      const ofKnown = await tried(door, known[0] ?? '', count);
      expect(ofKnown.words).toBeGreaterThan(1);
      expect(await tried(door, newAddress(), count)).toEqual(ofKnown);
    },
  );
});

/** The time that this process works, in milliseconds: others on the machine make it no longer. */
async function busy(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

describe('who has an account is not told by the time', () => {
  it.each(doors)(
    '[IDP-03] %s takes as long, to less than half of what a power does',
    async (_name, door, known) => {
      const differences: number[] = [];
      const powers: number[] = [];
      for (let n = 0; n < 140; n += 1) {
        const timeOfKnown = () => tried(door, known[n % known.length] ?? '', busy);
        const timeOfUnknown = () => tried(door, newAddress(), busy);
        // Compared two by two, each as often the first: what slows the machine for a while slows both.
        const first = await (n % 2 === 0 ? timeOfKnown() : timeOfUnknown());
        const second = await (n % 2 === 0 ? timeOfUnknown() : timeOfKnown());
        // The first tries are slow until the code is warm.
        if (n < 20) continue;
        differences.push(n % 2 === 0 ? first - second : second - first);
        powers.push(
          await busy(async () => computeVerifier('Ab12Cd34E', 'somebody', wrong, BigInt(n) ** 90n)),
        );
      }
      const difference = Math.abs(median(differences));
      expect(difference).toBeLessThan(median(powers) / 2);
    },
  );
});
