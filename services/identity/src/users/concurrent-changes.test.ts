import { randomUUID } from 'node:crypto';
import { findAuditEvents } from '@escucho/audit';
import { countLockWaiters } from '@escucho/database/testing';
import { afterAll, expect, it } from 'vitest';
import { createIdentityAdmin } from '../admin.ts';
import { lockCounter } from '../rate-limits/repository.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { answerChallenge, createUserWithTotp, toWrongCode } from '../testing/authenticator-app.ts';
import { authorize, exchangeCode, oauthOptions } from '../testing/browser.ts';
import {
  clientId,
  createTestPool,
  type PoolResponse,
  password,
  poolId,
  secret,
  sendTogether,
} from '../testing/pool.ts';

const relyingParty = { id: 'escucho.test', name: 'Escucho', origins: ['https://escucho.test'] };
const { connection, pool, db } = await createTestPool({
  customAuth: true,
  passkeys: relyingParty,
  oauth: oauthOptions,
});
const admin = createIdentityAdmin({ connection, poolId, secret });
afterAll(() => admin.close());
const newPassword = 'Nueva2026';

type Request<Response = PoolResponse> = () => Promise<Response>;
type User = Awaited<ReturnType<typeof pool.createSignedInUser>>;

/** Prepares the request of a code for a new password. */
const prepareCodeRequest = ({ email: Username }: { email: string }): Request => {
  return () => pool.call('ForgotPassword', { ClientId: clientId, Username });
};

/** Prepares a new password by a mailed code. */
async function prepareReset({ email: Username }: { email: string }): Promise<Request> {
  await prepareCodeRequest({ email: Username })();
  const ConfirmationCode = await pool.getLatestCode(Username);
  const reset = { ClientId: clientId, Username, ConfirmationCode, Password: newPassword };
  return () => pool.call('ConfirmForgotPassword', reset);
}

/** Prepares the verification of a new address. */
async function prepareVerification({ access: AccessToken }: User): Promise<Request> {
  const email = `new-${randomUUID()}@escucho.test`;
  const UserAttributes = [{ Name: 'email', Value: email }];
  await pool.call('UpdateUserAttributes', { AccessToken, UserAttributes });
  const Code = await pool.getLatestCode(email);
  return () => pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code });
}

const prepareChange = async ({ access: AccessToken }: User): Promise<Request> => {
  const passwords = { PreviousPassword: password, ProposedPassword: newPassword };
  return () => pool.call('ChangePassword', { AccessToken, ...passwords });
};

const prepareDeletion = async ({ access: AccessToken }: User): Promise<Request> => {
  return () => pool.call('DeleteUser', { AccessToken });
};

/** Prepares a sign-in by password, after a wrong one that is counted. */
async function prepareSignIn({ email }: User): Promise<Request> {
  await pool.signIn(email, 'Wrong2026');
  const { solve } = await pool.startSignIn(email);
  return () => pool.respond(solve());
}

/** Prepares a sign-in by a mailed code. */
async function prepareMailedCode({ email }: User): Promise<Request> {
  const AuthParameters = { USERNAME: email, PREFERRED_CHALLENGE: 'EMAIL_OTP' };
  const challenge = await pool.call('InitiateAuth', {
    ClientId: clientId,
    AuthFlow: 'USER_AUTH',
    AuthParameters,
  });
  const code = await pool.getLatestCode(email);
  return () => answerChallenge(pool, challenge, code);
}

/** Prepares a sign-in by a wrong code of an authenticator app. */
async function prepareWrongCode({ email }: User): Promise<Request> {
  const challenge = await pool.signIn(email);
  return () => answerChallenge(pool, challenge, '000000');
}

const prepareSignOut =
  (AccessToken: string): Request =>
  () =>
    pool.call('GlobalSignOut', { AccessToken });

const prepareWrongPassword =
  (email: string): Request =>
  () =>
    pool.signIn(email, 'Wrong2026');

