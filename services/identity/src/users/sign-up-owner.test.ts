import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteExpiredRows } from '../expiry-repository.ts';
import { clientId, createTestPool, newAddress, type PoolResponse, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool();
const strangersPassword = 'Stranger2026';
const newPassword = 'Nueva2026';

/** Sends operations as the product's web app in one browser does. */
function openBrowser() {
  const ClientMetadata = { signUpKey: randomUUID() };
  return {
    signUp: (email: string, Password: string) => pool.signUp(email, { Password, ClientMetadata }),
    confirm: (Username: string, ConfirmationCode: string) =>
      pool.call('ConfirmSignUp', { ClientId: clientId, Username, ConfirmationCode, ClientMetadata }),
    /** Signs in by SRP with the key in the answer to the challenge. */
    async signIn(email: string, attempt: string): Promise<PoolResponse> {
      const { solve } = await pool.startSignIn(email);
      const ChallengeResponses = solve(attempt);
      const ChallengeName = 'PASSWORD_VERIFIER';
      return pool.call('RespondToAuthChallenge', {
        ClientId: clientId,
        ChallengeName,
        ChallengeResponses,
        ClientMetadata,
      });
    },
  };
}

const resetRequired = 'PasswordResetRequiredException: Password reset required for the user';

async function resetPassword(Username: string) {
  await pool.call('ForgotPassword', { ClientId: clientId, Username });
  const ConfirmationCode = await pool.getLatestCode(Username);
  const body = { ClientId: clientId, Username, ConfirmationCode, Password: newPassword };
  return pool.call('ConfirmForgotPassword', body);
}

it('[IDP-03] a sign-up is deleted after seven days, and a confirmed account is not', async () => {
  const [email, { email: confirmed }] = [newAddress(), await pool.createUser()];
  await pool.signUp(email);
  const days = 24 * 3_600_000;
  const deleteExpired = (time: number) => deleteExpiredRows(db, new Date(pool.clock().getTime() + time));
  const signInError = async (address: string) => (await pool.signIn(address)).at('__type');
  await pool.withClockAdvanced(6.9 * days, async () => {
    const resend = { ClientId: clientId, Username: email };
    expect((await pool.call('ResendConfirmationCode', resend)).status).toBe(200);
  });
  await deleteExpired(7.1 * days);
  expect(await signInError(email)).toBe('UserNotConfirmedException');
  await deleteExpired(8 * days);
  expect(await signInError(email)).toBe('NotAuthorizedException');
  expect((await pool.signIn(confirmed)).status).toBe(200);
});

describe('the password of a sign-up', () => {
  it('[IDP-03] is valid after confirmation in the same browser', async () => {
    const [email, browser] = [newAddress(), openBrowser()];
    await browser.signUp(email, password);
    expect((await browser.confirm(email, await pool.getLatestCode(email))).body).toEqual({});
    expect((await browser.signIn(email, password)).status).toBe(200);
  });

  it.each([
    ['by the web app', (email: string) => openBrowser().signUp(email, strangersPassword)],
    ['by another client', (email: string) => pool.signUp(email, { Password: strangersPassword })],
  ])('[IDP-03] of a stranger %s is invalid though the owner enters the code', async (_, signUpStranger) => {
    const [email, owner] = [newAddress(), openBrowser()];
    await signUpStranger(email);
    expect((await owner.confirm(email, await pool.getLatestCode(email))).status).toBe(200);
    expect((await pool.signIn(email, strangersPassword)).error).toBe(resetRequired);
    expect((await resetPassword(email)).status).toBe(200);
    expect((await pool.signIn(email, strangersPassword)).at('__type')).toBe('NotAuthorizedException');
    expect((await pool.signIn(email, newPassword)).status).toBe(200);
  });

  it('[IDP-03] of a stranger who signs up after the owner is invalid too', async () => {
    const [email, owner, stranger] = [newAddress(), openBrowser(), openBrowser()];
    await owner.signUp(email, password);
    const ownersCode = await pool.getLatestCode(email);
    await stranger.signUp(email, strangersPassword);
    const strangersCode = await pool.getLatestCode(email);
    if (ownersCode !== strangersCode)
      expect((await owner.confirm(email, ownersCode)).at('__type')).toBe('CodeMismatchException');
    expect((await owner.confirm(email, strangersCode)).status).toBe(200);
    expect((await stranger.signIn(email, strangersPassword)).error).toBe(resetRequired);
  });

  it('[IDP-03] [IDP-01] is replaced when the owner signs up after a stranger', async () => {
    const [email, owner, stranger] = [newAddress(), openBrowser(), openBrowser()];
    const first = await stranger.signUp(email, strangersPassword);
    const second = await owner.signUp(email, password);
    expect(second.at('UserSub')).toBe(first.at('UserSub'));
    expect((await owner.confirm(email, await pool.getLatestCode(email))).status).toBe(200);
    expect((await stranger.signIn(email, strangersPassword)).at('__type')).toBe('NotAuthorizedException');
    expect((await owner.signIn(email, password)).status).toBe(200);
  });

  it('[AUTH-06] [IDP-03] is valid in another browser that has proved it before the code', async () => {
    const [email, laptop, phone] = [newAddress(), openBrowser(), openBrowser()];
    await laptop.signUp(email, password);
    expect((await phone.signIn(email, password)).at('__type')).toBe('UserNotConfirmedException');
    expect((await phone.confirm(email, await pool.getLatestCode(email))).status).toBe(200);
    expect((await phone.signIn(email, password)).status).toBe(200);
  });

  it('[IDP-01] is valid for clients that send no key in either request', async () => {
    const { email } = await pool.createUser();
    expect((await pool.signIn(email)).status).toBe(200);
  });
});

describe('an address that has an account', () => {
  const resend = (Username: string) => pool.call('ResendConfirmationCode', { ClientId: clientId, Username });
  const confirm = (Username: string, ConfirmationCode: string) =>
    pool.call('ConfirmSignUp', { ClientId: clientId, Username, ConfirmationCode });

  it('[IDP-03] gets the response of a new one to a sign-up; its owner is notified', async () => {
    const { email, sub } = await pool.createUser();
    const reply = await pool.signUp(email.toUpperCase(), { Password: strangersPassword });
    const unknown = await pool.signUp(newAddress());
    const withoutId = ({ body }: PoolResponse) => ({ ...Object(body), UserSub: '' });
    expect([reply.status, withoutId(reply)]).toEqual([200, withoutId(unknown)]);
    expect(reply.at('UserSub')).toBe(sub);
    expect(await pool.listNotifications(email)).toEqual([
      'You already have an Escucho account · Ya tienes una cuenta de Escucho',
    ]);
    expect((await pool.signIn(email, strangersPassword)).at('__type')).toBe('NotAuthorizedException');
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('[IDP-03] confirming and resending respond as for an unknown one, up to the limits', async () => {
    const { email } = await pool.createUser();
    const unknown = newAddress();
    expect((await confirm(email, '123456')).error).toBe((await confirm(unknown, '123456')).error);
    for (let n = 0; n < 6; n += 1) {
      const [known, other] = [await resend(email), await resend(unknown)];
      expect([known.status, known.body]).toEqual([other.status, other.body]);
    }
    for (let n = 0; n < 16; n += 1)
      expect((await confirm(email, '123456')).error).toBe((await confirm(unknown, '123456')).error);
    expect((await pool.listNotifications(email)).length).toBe(5);
    expect(await pool.listCodes(email)).toHaveLength(1);
  });

  it('[IDP-03] can be signed up with five times an hour, as any other', async () => {
    const { email } = await pool.createUser();
    const statuses = async (address: string) => {
      const replies = [];
      for (let n = 0; n < 6; n += 1) replies.push((await pool.signUp(address)).status);
      return replies;
    };
    expect(await statuses(newAddress())).toEqual([200, 200, 200, 200, 200, 400]);
    // Creating the user was the first.
    expect(await statuses(email)).toEqual([200, 200, 200, 200, 400, 400]);
  });
});
