import { type RateLimit, rateLimits } from '@escucho/contracts';
import { createRateLimiter } from '@escucho/service-kit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createAuthenticator } from '../testing/authenticator.ts';
import { createUserWithTotp, toWrongCode } from '../testing/authenticator-app.ts';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  oauthOptions,
  parseForm,
  parsePasskeyForm,
} from '../testing/browser.ts';
import { clientId, createTestPool, password, secret } from '../testing/pool.ts';

const origin = 'http://localhost:3000';
const { connection, pool } = await createTestPool({
  oauth: oauthOptions,
  passkeys: { id: 'localhost', name: 'Escucho', origins: [origin] },
});
const query = buildAuthorizationQuery(createPkce().challenge);

afterAll(() => {
  vi.useRealTimers();
});

let created = 0;
const newNetwork = () => {
  created += 1;
  return `198.51.100.${created}`;
};
const newAddress = () => {
  created += 1;
  return `user-${created}@escucho.test`;
};

/** Begins another window of all limits, and uses one of everybody up as another process, except for some attempts. */
async function leave(attempts: number, limit: RateLimit): Promise<void> {
  vi.setSystemTime(Date.now() + 2 * limit.windowSeconds * 1000);
  const otherProcess = createRateLimiter({ connection, schema: 'identity', secret });
  const used = { ...limit, limit: limit.limit - attempts };
  let quota = await otherProcess.consume(used, 'everybody');
  while (quota && quota.remaining > 0) quota = await otherProcess.consume(used, 'everybody');
  await otherProcess.close();
}

const call = (operation: string, fields: object, remoteAddress: string) =>
  pool.call(operation, { ClientId: clientId, ...fields }, { remoteAddress });
const confirm = (Username: string, ConfirmationCode: string, network: string) =>
  call('ConfirmSignUp', { Username, ConfirmationCode }, network);
const forget = (Username: string, network = newNetwork()) => call('ForgotPassword', { Username }, network);
const reset = (Username: string, ConfirmationCode: string, network: string) =>
  call('ConfirmForgotPassword', { Username, ConfirmationCode, Password: password }, network);

async function signUp() {
  const email = newAddress();
  await pool.signUp(email);
  return { email, code: await pool.getLatestCode(email) };
}

/** Creates a network that has sent a wrong code. */
async function createGuessingNetwork(): Promise<string> {
  const network = newNetwork();
  expect((await confirm(newAddress(), '000000', network)).at('__type')).toBe('ExpiredCodeException');
  return network;
}

/** Signs in with the password, and returns a function that answers with a code from a network. */
async function startCodeChallenge() {
  const user = await createUserWithTotp(pool);
  const challenge = await pool.signIn(user.email);
  const answer = (code: string, remoteAddress: string) =>
    call(
      'RespondToAuthChallenge',
      {
        ChallengeName: challenge.at('ChallengeName'),
        ChallengeResponses: {
          USERNAME: challenge.at('ChallengeParameters', 'USERNAME'),
          SOFTWARE_TOKEN_MFA_CODE: code,
        },
        Session: challenge.at('Session'),
      },
      remoteAddress,
    );
  return { code: user.code(), answer };
}

async function createPasskey() {
  const { access: AccessToken, email } = await pool.createSignedInUser();
  const key = createAuthenticator({ origin, rpId: 'localhost' });
  const started = await pool.call('StartWebAuthnRegistration', { AccessToken });
  const Credential = key.create(Object(started.body).CredentialCreationOptions);
  await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential });
  return { email, key };
}
type Passkey = Awaited<ReturnType<typeof createPasskey>>;

/** Answers the challenge for a passkey; without one, with a malformed answer. */
async function answerByPasskey(remoteAddress: string, { email, key }: Partial<Passkey> = {}) {
  const AuthParameters = { USERNAME: email ?? newAddress(), PREFERRED_CHALLENGE: 'WEB_AUTHN' };
  const challenge = await call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters }, remoteAddress);
  const options = JSON.parse(challenge.at('ChallengeParameters', 'CREDENTIAL_REQUEST_OPTIONS'));
  const CREDENTIAL = key ? JSON.stringify(key.get(options)) : '{}';
  const ChallengeResponses = { USERNAME: AuthParameters.USERNAME, CREDENTIAL };
  const answer = { ChallengeName: 'WEB_AUTHN', Session: challenge.at('Session'), ChallengeResponses };
  return call('RespondToAuthChallenge', answer, remoteAddress);
}

/** Submits a passkey at the hosted page; without one, a malformed answer. */
async function submitPasskey(remoteAddress: string, { key }: Partial<Passkey> = {}) {
  const browser = createBrowser(pool.app, { remoteAddress });
  const form = parsePasskeyForm((await browser.openSignInPage(query)).body);
  const credential = key ? JSON.stringify(key.get(form.options)) : '{}';
  return browser.post(form.action, { ...form.fields, credential });
}

