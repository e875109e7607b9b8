import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toWrongCode } from '../testing/authenticator-app.ts';
import { clientId, createTestPool, type PoolResponse, password } from '../testing/pool.ts';
import { createSrpClient } from '../testing/srp-client.ts';

const { pool, db } = await createTestPool({ customAuth: true });

const wrongPassword = 'NotAuthorizedException: Incorrect username or password.';
const invalidSession = 'NotAuthorizedException: Invalid session for the user.';
const limitExceeded = 'LimitExceededException: Attempt limit exceeded, please try after some time.';
const minute = 60_000;

const initiate = (AuthParameters: object) =>
  pool.call('InitiateAuth', { ClientId: clientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters });

const respond = (challenge: PoolResponse, ANSWER: string, overrides: object = {}) =>
  pool.call('RespondToAuthChallenge', {
    ClientId: clientId,
    ChallengeName: 'CUSTOM_CHALLENGE',
    ChallengeResponses: { USERNAME: challenge.at('ChallengeParameters', 'USERNAME'), ANSWER },
    Session: challenge.at('Session'),
    ...overrides,
  });

describe('CUSTOM_AUTH', () => {
  it('[AUTH-13] mails a code and signs the user in by it', async () => {
    const { email, sub } = await pool.createUser();
    const challenge = await initiate({ USERNAME: email.toUpperCase() });
    expect(challenge.body).toEqual({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: {
        USERNAME: sub,
        CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
        CODE_DELIVERY_DESTINATION: 'u***@e***',
      },
      Session: expect.any(String),
    });
    const response = await respond(challenge, await pool.getLatestCode(email));
    expect(response.at('AuthenticationResult', 'TokenType')).toBe('Bearer');
    const AccessToken = response.at('AuthenticationResult', 'AccessToken');
    expect((await pool.call('GetUser', { AccessToken })).at('Username')).toBe(sub);
    expect((await pool.refresh(response.at('AuthenticationResult', 'RefreshToken'))).status).toBe(200);
  });

  it('[AUTH-13] with SRP_A checks the password before it sends a code', async () => {
    const { email } = await pool.createUser();
    const start = async (attempt: string) => {
      const client = createSrpClient('Ab12Cd34E');
      const { at, error } = await initiate({ USERNAME: email, CHALLENGE_NAME: 'SRP_A', SRP_A: client.A });
      expect(at('ChallengeName'), error).toBe('PASSWORD_VERIFIER');
      const get = (name: string) => at('ChallengeParameters', name);
      const parameters = {
        SALT: get('SALT'),
        SRP_B: get('SRP_B'),
        SECRET_BLOCK: get('SECRET_BLOCK'),
        USER_ID_FOR_SRP: get('USER_ID_FOR_SRP'),
      };
      return pool.respond(client.solve(parameters, attempt, pool.clock()));
    };
    const mails = (await pool.listCodes(email)).length;
    expect((await start('Wrong2026')).error).toBe(wrongPassword);
    expect(await pool.listCodes(email)).toHaveLength(mails);
    const challenge = await start(password);
    expect(challenge.at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
    expect(challenge.body).not.toHaveProperty('AuthenticationResult');
    const ANSWER = await pool.getLatestCode(email);
    // The code of a sign-in without the password does not replace it.
    await initiate({ USERNAME: email });
    const response = await respond(challenge, ANSWER, { ChallengeResponses: { USERNAME: email, ANSWER } });
    expect(response.status).toBe(200);
  });

  it('[AUTH-13] repeats the challenge after a wrong answer, and refuses the third', async () => {
    const { email } = await pool.createUser();
    const first = await initiate({ USERNAME: email });
    const wrongCode = toWrongCode(await pool.getLatestCode(email));
    const second = await respond(first, wrongCode);
    expect(second.at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
    expect(second.body).toMatchObject({ ChallengeParameters: Object(first.body).ChallengeParameters });
    const third = await respond(second, wrongCode);
    expect(new Set([first, second, third].map(({ at }) => at('Session'))).size).toBe(3);
    expect((await respond(third, wrongCode)).error).toBe(wrongPassword);
    const other = await initiate({ USERNAME: email });
    const secondAttempt = await respond(other, wrongCode);
    expect((await respond(secondAttempt, await pool.getLatestCode(email))).status).toBe(200);
  });

  it('[IDP-03] three wrong answers burn the code for every session', async () => {
    const { email } = await pool.createUser();
    const [first, second] = [await initiate({ USERNAME: email }), await initiate({ USERNAME: email })];
    const code = await pool.getLatestCode(email);
    const retry = await respond(await respond(first, toWrongCode(code)), toWrongCode(code));
    expect((await respond(retry, toWrongCode(code))).error).toBe(wrongPassword);
    expect((await respond(second, code)).at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
  });

  it('[IDP-03] a session and a code can be used once', async () => {
    const { email } = await pool.createUser();
    const [first, second] = [await initiate({ USERNAME: email }), await initiate({ USERNAME: email })];
    const code = await pool.getLatestCode(email);
    const responses = await Promise.all([respond(second, code), respond(second, code)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await respond(second, code)).error).toBe(
      'NotAuthorizedException: Invalid session for the user, session can only be used once.',
    );
    expect((await respond(first, code)).at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
  });

  it('[IDP-03] a code does not answer an earlier challenge', async () => {
    const { email } = await pool.createUser();
    const stranger = await initiate({ USERNAME: email });
    const own = await initiate({ USERNAME: email });
    const code = await pool.getLatestCode(email);
    expect((await respond(stranger, code)).at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
    const wrong = await respond(own, toWrongCode(code));
    expect((await respond(wrong, code)).at('AuthenticationResult', 'TokenType')).toBe('Bearer');
  });

  it('[IDP-03] a session expires after 15 minutes', async () => {
    const { email } = await pool.createUser();
    const challenge = await initiate({ USERNAME: email });
    const code = await pool.getLatestCode(email);
    const late = await pool.withClockAdvanced(15 * minute, () => respond(challenge, code));
    expect(late.error).toBe('NotAuthorizedException: Invalid session for the user, session is expired.');
  });

  it('[IDP-03] an answer needs the session and the username of the challenge', async () => {
    const { email } = await pool.createUser();
    const other = await pool.createUser();
    const challenge = await initiate({ USERNAME: email });
    const ANSWER = await pool.getLatestCode(email);
    const { parameters } = await pool.startSignIn(email);
    const attempts: [object, string][] = [
      [{ Session: 'nonsense' }, invalidSession],
      [{ Session: parameters.SECRET_BLOCK }, invalidSession],
      [{ Session: null }, 'InvalidParameterException: Missing required parameter Session'],
      [{ ChallengeResponses: { USERNAME: other.sub, ANSWER } }, invalidSession],
      [
        { ChallengeResponses: { USERNAME: email } },
        'InvalidParameterException: Missing required parameter ANSWER',
      ],
    ];
    for (const [overrides, error] of attempts) {
      expect((await respond(challenge, ANSWER, overrides)).error).toBe(error);
    }
    expect((await respond(challenge, ANSWER)).status).toBe(200);
  });

  it('[IDP-03] looks the same for an unknown user, up to the third answer and the rate limit', async () => {
    const unknown = `user-${randomUUID()}@escucho.test`;
    const { email } = await pool.createUser();
    const run = async (USERNAME: string) => {
      const first = await initiate({ USERNAME });
      const second = await respond(first, 'wrong');
      const third = await respond(second, 'wrong');
      const { USERNAME: id, ...visible } = Object(first.body).ChallengeParameters;
      for (const { body } of [second, third])
        expect(Object(body).ChallengeParameters).toEqual({ USERNAME: id, ...visible });
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      const keys = [first, second, third].map(({ body }) => Object.keys(Object(body)));
      const last = (await respond(third, 'wrong')).error;
      const errors = [];
      for (let n = 0; n < 5; n += 1) errors.push((await initiate({ USERNAME })).error);
      return { visible, keys, last, errors };
    };
    const outcome = await run(unknown);
    expect(outcome).toEqual(await run(email));
    expect(outcome.last).toBe(wrongPassword);
    expect(outcome.errors.at(-1)).toBe(limitExceeded);
    expect((await initiate({ USERNAME: unknown.toUpperCase() })).error).toBe(limitExceeded);
    expect(await pool.listCodes(unknown)).toEqual([]);
  });

  it.each([
    ['UNCONFIRMED', 'UserNotConfirmedException: User is not confirmed.'],
    ['RESET_REQUIRED', 'PasswordResetRequiredException: Password reset required for the user'],
  ] as const)('[IDP-03] reveals the status %s after the right code only', async (status, error) => {
    const { email, sub } = await pool.createUser();
    await db.updateTable('account').set({ status }).where('id', '=', sub).execute();
    const challenge = await initiate({ USERNAME: email });
    const retry = await respond(challenge, 'wrong');
    expect(retry.at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
    expect((await respond(retry, await pool.getLatestCode(email))).error).toBe(error);
  });

  it('[IDP-03] sends twenty codes a day at most', async () => {
    const { email } = await pool.createUser();
    const start = () => initiate({ USERNAME: email });
    for (let n = 0; n < 20; n += 1) {
      const { status } = await pool.withClockAdvanced(n * 15 * minute, start);
      expect(status).toBe(200);
    }
    expect((await pool.withClockAdvanced(23 * 60 * minute, start)).error).toBe(limitExceeded);
    expect((await pool.withClockAdvanced(24 * 60 * minute, start)).status).toBe(200);
  });

  it('[IDP-03] sends no code to a disabled user', async () => {
    const { email, sub } = await pool.createUser();
    await db.updateTable('account').set({ enabled: false }).where('id', '=', sub).execute();
    const mails = (await pool.listCodes(email)).length;
    expect((await initiate({ USERNAME: email })).at('ChallengeName')).toBe('CUSTOM_CHALLENGE');
    expect(await pool.listCodes(email)).toHaveLength(mails);
  });

  it('[IDP-03] stores only a hash of the code', async () => {
    const { email, sub } = await pool.createUser();
    await initiate({ USERNAME: email });
    const code = await pool.getLatestCode(email);
    const row = await db
      .selectFrom('verification_code')
      .selectAll()
      .where('userId', '=', sub)
      .executeTakeFirstOrThrow();
    expect(row.purpose).toBe('sign-in');
    expect(row.hash).toHaveLength(32);
    expect(row.hash.includes(Buffer.from(code))).toBe(false);
  });

  it.each([
    ['USERNAME', {}],
    ['SRP_A', { USERNAME: 'ana@escucho.test', CHALLENGE_NAME: 'SRP_A' }],
  ])('[IDP-01] requires %s', async (name, parameters) => {
    expect((await initiate(parameters)).at('message')).toBe(`Missing required parameter ${name}`);
  });
});
