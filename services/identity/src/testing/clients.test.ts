import { randomUUID } from 'node:crypto';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { createTestDatabase } from '@escucho/database/testing';
import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js';
import { Amplify } from 'aws-amplify';
import * as auth from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { Hub } from 'aws-amplify/utils';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  oauthOptions,
} from './browser.ts';
import { clientId, password, poolId, startPool } from './pool.ts';

const connection = await createTestDatabase();
const pool = await startPool(connection, { oauth: oauthOptions });
const origin = await pool.app.listen({ host: '127.0.0.1', port: 0 });
const endpoint = `${origin}/identity`;
afterAll(() => pool.app.close());

const newAddress = () => `Reader-${randomUUID()}@Escucho.test`;
const wrongPassword = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('the AWS SDK', () => {
  const sdk = new CognitoIdentityProvider({ endpoint, region: 'local', maxAttempts: 1 });
  afterAll(() => sdk.destroy());
  const client = { ClientId: clientId };

  it('[IDP-01] signs up, confirms, signs in by SRP, reads the user, refreshes, signs out', async () => {
    const Username = newAddress();
    const UserAttributes = [{ Name: 'given_name', Value: 'Ana' }];
    const signedUp = await sdk.signUp({ ...client, Username, Password: password, UserAttributes });
    expect(signedUp.UserConfirmed).toBe(false);
    expect(signedUp.CodeDeliveryDetails?.Destination).toBe('r***@e***');
    await sdk.resendConfirmationCode({ ...client, Username });
    await sdk.confirmSignUp({ ...client, Username, ConfirmationCode: await pool.getLatestCode(Username) });
    const begun = await pool.startSignIn(Username);
    const { AuthenticationResult: tokens } = await sdk.respondToAuthChallenge({
      ...client,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: begun.solve(),
    });
    const user = await sdk.getUser({ AccessToken: tokens?.AccessToken });
    expect(user.Username).toBe(signedUp.UserSub);
    expect(user.UserAttributes).toContainEqual({ Name: 'given_name', Value: 'Ana' });
    const RefreshToken = tokens?.RefreshToken;
    const refreshed = await sdk.getTokensFromRefreshToken({ ...client, RefreshToken });
    expect(refreshed.AuthenticationResult?.ExpiresIn).toBe(3600);
    await sdk.revokeToken({ ...client, Token: RefreshToken });
    await expect(sdk.getTokensFromRefreshToken({ ...client, RefreshToken })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Refresh Token has been revoked',
    });
    const again = await pool.signIn(Username);
    const AccessToken = again.at('AuthenticationResult', 'AccessToken');
    await sdk.globalSignOut({ AccessToken });
    await expect(sdk.getUser({ AccessToken })).rejects.toThrow('Access Token has been revoked');
  });

  it('[IDP-01] recovers a password', async () => {
    const { email: Username } = await pool.createUser();
    await sdk.forgotPassword({ ...client, Username });
    const ConfirmationCode = await pool.getLatestCode(Username);
    await sdk.confirmForgotPassword({ ...client, Username, ConfirmationCode, Password: 'Nueva2026' });
    expect((await pool.signIn(Username, 'Nueva2026')).status).toBe(200);
  });

  it('[IDP-01] knows refusals by name', async () => {
    const { email: Username } = await pool.createUser();
    await expect(sdk.signUp({ ...client, Username, Password: password })).rejects.toMatchObject({
      name: 'UsernameExistsException',
      $metadata: { httpStatusCode: 400, requestId: expect.any(String) },
    });
  });
});

