import { describe, expect, it } from 'vitest';
import { answerChallenge, createUserWithTotp } from '../testing/authenticator-app.ts';
import { clientId, createTestPool, type PoolResponse, password } from '../testing/pool.ts';
import { createSrpClient } from '../testing/srp-client.ts';

const passkeys = { id: 'escucho.test', name: 'Escucho', origins: ['https://escucho.test'] };
const { pool } = await createTestPool({ passwordAuth: true, passkeys });

const initiate = (AuthParameters: object) =>
  pool.call('InitiateAuth', { ClientId: clientId, AuthFlow: 'USER_AUTH', AuthParameters });

const select = (challenge: PoolResponse, ChallengeResponses: object) =>
  pool.call('RespondToAuthChallenge', {
    ClientId: clientId,
    ChallengeName: 'SELECT_CHALLENGE',
    ChallengeResponses,
    Session: challenge.at('Session'),
  });

describe('USER_AUTH', () => {
  it('[AUTH-13] offers every user, also an unknown one, the same first factors', async () => {
    const { email } = await pool.createUser();
    for (const USERNAME of [email, 'nobody@escucho.test']) {
      expect((await initiate({ USERNAME })).body).toEqual({
        ChallengeName: 'SELECT_CHALLENGE',
        ChallengeParameters: {},
        AvailableChallenges: ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'],
        Session: expect.any(String),
      });
    }
  });

  it('[AUTH-13] a selected mailed code signs in, and a wrong one can be corrected', async () => {
    const { email: USERNAME } = await pool.createUser();
    const challenge = await select(await initiate({ USERNAME }), { USERNAME, ANSWER: 'EMAIL_OTP' });
    expect(challenge.body).toMatchObject({
      ChallengeName: 'EMAIL_OTP',
      ChallengeParameters: {
        CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
        CODE_DELIVERY_DESTINATION: 'u***@e***',
      },
    });
    const wrong = await answerChallenge(pool, challenge, 'wrong');
    expect(wrong.error).toBe('CodeMismatchException: Invalid code or auth state for the user.');
    const code = await pool.getLatestCode(USERNAME);
    expect((await answerChallenge(pool, challenge, code)).at('AuthenticationResult', 'TokenType')).toBe(
      'Bearer',
    );
    expect((await answerChallenge(pool, challenge, code)).status).toBe(400);
  });

  it('[IDP-03] a mailed code looks the same for an unknown user, up to the last attempt', async () => {
    const { email } = await pool.createUser();
    const run = async (USERNAME: string) => {
      const challenge = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      const errors = [];
      for (let n = 0; n < 4; n += 1) errors.push((await answerChallenge(pool, challenge, 'wrong')).error);
      return { keys: Object.keys(Object(challenge.body).ChallengeParameters), errors };
    };
    const known = await run(email);
    expect(known.errors.at(-1)).toMatch(/^ExpiredCodeException/);
    expect(await run(`u${email}`)).toEqual(known);
  });

  it('[AUTH-13] [IDP-03] the second factor follows a password and a mailed code', async () => {
    const user = await createUserWithTotp(pool);
    const USERNAME = user.email;
    const byPassword = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: password });
    expect(byPassword.at('ChallengeName')).toBe('SOFTWARE_TOKEN_MFA');
    expect((await answerChallenge(pool, byPassword, user.code())).status).toBe(200);
    const mailed = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    const byMail = await answerChallenge(pool, mailed, await pool.getLatestCode(USERNAME));
    expect(byMail.at('ChallengeName')).toBe('SOFTWARE_TOKEN_MFA');
    expect((await answerChallenge(pool, byMail, user.code(30_000))).status).toBe(200);
  });

  it('[IDP-03] codes that a stranger requests and guesses leave those after a password valid', async () => {
    const { email: USERNAME, access: AccessToken } = await pool.createSignedInUser();
    const EmailMfaSettings = { Enabled: true };
    await pool.call('SetUserMFAPreference', { AccessToken, EmailMfaSettings });
    const challenge = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: password });
    const code = await pool.getLatestCode(USERNAME);
    for (let mail = 0; mail < 5; mail += 1) {
      const guessed = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      for (let guess = 0; guess < 3; guess += 1) await answerChallenge(pool, guessed, 'wrong');
    }
    expect((await answerChallenge(pool, challenge, code)).status).toBe(200);
    const next = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: password });
    expect(next.at('ChallengeName'), next.error).toBe('EMAIL_OTP');
    const messages = await pool.app.inject(`/outbox/messages?to=${encodeURIComponent(USERNAME)}`);
    const [secondFactor, firstFactor] = messages.json();
    expect(secondFactor.text).toMatch(/somebody knows your password[\s\S]*alguien sabe tu contraseña/);
    expect(firstFactor.text).not.toMatch(/somebody knows your password/);
  });

  it('[AUTH-13] a selected password by SRP continues with PASSWORD_VERIFIER', async () => {
    const { email: USERNAME } = await pool.createUser();
    const client = createSrpClient('Ab12Cd34E');
    const selection = await initiate({ USERNAME });
    const answer = { USERNAME, ANSWER: 'PASSWORD_SRP', SRP_A: client.A };
    const { at } = await select(selection, answer);
    const get = (name: string) => at('ChallengeParameters', name);
    const challenge = {
      SALT: get('SALT'),
      SRP_B: get('SRP_B'),
      SECRET_BLOCK: get('SECRET_BLOCK'),
      USER_ID_FOR_SRP: get('USER_ID_FOR_SRP'),
    };
    const response = await pool.respond(client.solve(challenge, password, pool.clock()));
    expect(response.at('AuthenticationResult', 'TokenType')).toBe('Bearer');
    const wrong = { USERNAME, ANSWER: 'PASSWORD', PASSWORD: 'Wrong2026' };
    expect((await select(selection, wrong)).at('message')).toBe('Incorrect username or password.');
  });

  it('[AUTH-13] a user who has no passkey at hand can choose another factor', async () => {
    const { email: USERNAME } = await pool.createUser();
    const passkey = await initiate({ USERNAME, PREFERRED_CHALLENGE: 'WEB_AUTHN' });
    const challenge = await select(passkey, { USERNAME, ANSWER: 'EMAIL_OTP' });
    expect(challenge.at('ChallengeName')).toBe('EMAIL_OTP');
  });

  it.each([
    ['no username', {}, {}, 'Missing required parameter USERNAME'],
    [
      'an unknown factor',
      { USERNAME: 'ana@escucho.test' },
      { ANSWER: 'SMS_OTP' },
      'The challenge is not one of AvailableChallenges.',
    ],
    [
      'another user',
      { USERNAME: 'ana@escucho.test' },
      { USERNAME: 'eva@escucho.test', ANSWER: 'EMAIL_OTP' },
      'Invalid session for the user.',
    ],
  ])('[IDP-03] refuses %s', async (_, parameters, answer, message) => {
    const selection = await initiate(parameters);
    const response =
      selection.status === 200 ? await select(selection, { ...parameters, ...answer }) : selection;
    expect(response.at('message')).toBe(message);
  });
});
