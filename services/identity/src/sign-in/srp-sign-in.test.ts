import { describe, expect, it } from 'vitest';
import { clientId, createTestPool, password, startPool } from '../testing/pool.ts';
import { createSrpClient } from '../testing/srp-client.ts';
import { N } from './srp.ts';

const { connection, pool, db } = await createTestPool();

const wrong = 'NotAuthorizedException: Incorrect username or password.';
const minute = 60_000;

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

describe('an SRP handshake', () => {
  it('[IDP-03] can be used once, with a right or a wrong response', async () => {
    const { email } = await pool.createUser();
    const srpSignIn = await pool.startSignIn(email);
    const response = srpSignIn.solve();
    const replies = await Promise.all([
      pool.respond(response),
      pool.respond(response),
      pool.respond(response),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const next = await pool.startSignIn(email);
    expect((await pool.respond(next.solve('Wrong2026'))).error).toBe(wrong);
    expect((await pool.respond(next.solve())).error).toBe(
      'NotAuthorizedException: Invalid session for the user, session can only be used once.',
    );
  });

  it('[IDP-03] expires after three minutes', async () => {
    const { email } = await pool.createUser();
    const srpSignIn = await pool.startSignIn(email);
    const reply = await pool.withClockAdvanced(3 * minute, () => pool.respond(srpSignIn.solve()));
    expect(reply.error).toBe('NotAuthorizedException: Invalid session for the user, session is expired.');
  });

  it('[IDP-03] is refused for another user than it was created for', async () => {
    const [ana, eva] = [await pool.createUser(), await pool.createUser()];
    const srpSignIn = await pool.startSignIn(ana.email);
    const reply = await pool.respond({ ...srpSignIn.solve(), USERNAME: eva.sub });
    expect(reply.error).toBe('NotAuthorizedException: Invalid session for the user.');
    const forEva = await pool.startSignIn(eva.email);
    const mixed = srpSignIn.solve(password, {
      ...srpSignIn.parameters,
      SECRET_BLOCK: forEva.parameters.SECRET_BLOCK,
    });
    expect((await pool.respond({ ...mixed, USERNAME: eva.sub })).error).toBe(wrong);
    expect((await pool.respond({ ...srpSignIn.solve(), USERNAME: ana.email })).status).toBe(200);
  });

  it.each<[string, (response: Record<string, string>) => Record<string, string>, string]>([
    [
      'a signature cut short',
      (response) => ({
        ...response,
        PASSWORD_CLAIM_SIGNATURE: Buffer.from(response.PASSWORD_CLAIM_SIGNATURE ?? '', 'base64')
          .subarray(0, 31)
          .toString('base64'),
      }),
      wrong,
    ],
    ['a signature of nothing', (response) => ({ ...response, PASSWORD_CLAIM_SIGNATURE: '====' }), wrong],
    [
      'another TIMESTAMP than signed',
      (response) => ({
        ...response,
        TIMESTAMP: (response.TIMESTAMP ?? '').replace(/\d(?= UTC)/, (digit) =>
          String((Number(digit) + 1) % 10),
        ),
      }),
      wrong,
    ],
    [
      'a TIMESTAMP of another form',
      (response) => ({ ...response, TIMESTAMP: new Date().toISOString() }),
      'InvalidParameterException: TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.',
    ],
    [
      'a TIMESTAMP of another year',
      (response) => ({ ...response, TIMESTAMP: 'Mon Jan 5 07:08:09 UTC 2015' }),
      'InvalidParameterException: TIMESTAMP is too far from the present time.',
    ],
    [
      'a secret block that is changed',
      (response) => ({
        ...response,
        PASSWORD_CLAIM_SECRET_BLOCK: `A${response.PASSWORD_CLAIM_SECRET_BLOCK}`,
      }),
      'NotAuthorizedException: Invalid session for the user.',
    ],
    [
      'no secret block',
      (response) => ({ ...response, PASSWORD_CLAIM_SECRET_BLOCK: '' }),
      'InvalidParameterException: Missing required parameter PASSWORD_CLAIM_SECRET_BLOCK',
    ],
  ])('[IDP-03] %s is refused', async (_, modify, error) => {
    const { email } = await pool.createUser();
    const srpSignIn = await pool.startSignIn(email);
    expect((await pool.respond(modify(srpSignIn.solve()))).error).toBe(error);
  });

  it('[IDP-03] continues in another process', async () => {
    const { email } = await pool.createUser();
    const second = await startPool(connection);
    const srpSignIn = await pool.startSignIn(email);
    const response = srpSignIn.solve();
    expect((await second.respond(response)).status).toBe(200);
    expect((await pool.respond(response)).status).toBe(400);
  });

  it.each([
    ['nearly an hour slow', -59 * minute, 200],
    ['nearly an hour fast', 59 * minute, 200],
    ['more than an hour slow', -61 * minute, 400],
    ['more than an hour fast', 61 * minute, 400],
  ])('[IDP-03] a clock that is %s gets status %3$i', async (_, offset, status) => {
    const { email } = await pool.createUser();
    const srpSignIn = await pool.startSignIn(email);
    const response = await pool.withClockAdvanced(offset, async () => srpSignIn.solve());
    expect((await pool.respond(response)).status).toBe(status);
  });

  it.each(['2026-11-01T07:08:09Z', '2026-11-30T23:59:59Z', '2028-02-29T00:00:00Z', '2027-01-09T12:00:00Z'])(
    '[IDP-01] signs in on a day written with one digit or two: %s',
    async (moment) => {
      const { email } = await pool.createUser();
      const offset = new Date(moment).getTime() - pool.clock().getTime();
      expect((await pool.withClockAdvanced(offset, () => pool.signIn(email))).status).toBe(200);
    },
  );

  it('[IDP-01] accepts the username of the request or of the challenge, in any case', async () => {
    const { email, sub } = await pool.createUser();
    const names = [email, email.toUpperCase(), sub, sub.toUpperCase()];
    for (const requested of names) {
      for (const responded of [requested, sub, sub.toUpperCase()]) {
        const srpSignIn = await pool.startSignIn(requested);
        expect((await pool.respond({ ...srpSignIn.solve(), USERNAME: responded })).status).toBe(200);
      }
    }
  });

  it('[IDP-01] ignores SECRET_HASH, device keys and analytics', async () => {
    const { email } = await pool.createUser();
    const ignoredMembers = {
      AnalyticsMetadata: { AnalyticsEndpointId: 'x' },
      UserContextData: { EncodedData: 'x', IpAddress: '203.0.113.9' },
      ClientMetadata: { any: 'value' },
    };
    const client = createSrpClient('Ab12Cd34E');
    const srpSignIn = await pool.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      ...ignoredMembers,
      AuthParameters: { USERNAME: email, SRP_A: client.A, SECRET_HASH: 'x', DEVICE_KEY: null },
    });
    const getParameter = (name: string) => srpSignIn.at('ChallengeParameters', name);
    const challenge = {
      SALT: getParameter('SALT'),
      SRP_B: getParameter('SRP_B'),
      SECRET_BLOCK: getParameter('SECRET_BLOCK'),
      USER_ID_FOR_SRP: getParameter('USER_ID_FOR_SRP'),
    };
    const response = await pool.call('RespondToAuthChallenge', {
      ClientId: clientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      Session: null,
      ...ignoredMembers,
      ChallengeResponses: {
        ...client.solve(challenge, password, pool.clock()),
        SECRET_HASH: 'x',
        DEVICE_KEY: 'local_device',
      },
    });
    expect(response.status).toBe(200);
    const refreshed = await pool.call('GetTokensFromRefreshToken', {
      ClientId: clientId,
      DeviceKey: null,
      ClientSecret: 'x',
      ...ignoredMembers,
      RefreshToken: response.at('AuthenticationResult', 'RefreshToken'),
    });
    expect(refreshed.status).toBe(200);
    const refreshedByFlow = await pool.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      ...ignoredMembers,
      AuthParameters: {
        REFRESH_TOKEN: response.at('AuthenticationResult', 'RefreshToken'),
        SECRET_HASH: 'x',
        DEVICE_KEY: null,
      },
    });
    expect(refreshedByFlow.status).toBe(200);
  });

  it.each(['SMS_MFA', 'NEW_PASSWORD_REQUIRED', 'DEVICE_PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'])(
    '[IDP-01] refuses a response to %s, which was not issued',
    async (ChallengeName) => {
      const { email } = await pool.createUser();
      const ChallengeResponses = (await pool.startSignIn(email)).solve();
      const body = { ClientId: clientId, ChallengeName, ChallengeResponses };
      expect((await pool.call('RespondToAuthChallenge', body)).error).toBe(
        'NotAuthorizedException: Invalid session for the user.',
      );
    },
  );
});
