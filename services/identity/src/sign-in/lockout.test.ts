import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientId, createTestPool, password, startPool } from '../testing/pool.ts';

const { connection, pool, db } = await createTestPool();

const wrong = 'NotAuthorizedException: Incorrect username or password.';
const locked = 'NotAuthorizedException: Password attempts exceeded';
const minute = 60_000;

async function fail(username: string, times: number): Promise<string[]> {
  const errors = [];
  for (let n = 0; n < times; n += 1) errors.push((await pool.signIn(username, 'Wrong2026')).error);
  return errors;
}

describe('the lockout', () => {
  it('[IDP-03] five wrong passwords lock an account, also after a restart', async () => {
    const { email } = await pool.createUser();
    const srpSignIn = await pool.startSignIn(email);
    expect(await fail(email, 5)).toEqual([wrong, wrong, wrong, wrong, wrong]);
    expect((await pool.signIn(email)).error).toBe(locked);
    expect((await pool.respond(srpSignIn.solve())).error).toBe(locked);
    const restarted = await startPool(connection, { clock: pool.clock });
    expect((await restarted.signIn(email)).error).toBe(locked);
    await restarted.app.close();
    expect((await pool.withClockAdvanced(1000, () => pool.signIn(email))).status).toBe(200);
  });

  it('[IDP-03] attempts during a lock do not count; the next failure doubles the lock', async () => {
    const { email } = await pool.createUser();
    await fail(email, 5);
    expect(await fail(email, 3)).toEqual([locked, locked, locked]);
    expect(await pool.withClockAdvanced(1000, () => fail(email, 2))).toEqual([wrong, locked]);
    expect((await pool.withClockAdvanced(2500, () => pool.signIn(email))).error).toBe(locked);
    expect((await pool.withClockAdvanced(3500, () => pool.signIn(email))).status).toBe(200);
  });

  it('[IDP-03] a success, or fifteen minutes without a failure, reset the count', async () => {
    const { email } = await pool.createUser();
    await fail(email, 4);
    await pool.signIn(email);
    expect(await fail(email, 4)).toEqual([wrong, wrong, wrong, wrong]);
    expect(await pool.withClockAdvanced(15 * minute, () => fail(email, 4))).toEqual([
      wrong,
      wrong,
      wrong,
      wrong,
    ]);
  });

  it('[IDP-03] of a clock that was ahead ends when the clock is set right', async () => {
    const { email } = await pool.createUser();
    expect(await pool.withClockAdvanced(60 * minute, () => fail(email, 6))).toContain(locked);
    expect(await fail(email, 5)).toEqual([wrong, wrong, wrong, wrong, wrong]);
    expect((await pool.signIn(email)).error).toBe(locked);
  });

  it('[IDP-03] counts concurrent attempts, by address and by id together', async () => {
    const { email, sub } = await pool.createUser();
    const srpSignIn = await Promise.all(
      Array.from({ length: 12 }, (_, n) => pool.startSignIn(n % 2 === 0 ? email : sub)),
    );
    const replies = await Promise.all(srpSignIn.map((attempt) => pool.respond(attempt.solve('Wrong2026'))));
    expect(replies.filter(({ error }) => error === wrong)).toHaveLength(5);
    expect(replies.filter(({ error }) => error === locked)).toHaveLength(7);
  });

  it('[IDP-03] refuses a network with 300 failures, for other accounts too', async () => {
    const passwordPool = await startPool(connection, { passwordAuth: true });
    const { email } = await pool.createUser();
    for (let n = 0; n < 300; n += 1) {
      const AuthParameters = { USERNAME: `unknown-${n}@escucho.test`, PASSWORD: 'Wrong2026' };
      const body = { ClientId: clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters };
      await passwordPool.call('InitiateAuth', body, { remoteAddress: '2001:db8::7' });
    }
    const refused = await passwordPool.signIn(email, password, { remoteAddress: '2001:db8::8' });
    expect(refused.at('__type')).toBe('TooManyRequestsException');
    expect((await passwordPool.signIn(email)).status).toBe(200);
  });
});

