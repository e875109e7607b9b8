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
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from './authenticator.ts';
import { generateCode, STEP_MS, toWrongCode } from './authenticator-app.ts';
import { clientId, password, poolId, startPool } from './pool.ts';

const connection = await createTestDatabase();
const passkeySite = { rpId: 'escucho.test', origin: 'https://escucho.test' };
const pool = await startPool(connection, {
  customAuth: true,
  passkeys: { id: passkeySite.rpId, name: 'Escucho', origins: [passkeySite.origin] },
});
const origin = await pool.app.listen({ host: '127.0.0.1', port: 0 });
const endpoint = `${origin}/identity`;

const newAddress = () => `User-${randomUUID()}@Escucho.test`;
const wrongPassword = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('the AWS SDK', () => {
  const sdk = new CognitoIdentityProvider({ endpoint, region: 'local', maxAttempts: 1 });
  afterAll(() => sdk.destroy());
  const client = { ClientId: clientId };

  it('[IDP-01] signs up, confirms, signs in by SRP, reads the user, refreshes, signs out', async () => {
    const Username = newAddress();
    const UserAttributes = [{ Name: 'given_name', Value: 'Ana' }];
    const signUp = await sdk.signUp({ ...client, Username, Password: password, UserAttributes });
    expect(signUp.UserConfirmed).toBe(false);
    expect(signUp.CodeDeliveryDetails?.Destination).toBe('u***@e***');
    await sdk.resendConfirmationCode({ ...client, Username });
    await sdk.confirmSignUp({ ...client, Username, ConfirmationCode: await pool.getLatestCode(Username) });
    const srpSignIn = await pool.startSignIn(Username);
    const { AuthenticationResult: tokens } = await sdk.respondToAuthChallenge({
      ...client,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: srpSignIn.solve(),
    });
    const user = await sdk.getUser({ AccessToken: tokens?.AccessToken });
    expect(user.Username).toBe(signUp.UserSub);
    expect(user.UserAttributes).toContainEqual({ Name: 'given_name', Value: 'Ana' });
    const RefreshToken = tokens?.RefreshToken;
    const refreshed = await sdk.getTokensFromRefreshToken({ ...client, RefreshToken });
    expect(refreshed.AuthenticationResult?.ExpiresIn).toBe(3600);
    await sdk.revokeToken({ ...client, Token: RefreshToken });
    await expect(sdk.getTokensFromRefreshToken({ ...client, RefreshToken })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Refresh Token has been revoked',
    });
    const secondSignIn = await pool.signIn(Username);
    const AccessToken = secondSignIn.at('AuthenticationResult', 'AccessToken');
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

  it('[AUTH-13] signs in by a mailed code, with CUSTOM_AUTH', async () => {
    const { email: USERNAME, sub } = await pool.createUser();
    const challenge = await sdk.initiateAuth({
      ...client,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME },
    });
    expect(challenge.ChallengeParameters?.CODE_DELIVERY_DESTINATION).toBe('u***@e***');
    const respond = (ANSWER: string, Session: string | undefined) =>
      sdk.respondToAuthChallenge({
        ...client,
        ChallengeName: 'CUSTOM_CHALLENGE',
        ChallengeResponses: { USERNAME, ANSWER },
        Session,
      });
    const retry = await respond('wrong', challenge.Session);
    expect(retry.ChallengeName).toBe('CUSTOM_CHALLENGE');
    const { AuthenticationResult: tokens } = await respond(await pool.getLatestCode(USERNAME), retry.Session);
    expect((await sdk.getUser({ AccessToken: tokens?.AccessToken })).Username).toBe(sub);
  });

  it('[IDP-01] [AUTH-13] sets up an authenticator app and signs in with its code', async () => {
    const { email, access: AccessToken } = await pool.createSignedInUser();
    const { SecretCode = '' } = await sdk.associateSoftwareToken({ AccessToken });
    const code = generateCode(SecretCode, pool.clock(), -STEP_MS);
    await expect(sdk.verifySoftwareToken({ AccessToken, UserCode: toWrongCode(code) })).rejects.toMatchObject(
      { name: 'EnableSoftwareTokenMFAException' },
    );
    const { Status } = await sdk.verifySoftwareToken({ AccessToken, UserCode: code });
    expect(Status).toBe('SUCCESS');
    await sdk.setUserMFAPreference({ AccessToken, SoftwareTokenMfaSettings: { Enabled: true } });
    expect((await sdk.getUser({ AccessToken })).UserMFASettingList).toEqual(['SOFTWARE_TOKEN_MFA']);
    const challenge = await pool.signIn(email);
    const respond = (SOFTWARE_TOKEN_MFA_CODE: string) =>
      sdk.respondToAuthChallenge({
        ...client,
        ChallengeName: 'SOFTWARE_TOKEN_MFA',
        Session: challenge.at('Session'),
        ChallengeResponses: { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE },
      });
    await expect(respond(code)).rejects.toMatchObject({ name: 'ExpiredCodeException' });
    const next = generateCode(SecretCode, pool.clock());
    await expect(respond(toWrongCode(next))).rejects.toMatchObject({ name: 'CodeMismatchException' });
    expect((await respond(next)).AuthenticationResult?.TokenType).toBe('Bearer');
  });

  it('[IDP-01] [AUTH-13] registers, lists, uses and deletes a passkey', async () => {
    const { email: USERNAME, access: AccessToken } = await pool.createSignedInUser();
    const key = createAuthenticator(passkeySite);
    const { CredentialCreationOptions } = await sdk.startWebAuthnRegistration({ AccessToken });
    const Credential = key.create(Object(CredentialCreationOptions));
    await sdk.completeWebAuthnRegistration({ AccessToken, Credential });
    const { Credentials } = await sdk.listWebAuthnCredentials({ AccessToken });
    expect(Credentials).toMatchObject([{ CredentialId: key.credentialId, RelyingPartyId: 'escucho.test' }]);
    expect(Credentials?.[0]?.CreatedAt).toBeInstanceOf(Date);
    const selection = await sdk.initiateAuth({
      ...client,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME },
    });
    expect(selection.AvailableChallenges).toEqual(['PASSWORD_SRP', 'EMAIL_OTP', 'WEB_AUTHN']);
    const challenge = await sdk.respondToAuthChallenge({
      ...client,
      ChallengeName: 'SELECT_CHALLENGE',
      Session: selection.Session,
      ChallengeResponses: { USERNAME, ANSWER: 'WEB_AUTHN' },
    });
    const options = JSON.parse(challenge.ChallengeParameters?.CREDENTIAL_REQUEST_OPTIONS ?? '');
    const { AuthenticationResult } = await sdk.respondToAuthChallenge({
      ...client,
      ChallengeName: 'WEB_AUTHN',
      Session: challenge.Session,
      ChallengeResponses: { USERNAME, CREDENTIAL: JSON.stringify(key.get(options)) },
    });
    expect(AuthenticationResult?.TokenType).toBe('Bearer');
    await sdk.deleteWebAuthnCredential({ AccessToken, CredentialId: key.credentialId });
  });

  it('[IDP-01] throws exceptions by their names', async () => {
    await expect(sdk.signUp({ ...client, Username: newAddress(), Password: 'short' })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
      $metadata: { httpStatusCode: 400, requestId: expect.any(String) },
    });
  });
});