describe('wrong codes of all networks', () => {
  const [, total] = rateLimits.wrongCode;

  it('[IDP-03] do not include codes of nobody, expired codes and passkeys', async () => {
    const { code, answer } = await startCodeChallenge();
    const { email, code: signUpCode } = await signUp();
    const passkey = await createPasskey();
    await leave(1, total);
    const network = await createGuessingNetwork();
    const unknown = newAddress();
    await forget(unknown);
    for (let n = 0; n < 3; n += 1) {
      expect((await reset(unknown, '000000', newNetwork())).at('__type')).toBe('CodeMismatchException');
      await createGuessingNetwork();
      const known = await pool.createUser();
      expect((await confirm(known.email, '000000', newNetwork())).at('__type')).toBe('ExpiredCodeException');
      expect((await submitPasskey(newNetwork())).body).toContain('The passkey could not be verified.');
      expect((await answerByPasskey(newNetwork())).at('message')).toBe('The passkey could not be verified.');
    }
    expect((await answer(code, network)).status).toBe(200);
    expect((await answerByPasskey(network, passkey)).status).toBe(200);
    expect((await confirm(email, signUpCode, network)).status).toBe(200);
  });

  it.each([
    [
      'a sign-up',
      async (network: string) => {
        const { email, code } = await signUp();
        return confirm(email, toWrongCode(code), network);
      },
    ],
    [
      'a new password',
      async (network: string) => {
        const { email } = await pool.createUser();
        await forget(email);
        return reset(email, toWrongCode(await pool.getLatestCode(email)), network);
      },
    ],
    [
      'an authenticator app',
      async (network: string) => {
        const { code, answer } = await startCodeChallenge();
        return answer(toWrongCode(code), network);
      },
    ],
    [
      'recovery',
      async (network: string) => {
        const { answer } = await startCodeChallenge();
        return answer('AAAAA-AAAAA', network);
      },
    ],
  ])('[IDP-03] include codes of %s; networks that guess are refused', async (_, guess) => {
    const { email, code } = await signUp();
    const network = newNetwork();
    await leave(1, total);
    expect((await guess(network)).at('__type')).toBe('CodeMismatchException');
    const refused = await confirm(email, code, network);
    expect(refused.at('__type')).toBe('LimitExceededException');
    vi.setSystemTime(Date.now() + Number(refused.headers['retry-after']) * 1000);
    expect((await confirm(email, code, network)).status).toBe(200);
  });

  it('[IDP-03] do not stop the codes of other networks, or passkeys', async () => {
    const challenge = await startCodeChallenge();
    const passkey = await createPasskey();
    const { email, code } = await signUp();
    await leave(0, total);
    const guessing = await createGuessingNetwork();
    expect((await challenge.answer(challenge.code, guessing)).at('__type')).toBe('LimitExceededException');
    expect((await submitPasskey(guessing, passkey)).statusCode).toBe(303);
    expect((await answerByPasskey(guessing, passkey)).status).toBe(200);
    expect((await challenge.answer(challenge.code, newNetwork())).status).toBe(200);
    const network = newNetwork();
    expect((await confirm(email, toWrongCode(code), network)).at('__type')).toBe('CodeMismatchException');
    expect((await confirm(email, code, network)).at('__type')).toBe('LimitExceededException');
    expect((await confirm(email, code, newNetwork())).status).toBe(200);
  });

  it('[IDP-03] refuse a network that guesses at the hosted page too', async () => {
    const user = await createUserWithTotp(pool);
    await leave(0, total);
    const browser = createBrowser(pool.app, { remoteAddress: await createGuessingNetwork() });
    const form = parseForm((await browser.signIn(query, user.email, password)).body);
    const refused = await browser.post(form.action, { ...form.fields, code: user.code() });
    expect([refused.statusCode, refused.headers.location]).toEqual([429, undefined]);
  });
});

describe('mails of all networks', () => {
  const [, total] = rateLimits.mail;

  it('[IDP-03] do not include those for unknown addresses, which get the same responses', async () => {
    const users = [await pool.createUser(), await pool.createUser()];
    await leave(2, total);
    for (let n = 0; n < 5; n += 1) expect((await forget(newAddress())).error).toBe('undefined: undefined');
    for (const { email } of users) {
      expect((await forget(email)).status).toBe(200);
      expect(await pool.listCodes(email)).toHaveLength(2);
    }
    for (const address of [newAddress(), ...users.map(({ email }) => email)]) {
      expect((await forget(address)).at('__type')).toBe('LimitExceededException');
    }
  });
});
