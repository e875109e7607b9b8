import { rateLimits } from '@escucho/contracts';
import { createRateLimitConsumer } from '@escucho/service-kit/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createUserWithTotp, toWrongCode } from '../testing/authenticator-app.ts';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  oauthOptions,
  parseForm,
} from '../testing/browser.ts';
import { clientId, createTestPool, password, secret } from '../testing/pool.ts';

const { connection, pool, db } = await createTestPool({ oauth: oauthOptions });
const useUp = createRateLimitConsumer({ connection, schema: 'identity', secret });
afterEach(() => {
  vi.useRealTimers();
});

let networks = 0;
const newNetwork = () => {
  networks += 1;
  return `198.51.${networks >> 8}.${networks & 255}`;
};

const countAccounts = () =>
  db
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();

const newUser = { Username: 'new@escucho.test', Password: password };
const redemption = { Username: 'new@escucho.test', ConfirmationCode: '123456' };

describe('the rate limit of a network', () => {
  it.each([
    ['InitiateAuth', 'signIn', { AuthFlow: 'USER_SRP_AUTH', AuthParameters: {} }],
    ['RespondToAuthChallenge', 'signIn', { ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses: {} }],
    ['SignUp', 'signUp', newUser],
    ['ConfirmSignUp', 'codes', redemption],
    ['ResendConfirmationCode', 'codes', newUser],
    ['ForgotPassword', 'codes', newUser],
    ['ConfirmForgotPassword', 'codes', { ...redemption, Password: password }],
    ['GetUserAttributeVerificationCode', 'codes', { AccessToken: 'a', AttributeName: 'email' }],
    ['VerifyUserAttribute', 'codes', { AccessToken: 'a', AttributeName: 'email', Code: '1' }],
    ['GetTokensFromRefreshToken', 'tokens', { RefreshToken: 'unknown' }],
    ['ChangePassword', 'identity', { AccessToken: 'a' }],
    ['GetUser', 'identity', { AccessToken: 'a' }],
    ['RevokeToken', 'identity', { Token: 'unknown' }],
  ] as const)('[IDP-03] %s is refused beyond %s, and changes nothing', async (operation, name, fields) => {
    const [limit] = rateLimits[name];
    const remoteAddress = newNetwork();
    const send = (from: string) =>
      pool.call(operation, { ClientId: clientId, ...fields }, { remoteAddress: from });
    await useUp(rateLimits[name][0], remoteAddress);
    const before = await countAccounts();
    const refused = await send(remoteAddress);
    expect([refused.status, refused.at('__type')]).toEqual([400, 'TooManyRequestsException']);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(limit.windowSeconds);
    expect(refused.headers.ratelimit).toBe(`"${limit.name}";r=0;t=${refused.headers['retry-after']}`);
    expect(await countAccounts()).toEqual(before);
    vi.setSystemTime(Date.now() + limit.windowSeconds * 1000);
    expect((await send(remoteAddress)).at('__type')).not.toBe('TooManyRequestsException');
  });

  it.each([
    ['POST', '/oauth2/token', 'tokens', 'temporarily_unavailable'],
    ['POST', '/oauth2/revoke', 'tokens', 'temporarily_unavailable'],
    ['GET', '/oauth2/userInfo', 'identity', 'temporarily_unavailable'],
    ['GET', '/oauth2/authorize', 'identity', 'Too much is going on'],
    ['GET', '/login', 'identity', 'Too much is going on'],
    ['POST', '/login', 'signIn', 'Too much is going on'],
    ['GET', '/logout', 'identity', 'Too much is going on'],
    ['GET', '/oauth2/idpresponse', 'signIn', 'Too much is going on'],
  ] as const)('[IDP-03] %s %s is refused beyond %s with 429', async (method, path, name, text) => {
    const remoteAddress = newNetwork();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (from: string) =>
      pool.app.inject({ method, url: `/identity${path}`, headers, payload: '', remoteAddress: from });
    await useUp(rateLimits[name][0], remoteAddress);
    const refused = await send(remoteAddress);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.body).toContain(text);
    expect((await send(newNetwork())).statusCode).not.toBe(429);
  });

  it('[IDP-03] does not stop others while one network floods', async () => {
    const flooding = newNetwork();
    await useUp(rateLimits.signIn[0], flooding);
    const { email } = await pool.createUser();
    const [refused, signedIn] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => pool.startSignIn(email, { remoteAddress: flooding }))),
      pool.signIn(email, password, { remoteAddress: newNetwork() }),
    ]);
    expect(new Set(refused.map(({ response }) => response.status))).toEqual(new Set([400]));
    expect(signedIn.status).toBe(200);
  });
});

describe('codes', () => {
  const confirm = (email: string, code: string, remoteAddress: string) =>
    pool.call(
      'ConfirmSignUp',
      { ClientId: clientId, Username: email, ConfirmationCode: code },
      { remoteAddress },
    );

  it('[IDP-03] wrong ones of one network are limited over all accounts', async () => {
    const remoteAddress = newNetwork();
    await useUp(rateLimits.wrongCode[0], remoteAddress);
    const email = 'careful@escucho.test';
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    expect((await confirm(email, code, remoteAddress)).at('__type')).toBe('LimitExceededException');
    expect((await confirm(email, code, newNetwork())).status).toBe(200);
  });

  /** Opens the hosted page that asks for the second factor. */
  async function openCodePage(remoteAddress: string) {
    const user = await createUserWithTotp(pool);
    const browser = createBrowser(pool.app, { remoteAddress });
    const query = buildAuthorizationQuery(createPkce().challenge);
    const form = parseForm((await browser.signIn(query, user.email, password)).body);
    return {
      code: user.code(),
      submit: (code: string) => browser.post(form.action, { ...form.fields, code }),
    };
  }

  it('[IDP-03] wrong ones at the hosted page count towards the limit of the network', async () => {
    const remoteAddress = newNetwork();
    await useUp(rateLimits.wrongCode[0], remoteAddress, { except: 1 });
    const page = await openCodePage(remoteAddress);
    expect((await page.submit(toWrongCode(page.code))).body).toContain('This code is not correct.');
    const refused = await page.submit(page.code);
    expect([refused.statusCode, refused.headers.location]).toEqual([429, undefined]);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('[IDP-03] a passkey that does not verify counts as a wrong code', async () => {
    const remoteAddress = newNetwork();
    await useUp(rateLimits.wrongCode[0], remoteAddress, { except: 1 });
    const browser = createBrowser(pool.app, { remoteAddress });
    const query = buildAuthorizationQuery(createPkce().challenge);
    const { action, fields } = parseForm((await browser.openSignInPage(query)).body);
    const submit = () =>
      browser.post(action.replace('/login?', '/passkey?'), { ...fields, session: '', credential: '{}' });
    expect((await submit()).body).toContain('The passkey could not be verified.');
    expect((await submit()).statusCode).toBe(429);
  });
});