it.each<[string, string, (user: User) => Promise<Request>, (user: User) => Promise<Request>]>([
  ['a verified address', 'a new password by code', prepareVerification, prepareReset],
  [
    'a verified address',
    'the request of a code',
    prepareVerification,
    async (user) => prepareCodeRequest(user),
  ],
  ['a changed password', 'a new password by code', prepareChange, prepareReset],
  ['a changed password', 'a sign-in by a mailed code', prepareChange, prepareMailedCode],
  ['a deletion', 'a new password by code', prepareDeletion, prepareReset],
  ['a deletion', 'a sign-in by password', prepareDeletion, prepareSignIn],
  ['a deletion', 'a sign-in by a mailed code', prepareDeletion, prepareMailedCode],
  ['a deletion', 'the request of a code', prepareDeletion, async (user) => prepareCodeRequest(user)],
])('[IDP-03] %s succeeds at the same time as %s, which is refused', async (_, __, first, second) => {
  const user = await pool.createSignedInUser();
  const requests = [await first(user), await second(user)];
  const responses = await sendTogether(db, user.sub, requests);
  expect(responses.map(({ status, error }) => [status, status === 500 && error])).toEqual([
    [200, false],
    [400, false],
  ]);
});

it('[IDP-03] a deletion succeeds during a sign-in by a code of an app, which is refused', async () => {
  const user = await createUserWithTotp(pool);
  const challenge = await pool.signIn(user.email);
  const signIn = () => answerChallenge(pool, challenge, user.code());
  const responses = await sendTogether(db, user.sub, [await prepareDeletion(user), signIn]);
  expect(responses.map(({ status }) => status)).toEqual([200, 400]);
});

it('[IDP-03] a deletion succeeds during the creation of recovery codes, which is refused', async () => {
  const user = await createUserWithTotp(pool);
  const createCodes = () => pool.call('CreateRecoveryCodes', { AccessToken: user.access });
  const responses = await sendTogether(db, user.sub, [await prepareDeletion(user), createCodes]);
  expect(responses.map(({ status }) => status)).toEqual([200, 400]);
});

it('[IDP-03] a deletion succeeds during the exchange of a code, which is refused', async () => {
  const user = await pool.createSignedInUser();
  const { code, verifier } = await authorize(pool.app, { email: user.email, password });
  const exchange = async () => {
    const response = await exchangeCode(pool.app, code, verifier);
    return { status: response.statusCode };
  };
  const responses = await sendTogether(db, user.sub, [await prepareDeletion(user), exchange]);
  expect(responses.map(({ status }) => status)).toEqual([200, 400]);
});

