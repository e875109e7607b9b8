import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientId, createTestPool, password, startPool } from '../testing/pool.ts';
import { createSrpClient } from '../testing/srp-client.ts';
import { N } from './srp.ts';

const { connection, pool, db } = await createTestPool();

const wrong = 'NotAuthorizedException: Incorrect username or password.';
const locked = 'NotAuthorizedException: Password attempts exceeded';
const minute = 60_000;

async function fail(username: string, times: number): Promise<string[]> {
  const errors = [];
  for (let n = 0; n < times; n += 1) errors.push((await pool.signIn(username, 'Wrong2026')).error);
  return errors;
}

describe('SRP sign-in', () => {
  it('[AUTH-13] [IDP-01] gives tokens for the right password', async () => {
    const { email } = await pool.createUser();
    const reply = await pool.signIn(email);
    expect(reply.body).toMatchObject({
      ChallengeParameters: {},
      AuthenticationResult: {
        AccessToken: expect.any(String),
        IdToken: expect.any(String),
        RefreshToken: expect.any(String),
        ExpiresIn: 3600,
        TokenType: 'Bearer',
      },
    });
  });

  it('[IDP-01] the challenge contains the id of the account, for an address in any case', async () => {
    const { email, sub } = await pool.createUser();
    for (const username of [email, email.toUpperCase(), sub]) {
      const { response } = await pool.startSignIn(username);
      expect(response.at('ChallengeName')).toBe('PASSWORD_VERIFIER');
      expect(response.at('ChallengeParameters', 'USER_ID_FOR_SRP')).toBe(sub);
      expect(response.at('ChallengeParameters', 'USERNAME')).toBe(sub);
      expect(response.at('ChallengeParameters', 'SALT')).toMatch(/^[1-9a-f][0-9a-f]*$/);
    }
  });

  it('[IDP-03] stores neither the password nor the verifier in the clear', async () => {
    const { sub } = await pool.createUser();
    const row = await db.selectFrom('account').selectAll().where('id', '=', sub).executeTakeFirstOrThrow();
    expect(Object.keys(row)).not.toContain('password');
    expect(row.credential?.includes(Buffer.from(password))).toBe(false);
    const twin = await pool.createUser();
    const other = await db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', twin.sub)
      .executeTakeFirstOrThrow();
    expect(row.credential?.equals(other.credential ?? Buffer.alloc(0))).toBe(false);
    await db.updateTable('account').set({ credential: row.credential }).where('id', '=', twin.sub).execute();
    expect((await pool.signIn(twin.email)).status).toBe(500);
  });

  it('[IDP-03] two sign-ins of one user may overlap', async () => {
    const { email } = await pool.createUser();
    const [one, other] = [await pool.startSignIn(email), await pool.startSignIn(email)];
    expect((await pool.respond(other.solve())).status).toBe(200);
    expect((await pool.respond(one.solve())).status).toBe(200);
  });

  it.each([
    ['0', '0'],
    ['N', N.toString(16)],
    ['2N', (2n * N).toString(16)],
    ['no number', 'xyz'],
    ['too long', '1'.repeat(1025)],
  ])('[IDP-03] a client number that is %s is refused', async (_, hex) => {
    const { email } = await pool.createUser();
    const reply = await pool.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: email, SRP_A: hex },
    });
    expect([reply.status, reply.at('__type')]).toEqual([400, 'InvalidParameterException']);
  });
});

