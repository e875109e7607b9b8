import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { Amplify } from 'aws-amplify';
import * as auth from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { Hub } from 'aws-amplify/utils';
import { decodeJwt } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  oauthOptions,
} from './browser.ts';
import { clientId, password, poolId, startPool } from './pool.ts';

const identityPoolId = 'local:0b5e9c1a-7d7e-4d0e-9d53-2f1c8a3b4c5d';
const connection = await createTestDatabase();
const pool = await startPool(connection, {
  oauth: oauthOptions,
  customAuth: true,
  identityPoolId,
});
const origin = await pool.app.listen({ host: '127.0.0.1', port: 0 });
const endpoint = `${origin}/identity`;

const newAddress = () => `User-${randomUUID()}@Escucho.test`;
const wrongPassword = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('aws-amplify', () => {
  const cognito = { userPoolId: poolId, userPoolClientId: clientId, userPoolEndpoint: endpoint };
  beforeAll(() => {
    Amplify.configure({ Auth: { Cognito: cognito } });
  });
  afterEach(() => auth.signOut());

  it('[IDP-01] [AUTH-04] signs up, confirms and signs in automatically', async () => {
    const username = newAddress();
    const userAttributes = { email: username, given_name: 'Ana', family_name: 'Ruiz' };
    const signUp = await auth.signUp({
      username,
      password,
      options: { userAttributes, autoSignIn: true, clientMetadata: { language: 'es' } },
    });
    expect(signUp.nextStep.signUpStep).toBe('CONFIRM_SIGN_UP');
    const confirmationCode = await pool.getLatestCode(username);
    const confirmed = await auth.confirmSignUp({ username, confirmationCode });
    expect(confirmed.nextStep.signUpStep).toBe('COMPLETE_AUTO_SIGN_IN');
    expect((await auth.autoSignIn()).isSignedIn).toBe(true);
    const user = await auth.getCurrentUser();
    expect(user.userId).toBe(signUp.userId);
    expect(await auth.fetchUserAttributes()).toMatchObject({
      email: username.toLowerCase(),
      email_verified: 'true',
      given_name: 'Ana',
    });
  });

  it('[IDP-01] [AUTH-10] refreshes once for many calls, until signed out everywhere', async () => {
    const { email } = await pool.createUser();
    expect((await auth.signIn({ username: email, password })).isSignedIn).toBe(true);
    const before = (await auth.fetchAuthSession()).tokens?.accessToken.toString();
    const forced = await Promise.all([1, 2, 3].map(() => auth.fetchAuthSession({ forceRefresh: true })));
    const after = new Set(forced.map(({ tokens }) => tokens?.accessToken.toString()));
    expect(after.size).toBe(1);
    expect(after.has(before)).toBe(false);
    await pool.call('GlobalSignOut', { AccessToken: [...after][0] });
    expect((await auth.fetchAuthSession({ forceRefresh: true })).tokens).toBeUndefined();
    await expect(auth.getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
  });

  it('[IDP-01] [AUTH-06] reports an unconfirmed user, and recovers a password', async () => {
    const username = newAddress();
    await auth.signUp({ username, password });
    const blocked = await auth.signIn({ username, password });
    expect(blocked.nextStep.signInStep).toBe('CONFIRM_SIGN_UP');
    await auth.resendSignUpCode({ username });
    await auth.confirmSignUp({ username, confirmationCode: await pool.getLatestCode(username) });
    const recovery = await auth.resetPassword({ username });
    expect(recovery.nextStep.resetPasswordStep).toBe('CONFIRM_RESET_PASSWORD_WITH_CODE');
    const confirmationCode = await pool.getLatestCode(username);
    await auth.confirmResetPassword({ username, confirmationCode, newPassword: 'Nueva2026' });
    await expect(auth.signIn({ username, password })).rejects.toMatchObject(wrongPassword);
    expect((await auth.signIn({ username, password: 'Nueva2026' })).isSignedIn).toBe(true);
  });

  it('[IDP-01] signing out revokes the refresh token', async () => {
    const { email } = await pool.createUser();
    await auth.signIn({ username: email, password });
    const access = String((await auth.fetchAuthSession()).tokens?.accessToken);
    const events: string[] = [];
    const unsubscribe = Hub.listen('auth', ({ payload }) => events.push(payload.event));
    await auth.signOut();
    unsubscribe();
    expect(events).toContain('signedOut');
    expect((await pool.call('GetUser', { AccessToken: access })).at('message')).toBe(
      'Access Token has been revoked',
    );
  });

  it('[AUTH-12] [IDP-03] automatic retries do not prolong a rate limit', async () => {
    const { email: username } = await pool.createUser();
    for (let n = 0; n < 5; n += 1) await auth.resetPassword({ username });
    await expect(auth.resetPassword({ username })).rejects.toMatchObject({ name: 'LimitExceededException' });
    const next = await pool.withClockAdvanced(3_600_000, () => auth.resetPassword({ username }));
    expect(next.isPasswordReset).toBe(false);
  });

  it('[AUTH-13] signs in by a mailed code, with CUSTOM_WITHOUT_SRP', async () => {
    const { email: username, sub } = await pool.createUser();
    const started = await auth.signIn({ username, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
    expect(started.nextStep).toMatchObject({
      signInStep: 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE',
      additionalInfo: { CODE_DELIVERY_DESTINATION: 'u***@e***' },
    });
    const retry = await auth.confirmSignIn({ challengeResponse: 'wrong' });
    expect(retry.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
    const confirmed = await auth.confirmSignIn({ challengeResponse: await pool.getLatestCode(username) });
    expect(confirmed.isSignedIn).toBe(true);
    expect((await auth.getCurrentUser()).userId).toBe(sub);
  });

  it('[AUTH-13] signs in by password and mailed code, with CUSTOM_WITH_SRP', async () => {
    const { email: username, sub } = await pool.createUser();
    const options = { authFlowType: 'CUSTOM_WITH_SRP' } as const;
    const wrong = auth.signIn({ username, password: 'Wrong2026', options });
    await expect(wrong).rejects.toMatchObject(wrongPassword);
    const started = await auth.signIn({ username, password, options });
    expect(started.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
    const confirmed = await auth.confirmSignIn({ challengeResponse: await pool.getLatestCode(username) });
    expect(confirmed.isSignedIn).toBe(true);
    expect((await auth.getCurrentUser()).userId).toBe(sub);
  });

  it('[AUTH-13] refuses the third wrong answer to a custom challenge', async () => {
    const { email: username } = await pool.createUser();
    await auth.signIn({ username, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
    await auth.confirmSignIn({ challengeResponse: 'wrong' });
    await auth.confirmSignIn({ challengeResponse: 'wrong' });
    await expect(auth.confirmSignIn({ challengeResponse: 'wrong' })).rejects.toMatchObject(wrongPassword);
  });

  it('[IDP-01] changes password, names and address, and deletes the user', async () => {
    const { email } = await pool.createUser();
    await auth.signIn({ username: email, password });
    await auth.updatePassword({ oldPassword: password, newPassword: 'Nueva2026' });
    const next = newAddress();
    const updated = await auth.updateUserAttributes({ userAttributes: { given_name: 'Ana', email: next } });
    expect(updated.given_name?.isUpdated).toBe(true);
    expect(updated.email?.nextStep.updateAttributeStep).toBe('CONFIRM_ATTRIBUTE_WITH_CODE');
    await auth.sendUserAttributeVerificationCode({ userAttributeKey: 'email' });
    const confirmationCode = await pool.getLatestCode(next);
    await auth.confirmUserAttribute({ userAttributeKey: 'email', confirmationCode });
    expect(await auth.fetchUserAttributes()).toMatchObject({ email: next.toLowerCase(), given_name: 'Ana' });
    await auth.deleteUser();
    await expect(auth.signIn({ username: next, password: 'Nueva2026' })).rejects.toMatchObject(wrongPassword);
  });

  it('[AUTH-12] refreshes the credentials of a guest after 50 minutes', async () => {
    const guests = { identityPoolId, identityPoolEndpoint: endpoint, allowGuestAccess: true };
    Amplify.configure({ Auth: { Cognito: { ...cognito, ...guests } } });
    const session = await auth.fetchAuthSession();
    expect(session.identityId).toMatch(/^local:/);
    expect(session.credentials?.accessKeyId).toContain('OPENSNOTHING');
    const fetched = vi.spyOn(globalThis, 'fetch');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 49 * 60_000 });
    await auth.fetchAuthSession();
    expect(fetched).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await auth.fetchAuthSession();
    expect(fetched).toHaveBeenCalled();
    vi.useRealTimers();
    vi.restoreAllMocks();
    Amplify.configure({ Auth: { Cognito: cognito } });
  });

  /** A token as Amplify's store takes it. */
  const jwt = (token: string) => {
    const { sub, exp, iat } = decodeJwt(token);
    return { payload: { sub: sub ?? '', exp: exp ?? 0, iat: iat ?? 0 }, toString: () => token };
  };

  it('[AUTH-08] [AUTH-10] continues a session of the hosted page', async () => {
    const { email, sub } = await pool.createUser();
    const { challenge, verifier } = createPkce();
    const query = buildAuthorizationQuery(challenge, { scope: 'openid email aws.cognito.signin.user.admin' });
    const back = getLocation(await createBrowser(pool.app).signIn(query, email, password));
    const response = (await exchangeCode(pool.app, back.searchParams.get('code') ?? '', verifier)).json();
    const { tokenOrchestrator } = cognitoUserPoolsTokenProvider;
    await tokenOrchestrator.setTokens({
      tokens: {
        accessToken: jwt(response.access_token),
        idToken: jwt(response.id_token),
        refreshToken: response.refresh_token,
        clockDrift: 0,
        username: sub,
      },
    });
    expect((await auth.getCurrentUser()).userId).toBe(sub);
    const { tokens } = await auth.fetchAuthSession({ forceRefresh: true });
    expect(tokens?.accessToken.payload.scope).toBe('openid email aws.cognito.signin.user.admin');
    expect(await auth.fetchUserAttributes()).toMatchObject({ email });
  });
});