describe('amazon-cognito-identity-js', () => {
  const userPool = () => new CognitoUserPool({ UserPoolId: poolId, ClientId: clientId, endpoint });
  const createCognitoUser = (Username: string) => new CognitoUser({ Username, Pool: userPool() });

  const authenticate = (user: CognitoUser, Username: string, Password: string) =>
    new Promise<CognitoUserSession>((onSuccess, onFailure) =>
      user.authenticateUser(new AuthenticationDetails({ Username, Password }), { onSuccess, onFailure }),
    );

  const toPromise = (call: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

  it('[IDP-01] [AUTH-13] signs up, confirms, signs in by SRP, refreshes and signs out', async () => {
    const email = newAddress();
    const attribute = new CognitoUserAttribute({ Name: 'family_name', Value: 'Ruiz' });
    await toPromise((done) => userPool().signUp(email, 'Clave ñ 2026 🙂', [attribute], [], done));
    const code = await pool.getLatestCode(email);
    await toPromise((done) => createCognitoUser(email).confirmRegistration(code, false, done));

    const user = createCognitoUser(email);
    await expect(authenticate(createCognitoUser(email), email, password)).rejects.toMatchObject(
      wrongPassword,
    );
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
    await toPromise((done) => user.signOut(() => done()));
    expect((await pool.refresh(token)).at('message')).toBe('Refresh Token has been revoked');
  });

  it('[AUTH-09] signs out everywhere', async () => {
    const { email } = await pool.createUser();
    const user = createCognitoUser(email);
    const session = await authenticate(user, email, password);
    await toPromise((done) => user.globalSignOut({ onSuccess: () => done(), onFailure: done }));
    expect((await pool.refresh(session.getRefreshToken().getToken())).status).toBe(400);
  });

  it('[IDP-01] three sign-ins in a row succeed', async () => {
    const { email } = await pool.createUser();
    for (let n = 0; n < 3; n += 1) {
      expect((await authenticate(createCognitoUser(email), email, password)).isValid()).toBe(true);
    }
  });
});