describe('handshake', () => {
  it('[IDP-03] is answered once, rightly or wrongly', async () => {
    const { email } = await pool.createUser();
    const begun = await pool.startSignIn(email);
    const answer = begun.solve();
    const replies = await Promise.all([pool.respond(answer), pool.respond(answer), pool.respond(answer)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const next = await pool.startSignIn(email);
    expect((await pool.respond(next.solve('Wrong2026'))).error).toBe(wrong);
    expect((await pool.respond(next.solve())).error).toBe(
      'NotAuthorizedException: Invalid session for the user, session can only be used once.',
    );
  });

  it('[IDP-03] ends after three minutes', async () => {
    const { email } = await pool.createUser();
    const begun = await pool.startSignIn(email);
    const reply = await pool.withClockAdvanced(3 * minute, () => pool.respond(begun.solve()));
    expect(reply.error).toBe('NotAuthorizedException: Invalid session for the user, session is expired.');
  });

  it('[IDP-03] belongs to the user it was created for', async () => {
    const [ana, eva] = [await pool.createUser(), await pool.createUser()];
    const begun = await pool.startSignIn(ana.email);
    const reply = await pool.respond({ ...begun.solve(), USERNAME: eva.sub });
    expect(reply.error).toBe('NotAuthorizedException: Invalid session for the user.');
    const forEva = await pool.startSignIn(eva.email);
    const mixed = begun.solve(password, {
      ...begun.parameters,
      SECRET_BLOCK: forEva.parameters.SECRET_BLOCK,
    });
    expect((await pool.respond({ ...mixed, USERNAME: eva.sub })).error).toBe(wrong);
    expect((await pool.respond({ ...begun.solve(), USERNAME: ana.email })).status).toBe(200);
  });

  it.each<[string, (answer: Record<string, string>) => Record<string, string>, string]>([
    [
      'a signature cut short',
      (answer) => ({
        ...answer,
        PASSWORD_CLAIM_SIGNATURE: Buffer.from(answer.PASSWORD_CLAIM_SIGNATURE ?? '', 'base64')
          .subarray(0, 31)
          .toString('base64'),
      }),
      wrong,
    ],
    ['a signature of nothing', (answer) => ({ ...answer, PASSWORD_CLAIM_SIGNATURE: '====' }), wrong],
    [
      'another TIMESTAMP than signed',
      (answer) => ({
        ...answer,
        TIMESTAMP: (answer.TIMESTAMP ?? '').replace(/\d(?= UTC)/, (digit) =>
          String((Number(digit) + 1) % 10),
        ),
      }),
      wrong,
    ],
    [
      'a TIMESTAMP of another form',
      (answer) => ({ ...answer, TIMESTAMP: new Date().toISOString() }),
      'InvalidParameterException: TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.',
    ],
    [
      'a TIMESTAMP of another year',
      (answer) => ({ ...answer, TIMESTAMP: 'Mon Jan 5 07:08:09 UTC 2015' }),
      'InvalidParameterException: TIMESTAMP is too far from the present time.',
    ],
    [
      'a secret block that is changed',
      (answer) => ({ ...answer, PASSWORD_CLAIM_SECRET_BLOCK: `A${answer.PASSWORD_CLAIM_SECRET_BLOCK}` }),
      'NotAuthorizedException: Invalid session for the user.',
    ],
    [
      'no secret block',
      (answer) => ({ ...answer, PASSWORD_CLAIM_SECRET_BLOCK: '' }),
      'InvalidParameterException: Missing required parameter PASSWORD_CLAIM_SECRET_BLOCK',
    ],
  ])('[IDP-03] %s is refused', async (_, bend, error) => {
    const { email } = await pool.createUser();
    const begun = await pool.startSignIn(email);
    expect((await pool.respond(bend(begun.solve()))).error).toBe(error);
  });

  it('[IDP-03] continues in another process', async () => {
    const { email } = await pool.createUser();
    const second = await startPool(connection);
    const begun = await pool.startSignIn(email);
    const answer = begun.solve();
    expect((await second.respond(answer)).status).toBe(200);
    expect((await pool.respond(answer)).status).toBe(400);
    await second.app.close();
  });

  it.each([
    ['nearly an hour slow', -59 * minute, 200],
    ['nearly an hour fast', 59 * minute, 200],
    ['more than an hour slow', -61 * minute, 400],
    ['more than an hour fast', 61 * minute, 400],
  ])('[IDP-03] a clock that is %s', async (_, off, status) => {
    const { email } = await pool.createUser();
    const begun = await pool.startSignIn(email);
    const answer = await pool.withClockAdvanced(off, async () => begun.solve());
    expect((await pool.respond(answer)).status).toBe(status);
  });

  it.each(['2026-11-01T07:08:09Z', '2026-11-30T23:59:59Z', '2028-02-29T00:00:00Z', '2027-01-09T12:00:00Z'])(
    '[IDP-01] a sign-in on a day written with one digit or two: %s',
    async (moment) => {
      const { email } = await pool.createUser();
      const away = new Date(moment).getTime() - pool.clock().getTime();
      expect((await pool.withClockAdvanced(away, () => pool.signIn(email))).status).toBe(200);
    },
  );

  it('[IDP-01] accepts the username of the request or of the challenge, in any case', async () => {
    const { email, sub } = await pool.createUser();
    const names = [email, email.toUpperCase(), sub, sub.toUpperCase()];
    for (const asked of names) {
      for (const given of [asked, sub, sub.toUpperCase()]) {
        const begun = await pool.startSignIn(asked);
        expect((await pool.respond({ ...begun.solve(), USERNAME: given })).status).toBe(200);
      }
    }
  });

  it('[IDP-01] ignores SECRET_HASH, device keys and analytics', async () => {
    const { email } = await pool.createUser();
    const beside = {
      AnalyticsMetadata: { AnalyticsEndpointId: 'x' },
      UserContextData: { EncodedData: 'x', IpAddress: '203.0.113.9' },
      ClientMetadata: { any: 'thing' },
    };
    const client = createSrpClient('Ab12Cd34E');
    const begun = await pool.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      ...beside,
      AuthParameters: { USERNAME: email, SRP_A: client.A, SECRET_HASH: 'x', DEVICE_KEY: null },
    });
    const asked = (name: string) => begun.at('ChallengeParameters', name);
    const challenge = {
      SALT: asked('SALT'),
      SRP_B: asked('SRP_B'),
      SECRET_BLOCK: asked('SECRET_BLOCK'),
      USER_ID_FOR_SRP: asked('USER_ID_FOR_SRP'),
    };
    const answered = await pool.call('RespondToAuthChallenge', {
      ClientId: clientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      Session: null,
      ...beside,
      ChallengeResponses: {
        ...client.solve(challenge, password, pool.clock()),
        SECRET_HASH: 'x',
        DEVICE_KEY: 'local_device',
      },
    });
    expect(answered.status).toBe(200);
    const refreshed = await pool.call('GetTokensFromRefreshToken', {
      ClientId: clientId,
      DeviceKey: null,
      ClientSecret: 'x',
      ...beside,
      RefreshToken: answered.at('AuthenticationResult', 'RefreshToken'),
    });
    expect(refreshed.status).toBe(200);
    const old = await pool.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      ...beside,
      AuthParameters: {
        REFRESH_TOKEN: answered.at('AuthenticationResult', 'RefreshToken'),
        SECRET_HASH: 'x',
        DEVICE_KEY: null,
      },
    });
    expect(old.at('AuthenticationResult', 'RefreshToken')).toBe('undefined');
    expect(old.status).toBe(200);
  });

  it.each(['SMS_MFA', 'NEW_PASSWORD_REQUIRED', 'DEVICE_PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'])(
    '[IDP-01] refuses a response to %s, which was not issued',
    async (ChallengeName) => {
      const { email } = await pool.createUser();
      const ChallengeResponses = (await pool.startSignIn(email)).solve();
      const given = { ClientId: clientId, ChallengeName, ChallengeResponses };
      expect((await pool.call('RespondToAuthChallenge', given)).error).toBe(
        'NotAuthorizedException: Invalid session for the user.',
      );
    },
  );
});