describe('amazon-cognito-identity-js', () => {
  const userPool = () => new CognitoUserPool({ UserPoolId: poolId, ClientId: clientId, endpoint });
  const userOf = (Username: string) => new CognitoUser({ Username, Pool: userPool() });

  const authenticate = (user: CognitoUser, Username: string, Password: string) =>
    new Promise<CognitoUserSession>((onSuccess, onFailure) =>
      user.authenticateUser(new AuthenticationDetails({ Username, Password }), { onSuccess, onFailure }),
    );

  const settled = (call: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

  it('[IDP-01] [AUTH-13] signs up, confirms, signs in by SRP, refreshes and signs out', async () => {
    const email = newAddress();
    const attribute = new CognitoUserAttribute({ Name: 'family_name', Value: 'Ruiz' });
    await settled((done) => userPool().signUp(email, 'Clave ñ 2026 🙂', [attribute], [], done));
    const code = await pool.getLatestCode(email);
    await settled((done) => userOf(email).confirmRegistration(code, false, done));

    const user = userOf(email);
    await expect(authenticate(userOf(email), email, password)).rejects.toMatchObject(wrongPassword);
    const session = await authenticate(user, email, 'Clave ñ 2026 🙂');
    expect(session.isValid()).toBe(true);
    expect(session.getIdToken().payload.family_name).toBe('Ruiz');
    expect(user.getUsername()).toBe(session.getIdToken().payload.sub);

    const refreshed = await new Promise<CognitoUserSession>((resolve, reject) =>
      user.refreshSession(session.getRefreshToken(), (error: unknown, next: CognitoUserSession) =>
        error ? reject(error) : resolve(next),
      ),
    );
    expect(refreshed.getAccessToken().getJwtToken()).not.toBe(session.getAccessToken().getJwtToken());
    const token = refreshed.getRefreshToken().getToken();
    await settled((done) => user.signOut(() => done()));
    expect((await pool.refresh(token)).at('message')).toBe('Refresh Token has been revoked');
  });

  it('[AUTH-09] signs out everywhere', async () => {
    const { email } = await pool.createUser();
    const user = userOf(email);
    const session = await authenticate(user, email, password);
    await settled((done) => user.globalSignOut({ onSuccess: () => done(), onFailure: done }));
    expect((await pool.refresh(session.getRefreshToken().getToken())).status).toBe(400);
  });

  it('[IDP-01] several sign-ins in a row agree on every number', async () => {
    const { email } = await pool.createUser();
    for (let n = 0; n < 5; n += 1) {
      expect((await authenticate(userOf(email), email, password)).isValid()).toBe(true);
    }
  });
});

describe('aws-amplify', () => {
  beforeAll(() => {
    Amplify.configure({
      Auth: { Cognito: { userPoolId: poolId, userPoolClientId: clientId, userPoolEndpoint: endpoint } },
    });
  });
  afterEach(() => auth.signOut());

  it('[IDP-01] [AUTH-04] signs up, confirms and signs in by itself', async () => {
    const username = newAddress();
    const userAttributes = { email: username, given_name: 'Ana', family_name: 'Ruiz' };
    const signedUp = await auth.signUp({
      username,
      password,
      options: { userAttributes, autoSignIn: true, clientMetadata: { language: 'es' } },
    });
    expect(signedUp.nextStep.signUpStep).toBe('CONFIRM_SIGN_UP');
    const confirmationCode = await pool.getLatestCode(username);
    const confirmed = await auth.confirmSignUp({ username, confirmationCode });
    expect(confirmed.nextStep.signUpStep).toBe('COMPLETE_AUTO_SIGN_IN');
    expect((await auth.autoSignIn()).isSignedIn).toBe(true);
    const user = await auth.getCurrentUser();
    expect(user.userId).toBe(signedUp.userId);
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
    const forgotten = await auth.resetPassword({ username });
    expect(forgotten.nextStep.resetPasswordStep).toBe('CONFIRM_RESET_PASSWORD_WITH_CODE');
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
    const stop = Hub.listen('auth', ({ payload }) => events.push(payload.event));
    await auth.signOut();
    stop();
    expect(events).toContain('signedOut');
    expect((await pool.call('GetUser', { AccessToken: access })).at('message')).toBe(
      'Access Token has been revoked',
    );
  });

  it('[AUTH-12] [IDP-03] its automatic retries do not prolong a rate limit', async () => {
    const { email: username } = await pool.createUser();
    for (let n = 0; n < 5; n += 1) await auth.resetPassword({ username });
    await expect(auth.resetPassword({ username })).rejects.toMatchObject({ name: 'LimitExceededException' });
    const next = await pool.withClockAdvanced(3_600_000, () => auth.resetPassword({ username }));
    expect(next.isPasswordReset).toBe(false);
  });
});

describe('aws-amplify and what is beyond sign-in', () => {
  const IdentityPoolId = 'local:0b5e9c1a-7d7e-4d0e-9d53-2f1c8a3b4c5d';
  const cognito = { userPoolId: poolId, userPoolClientId: clientId, userPoolEndpoint: endpoint };
  beforeAll(() => {
    Amplify.configure({ Auth: { Cognito: cognito } });
  });
  afterEach(() => auth.signOut());

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
    const open = await startPool(connection, { identityPoolId: IdentityPoolId });
    const at = `${await open.app.listen({ host: '127.0.0.1', port: 0 })}/identity`;
    const guests = { identityPoolId: IdentityPoolId, identityPoolEndpoint: at, allowGuestAccess: true };
    Amplify.configure({ Auth: { Cognito: { ...cognito, ...guests } } });
    const session = await auth.fetchAuthSession();
    expect(session.identityId).toMatch(/^local:/);
    expect(session.credentials?.accessKeyId).toContain('OPENSNOTHING');
    const asked = vi.spyOn(globalThis, 'fetch');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 49 * 60_000 });
    await auth.fetchAuthSession();
    expect(asked).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await auth.fetchAuthSession();
    expect(asked).toHaveBeenCalled();
    vi.useRealTimers();
    vi.restoreAllMocks();
    Amplify.configure({ Auth: { Cognito: cognito } });
    await open.app.close();
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
    const given = (await exchangeCode(pool.app, back.searchParams.get('code') ?? '', verifier)).json();
    const { tokenOrchestrator } = cognitoUserPoolsTokenProvider;
    await tokenOrchestrator.setTokens({
      tokens: {
        accessToken: jwt(given.access_token),
        idToken: jwt(given.id_token),
        refreshToken: given.refresh_token,
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