it('[IDP-03] a repeated sign-up succeeds during its confirmation, which is refused', async () => {
  const email = `user-${randomUUID()}@escucho.test`;
  const sub = (await pool.signUp(email)).at('UserSub');
  const ConfirmationCode = await pool.getLatestCode(email);
  const responses = await sendTogether(db, sub, [
    () => pool.signUp(email, { Password: newPassword }),
    () => pool.call('ConfirmSignUp', { ClientId: clientId, Username: email, ConfirmationCode }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 400]);
  expect(responses[1]?.at('__type')).toBe('CodeMismatchException');
});

it('[IDP-03] a deletion waits for the request of a code that replaces another one', async () => {
  const user = await pool.createSignedInUser();
  const requestCode = prepareCodeRequest(user);
  await requestCode();
  const deleteUser = await prepareDeletion(user);
  const responses = await db.transaction().execute(async (tx) => {
    await lockCounter(tx, user.sub, 'reset-mail-daily');
    const requested = requestCode();
    await expect.poll(() => countLockWaiters(db)).toBe(1);
    const deleted = deleteUser();
    await expect.poll(() => countLockWaiters(db)).toBe(2);
    return [requested, deleted];
  });
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
});

it('[IDP-03] the removal of second factors ends a sign-in that is under way', async () => {
  const user = await createUserWithTotp(pool);
  // Wrong codes are counted, so the sign-in changes a row that the removal deletes.
  await answerChallenge(pool, await pool.signIn(user.email), toWrongCode(user.code()));
  const challenge = await pool.signIn(user.email);
  const [signIn, removal] = await db.transaction().execute(async (tx) => {
    await lockCounter(tx, user.sub, 'second-factor');
    const signIn = answerChallenge(pool, challenge, user.code());
    await expect.poll(() => countLockWaiters(db)).toBe(1);
    const removal = admin.removeFactors(user.email);
    await expect.poll(() => countLockWaiters(db)).toBe(2);
    return [signIn, removal] as const;
  });
  await removal;
  const signedIn = await signIn;
  expect(signedIn.status).toBe(200);
  expect((await pool.refresh(signedIn.at('AuthenticationResult', 'RefreshToken'))).status).toBe(400);
});

it('[IDP-03] passkeys are removed during a registration of another one, which is refused', async () => {
  const { sub, access: AccessToken } = await pool.createSignedInUser();
  const { body } = await pool.call('StartWebAuthnRegistration', { AccessToken });
  const authenticator = createAuthenticator({ origin: 'https://escucho.test', rpId: relyingParty.id });
  const Credential = authenticator.create(Object(body).CredentialCreationOptions);
  const [, registration] = await sendTogether<unknown>(db, sub, [
    () => admin.removeFactors(sub),
    () => pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential }),
  ]);
  const error = 'NotAuthorizedException: Access Token has been revoked';
  expect(registration).toMatchObject({ error });
});

it('[IDP-03] a deletion succeeds during a refresh of tokens, which is refused', async () => {
  const user = await pool.createSignedInUser();
  const deleteUser = await prepareDeletion(user);
  const [deletion, refresh] = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('session').select('id').where('accountId', '=', user.sub).forUpdate().execute();
    const deletion = deleteUser();
    await expect.poll(() => countLockWaiters(db)).toBe(1);
    const refresh = pool.refresh(user.refresh);
    await expect.poll(() => countLockWaiters(db)).toBe(2);
    return [deletion, refresh] as const;
  });
  expect((await deletion).status).toBe(200);
  expect((await refresh).error).toBe('NotAuthorizedException: Invalid Refresh Token');
});

it('[IDP-03] a deletion succeeds during a sign-out of all devices', async () => {
  const user = await pool.createSignedInUser();
  await authorize(pool.app, { email: user.email, password });
  const deleteUser = await prepareDeletion(user);
  const responses = await db.transaction().execute(async (tx) => {
    const codes = tx.selectFrom('authorization_code').select('hash').where('accountId', '=', user.sub);
    await codes.forUpdate().execute();
    const signOut = pool.call('GlobalSignOut', { AccessToken: user.access });
    await expect.poll(() => countLockWaiters(db)).toBe(1);
    const deletion = deleteUser();
    await expect.poll(() => countLockWaiters(db)).toBe(2);
    return [signOut, deletion];
  });
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
});

it.each<[string, number, (user: User) => Promise<Request>]>([
  ['a sign-out of all devices', 200, async ({ access }) => prepareSignOut(access)],
  ['a sign-in by password', 400, prepareSignIn],
  ['a sign-in by a wrong password', 400, async ({ email }) => prepareWrongPassword(email)],
  ['a sign-in by a mailed code', 400, prepareMailedCode],
  ['a sign-in by a wrong code of an app', 400, prepareWrongCode],
])('[IDP-01] a deletion leaves no event of %s at the same time', async (_, status, prepare) => {
  const user = await createUserWithTotp(pool);
  const responses = await sendTogether(db, user.sub, [await prepareDeletion(user), await prepare(user)]);
  expect(responses.map((response) => response.status)).toEqual([200, status]);
  expect(await findAuditEvents(db, { userId: user.sub }, 10)).toEqual([]);
});