describe('lock-out', () => {
  it('[IDP-03] five wrong passwords lock an account, for the right one too, and after a restart', async () => {
    const { email } = await pool.createUser();
    const begun = await pool.startSignIn(email);
    expect(await fail(email, 5)).toEqual([wrong, wrong, wrong, wrong, wrong]);
    expect((await pool.signIn(email)).error).toBe(locked);
    expect((await pool.respond(begun.solve())).error).toBe(locked);
    const restarted = await startPool(connection, { clock: pool.clock });
    expect((await restarted.signIn(email)).error).toBe(locked);
    await restarted.app.close();
    expect((await pool.withClockAdvanced(1000, () => pool.signIn(email))).status).toBe(200);
  });

  it('[IDP-03] tries during the lock do not count, each failure after it doubles the next', async () => {
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

  it('[IDP-03] guesses made side by side do not slip past it, nor does the id as another name', async () => {
    const { email, sub } = await pool.createUser();
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, n) => pool.startSignIn(n % 2 === 0 ? email : sub)),
    );
    const replies = await Promise.all(begun.map((each) => pool.respond(each.solve('Wrong2026'))));
    expect(replies.filter(({ error }) => error === wrong)).toHaveLength(5);
    expect(replies.filter(({ error }) => error === locked)).toHaveLength(7);
  });

  it('[IDP-03] a network that guesses at many accounts is slowed down', async () => {
    const remoteAddress = '2001:db8::7';
    const now = pool.clock();
    const { email } = await pool.createUser();
    await pool.signIn(email, 'Wrong2026', { remoteAddress });
    await db
      .updateTable('attempt_counter')
      .set({ count: 300, first_at: now, last_at: now })
      .where('kind', '=', 'network-password')
      .execute();
    expect((await pool.signIn(email, password, { remoteAddress: '2001:db8::8' })).at('__type')).toBe(
      'TooManyRequestsException',
    );
    expect((await pool.signIn(email)).status).toBe(200);
  });
});