describe('the existence of an account', () => {
  it('[IDP-03] is not revealed by the challenge, the errors or the lockout', async () => {
    const { email } = await pool.createUser();
    for (const unknown of [`nobody-${randomUUID()}@escucho.test`, randomUUID(), 'nobody']) {
      const [first, second] = [await pool.startSignIn(unknown), await pool.startSignIn(unknown)];
      const known = await pool.startSignIn(email);
      expect(Object.keys(Object(first.response.body))).toEqual(Object.keys(Object(known.response.body)));
      expect(first.parameters.SALT).toBe(second.parameters.SALT);
      expect(first.parameters.USER_ID_FOR_SRP).toBe(second.parameters.USER_ID_FOR_SRP);
      expect(first.parameters.SRP_B).not.toBe(second.parameters.SRP_B);
      expect(first.parameters.SALT.length).toBeGreaterThan(24);
      expect(first.parameters.USER_ID_FOR_SRP).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      );
      expect(
        Math.abs(first.parameters.SECRET_BLOCK.length - known.parameters.SECRET_BLOCK.length),
      ).toBeLessThan(80);
      expect(await fail(unknown, 6)).toEqual([wrong, wrong, wrong, wrong, wrong, locked]);
    }
  });

  it('[IDP-03] the challenge of an unknown id contains the id, like that of a known one', async () => {
    const id = randomUUID();
    expect((await pool.startSignIn(id)).parameters.USER_ID_FOR_SRP).toBe(id);
  });

  it.each([
    ['UNCONFIRMED', true, 'UserNotConfirmedException: User is not confirmed.'],
    ['RESET_REQUIRED', true, 'PasswordResetRequiredException: Password reset required for the user'],
    ['CONFIRMED', false, 'NotAuthorizedException: User is disabled.'],
  ] as const)(
    '[IDP-03] [AUTH-06] status %s and enabled %s are revealed with the right password only',
    async (status, enabled, error) => {
      const { email, sub } = await pool.createUser();
      await db.updateTable('account').set({ status, enabled }).where('id', '=', sub).execute();
      expect((await pool.signIn(email, 'Wrong2026')).error).toBe(wrong);
      expect((await pool.signIn(email)).error).toBe(error);
    },
  );
});

describe('other flows', () => {
  const initiate = (flow: string, parameters: object) =>
    pool.call('InitiateAuth', { ClientId: clientId, AuthFlow: flow, AuthParameters: parameters });

  it.each(['USER_PASSWORD_AUTH', 'CUSTOM_AUTH', 'ADMIN_NO_SRP_AUTH'])(
    '[AUTH-13] refuses %s, which is not enabled',
    async (flow) => {
      const { email } = await pool.createUser();
      const reply = await initiate(flow, { USERNAME: email, PASSWORD: password });
      expect(reply.error).toBe(`InvalidParameterException: ${flow} flow not enabled for this client`);
    },
  );

  it('[AUTH-13] USER_PASSWORD_AUTH, where enabled, has the same lockout', async () => {
    const { email } = await pool.createUser();
    const passwordPool = await startPool(connection, { passwordAuth: true });
    const attempt = (username: string, PASSWORD: string) =>
      passwordPool.call('InitiateAuth', {
        ClientId: clientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: username, PASSWORD },
      });
    expect((await attempt(email, password)).at('AuthenticationResult', 'TokenType')).toBe('Bearer');
    for (let n = 0; n < 5; n += 1) expect((await attempt(email, 'Wrong2026')).error).toBe(wrong);
    expect((await attempt(email, password)).error).toBe(locked);
    expect((await attempt('nobody@escucho.test', password)).error).toBe(wrong);
  });

  it.each([
    ['USER_SRP_AUTH', {}, 'USERNAME'],
    ['USER_SRP_AUTH', { USERNAME: 'ana@escucho.test' }, 'SRP_A'],
    ['REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: null }, 'REFRESH_TOKEN'],
  ])('[IDP-01] %s with %o requires %s', async (flow, parameters, name) => {
    expect((await initiate(flow, parameters)).error).toBe(
      `InvalidParameterException: Missing required parameter ${name}`,
    );
  });
});