describe('whether an account exists', () => {
  it('[IDP-03] sign-in looks and fails alike for every name, the lock-out too', async () => {
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

  it.each(['USER_PASSWORD_AUTH', 'CUSTOM_AUTH', 'USER_AUTH', 'ADMIN_NO_SRP_AUTH'])(
    '[AUTH-13] %s is not enabled',
    async (flow) => {
      const { email } = await pool.createUser();
      const reply = await initiate(flow, { USERNAME: email, PASSWORD: password });
      expect(reply.error).toBe(`InvalidParameterException: ${flow} flow not enabled for this client`);
    },
  );

  it('[AUTH-13] USER_PASSWORD_AUTH works where it is switched on, under the same lock-out', async () => {
    const { email } = await pool.createUser();
    const open = await startPool(connection, { passwordAuth: true });
    const attempt = (username: string, PASSWORD: string) =>
      open.call('InitiateAuth', {
        ClientId: clientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: username, PASSWORD },
      });
    expect((await attempt(email, password)).at('AuthenticationResult', 'TokenType')).toBe('Bearer');
    for (let n = 0; n < 5; n += 1) expect((await attempt(email, 'Wrong2026')).error).toBe(wrong);
    expect((await attempt(email, password)).error).toBe(locked);
    expect((await attempt('nobody@escucho.test', password)).error).toBe(wrong);
    await open.app.close();
  });

  it.each([
    ['USER_SRP_AUTH', {}, 'USERNAME'],
    ['USER_SRP_AUTH', { USERNAME: 'ana@escucho.test' }, 'SRP_A'],
    ['REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: null }, 'REFRESH_TOKEN'],
  ])('[IDP-01] %s with %o lacks %s', async (flow, parameters, name) => {
    expect((await initiate(flow, parameters)).error).toBe(
      `InvalidParameterException: Missing required parameter ${name}`,
    );
  });
});
