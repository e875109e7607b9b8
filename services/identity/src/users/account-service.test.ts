import { randomUUID } from 'node:crypto';
import { countLockWaiters } from '@escucho/database/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { lockCounter } from '../rate-limits/repository.ts';
import { clientId, createTestPool, newAddress, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool();

async function getAttributes(AccessToken: string) {
  const { body } = await pool.call('GetUser', { AccessToken });
  const { UserAttributes }: { UserAttributes: { Name: string; Value: string }[] } = Object(body);
  return Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
}

const update = (AccessToken: string, values: Record<string, string>) =>
  pool.call('UpdateUserAttributes', {
    AccessToken,
    UserAttributes: Object.entries(values).map(([Name, Value]) => ({ Name, Value })),
  });
const requestCode = (AccessToken: string) =>
  pool.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'email' });
const verify = (AccessToken: string, Code: string, AttributeName = 'email') =>
  pool.call('VerifyUserAttribute', { AccessToken, AttributeName, Code });

describe('ChangePassword', () => {
  const change = (AccessToken: string, PreviousPassword: string, ProposedPassword: string) =>
    pool.call('ChangePassword', { AccessToken, PreviousPassword, ProposedPassword });

  it('[IDP-01] sets a new password and revokes every other session', async () => {
    const { email, access: AccessToken, refresh } = await pool.createSignedInUser();
    const otherSession = (await pool.signIn(email)).at('AuthenticationResult', 'RefreshToken');
    const reply = await change(AccessToken, password, 'Nueva2026');
    expect([reply.status, reply.body]).toEqual([200, {}]);
    expect((await pool.signIn(email)).status).toBe(400);
    expect((await pool.signIn(email, 'Nueva2026')).status).toBe(200);
    expect((await pool.refresh(otherSession)).at('message')).toBe('Refresh Token has been revoked');
    expect((await pool.refresh(refresh)).status).toBe(200);
  });

  it('[IDP-03] cancels a change of the address that is not verified, as it revokes the code', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    await update(AccessToken, { email: newAddress() });
    await change(AccessToken, password, 'Nueva2026');
    const resent = await requestCode(AccessToken);
    expect(resent.at('CodeDeliveryDetails', 'Destination')).toBe('u***@e***');
  });

  it.each([
    ['another password', 'Wrong2026', 'Nueva2026', 'NotAuthorizedException: Incorrect username or password.'],
    [
      'one with a space',
      `${password} `,
      'Nueva2026',
      'NotAuthorizedException: Incorrect username or password.',
    ],
    [
      'a weak new one',
      password,
      'weak',
      'InvalidPasswordException: Password did not conform with policy: Password not long enough',
    ],
  ])('[IDP-01] with %s is refused', async (_, before, proposed, error) => {
    const { email, access: AccessToken } = await pool.createSignedInUser();
    expect((await change(AccessToken, before, proposed)).error).toBe(error);
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('[IDP-03] five wrong passwords lock the account for a stolen access token', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    for (let tries = 0; tries < 5; tries += 1) await change(AccessToken, 'Wrong2026', 'Nueva2026');
    expect((await change(AccessToken, password, 'Nueva2026')).error).toBe(
      'NotAuthorizedException: Password attempts exceeded',
    );
  });
});

describe('UpdateUserAttributes', () => {
  it('[IDP-01] updates names, and removes attributes with an empty value', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const reply = await update(AccessToken, { given_name: 'Ana', family_name: 'Ruiz' });
    expect(reply.body).toEqual({ CodeDeliveryDetailsList: [] });
    expect(await getAttributes(AccessToken)).toMatchObject({ given_name: 'Ana', family_name: 'Ruiz' });
    await update(AccessToken, { family_name: '' });
    expect(await getAttributes(AccessToken)).not.toHaveProperty('family_name');
    expect(await getAttributes(AccessToken)).toMatchObject({ given_name: 'Ana' });
  });

  it.each([
    [{ sub: randomUUID() }, 'NotAuthorizedException'],
    [{ email_verified: 'true' }, 'NotAuthorizedException'],
    [{ identities: '[]' }, 'NotAuthorizedException'],
    [{ 'custom:role': 'admin' }, 'InvalidParameterException'],
    [{ email: 'nothing' }, 'InvalidParameterException'],
    [{ phone_number: '123' }, 'InvalidParameterException'],
  ])('[IDP-03] %o is refused', async (values, type) => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const before = await getAttributes(AccessToken);
    expect((await update(AccessToken, { ...values, given_name: 'X' })).at('__type')).toBe(type);
    expect(await getAttributes(AccessToken)).toEqual(before);
  });
});

describe('a new address', () => {
  it('[IDP-01] takes effect once its code is verified; until then the previous one remains', async () => {
    const { email, sub, access: AccessToken } = await pool.createSignedInUser();
    const next = newAddress();
    const reply = await update(AccessToken, { email: next.toUpperCase() });
    expect(reply.body).toEqual({
      CodeDeliveryDetailsList: [
        { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'u***@e***' },
      ],
    });
    expect(await getAttributes(AccessToken)).toMatchObject({ email, email_verified: 'true' });
    expect((await pool.signIn(email)).status).toBe(200);
    expect((await pool.signIn(next)).status).toBe(400);
    expect((await verify(AccessToken, await pool.getLatestCode(next))).body).toEqual({});
    expect(await getAttributes(AccessToken)).toMatchObject({ sub, email: next, email_verified: 'true' });
    expect((await pool.signIn(next)).status).toBe(200);
    expect((await pool.signIn(email)).at('message')).toBe('Incorrect username or password.');
  });

  it('[IDP-01] [IDP-04] notifies the previous address once, in the language of the user', async () => {
    const { email, access: AccessToken } = await pool.createSignedInUser();
    const next = newAddress();
    await update(AccessToken, { email: next });
    expect(await pool.listNotifications(email)).toEqual([]);
    await pool.call(
      'VerifyUserAttribute',
      { AccessToken, AttributeName: 'email', Code: await pool.getLatestCode(next) },
      { headers: { 'accept-language': 'es' } },
    );
    expect(await pool.listNotifications(email)).toEqual([
      'Tu cuenta de Escucho tiene otro correo electrónico',
    ]);
  });

  it('[IDP-01] resends a code to the pending address; it replaces the previous one', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const next = newAddress();
    await update(AccessToken, { email: next });
    const first = await pool.getLatestCode(next);
    const resent = await requestCode(AccessToken);
    expect(resent.at('CodeDeliveryDetails', 'Destination')).toBe('u***@e***');
    const second = await pool.getLatestCode(next);
    if (first !== second) {
      expect((await verify(AccessToken, first)).at('__type')).toBe('CodeMismatchException');
    }
    expect((await verify(AccessToken, second)).status).toBe(200);
    expect((await verify(AccessToken, second)).at('__type')).toBe('ExpiredCodeException');
  });

  it('[IDP-03] the code of one address does not verify another', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const own = newAddress();
    const other = newAddress();
    await update(AccessToken, { email: own });
    const code = await pool.getLatestCode(own);
    await update(AccessToken, { email: other });
    if (code !== (await pool.getLatestCode(other))) {
      expect((await verify(AccessToken, code)).at('__type')).toBe('CodeMismatchException');
    }
    expect(await getAttributes(AccessToken)).not.toMatchObject({ email: other });
  });

  it('[IDP-03] is not verified by a code requested for the own address at the same time', async () => {
    const { email, sub, access: AccessToken } = await pool.createSignedInUser();
    await requestCode(AccessToken);
    const requests = await db.transaction().execute(async (tx) => {
      await lockCounter(tx, sub, 'email-mail');
      const change = update(AccessToken, { email: newAddress() });
      await expect.poll(() => countLockWaiters(db)).toBe(1);
      const resend = requestCode(AccessToken);
      await expect.poll(() => countLockWaiters(db)).toBe(2);
      return [change, resend];
    });
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200]);
    const reply = await verify(AccessToken, await pool.getLatestCode(email));
    expect(reply.at('__type')).toBe('CodeMismatchException');
    expect(await getAttributes(AccessToken)).toMatchObject({ email });
  });

  it('[IDP-03] the code of another purpose verifies no address', async () => {
    const { email, access: AccessToken } = await pool.createSignedInUser();
    await update(AccessToken, { email: newAddress() });
    await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
    const reply = await verify(AccessToken, await pool.getLatestCode(email));
    expect(reply.at('__type')).toBe('CodeMismatchException');
  });

  it('[IDP-03] is answered alike if the address is taken, whose owner is notified', async () => {
    const { email: own, access: AccessToken } = await pool.createSignedInUser();
    const { email } = await pool.createUser();
    const codes = await pool.listCodes(email);
    const free = await update(AccessToken, { email: newAddress() });
    const taken = await update(AccessToken, { email });
    expect([taken.status, taken.body]).toEqual([free.status, free.body]);
    expect((await requestCode(AccessToken)).status).toBe(200);
    expect(await pool.listCodes(email)).toEqual(codes);
    const subject = 'You already have an Escucho account · Ya tienes una cuenta de Escucho';
    expect(await pool.listNotifications(email)).toEqual([subject, subject]);
    expect((await verify(AccessToken, codes[0] ?? '')).at('__type')).toBe('CodeMismatchException');
    expect((await pool.signIn(own)).status).toBe(200);
  });

  it('[IDP-03] is refused if taken after the request', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const next = newAddress();
    await update(AccessToken, { email: next });
    const code = await pool.getLatestCode(next);
    await pool.signUp(next);
    const ConfirmationCode = await pool.getLatestCode(next);
    await pool.call('ConfirmSignUp', { ClientId: clientId, Username: next, ConfirmationCode });
    expect((await verify(AccessToken, code)).error).toBe(
      'AliasExistsException: An account with the email already exists.',
    );
  });

  it('[IDP-03] takes an address somebody signed up with and did not confirm', async () => {
    const { sub, access: AccessToken } = await pool.createSignedInUser();
    const next = newAddress();
    await pool.signUp(next, { Password: 'Stranger2026' });
    const ConfirmationCode = await pool.getLatestCode(next);
    expect((await update(AccessToken, { email: next })).status).toBe(200);
    expect((await verify(AccessToken, await pool.getLatestCode(next))).status).toBe(200);
    const confirmation = { ClientId: clientId, Username: next, ConfirmationCode };
    expect((await pool.call('ConfirmSignUp', confirmation)).at('__type')).toBe('ExpiredCodeException');
    const AccessTokenOfNext = (await pool.signIn(next)).at('AuthenticationResult', 'AccessToken');
    expect((await pool.call('GetUser', { AccessToken: AccessTokenOfNext })).at('Username')).toBe(sub);
  });

  it('[IDP-03] is refused if it is longer than a username, with which one could not sign in', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const pad = (length: number) => newAddress().padStart(length, 'x');
    expect((await update(AccessToken, { email: pad(129) })).error).toBe(
      'InvalidParameterException: Invalid email address format.',
    );
    const email = pad(128);
    await update(AccessToken, { email });
    await verify(AccessToken, await pool.getLatestCode(email));
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('[IDP-03] sends at most five mails an hour', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    for (let mails = 0; mails < 5; mails += 1) await update(AccessToken, { email: newAddress() });
    expect((await update(AccessToken, { email: newAddress() })).at('__type')).toBe('LimitExceededException');
  });

  it('[IDP-03] sends at most five mails an hour to an address, for all accounts together', async () => {
    const email = newAddress();
    const types = [];
    for (let accounts = 0; accounts < 6; accounts += 1) {
      const { access } = await pool.createSignedInUser();
      types.push((await update(access, { email })).at('__type'));
    }
    expect(types).toEqual([...Array.from({ length: 5 }, () => 'undefined'), 'LimitExceededException']);
    expect(await pool.listCodes(email)).toHaveLength(5);
  });

  it('[IDP-01] other attributes cannot be verified', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    expect((await verify(AccessToken, '123456', 'phone_number')).at('__type')).toBe(
      'InvalidParameterException',
    );
  });
});

describe('DeleteUser', () => {
  it('[IDP-01] deletes the account with its data; the address can sign up again', async () => {
    const { email: former, sub, access: AccessToken, refresh } = await pool.createSignedInUser();
    const [email, pending] = [newAddress(), newAddress()];
    await update(AccessToken, { email });
    await verify(AccessToken, await pool.getLatestCode(email));
    await update(AccessToken, { email: pending });
    await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
    expect((await pool.call('DeleteUser', { AccessToken })).body).toEqual({});
    const { rows } = await sql<{ left: string }>`
      select (select count(*) from account where id = ${sub}) + (select count(*) from session where account_id = ${sub})
        + (select count(*) from verification_code where user_id = ${sub}) + (select count(*) from attempt_counter where subject = ${sub})
        + (select count(*) from outbox_mail where account_id = ${sub} or recipient in (${email}, ${former}, ${pending})) as left`.execute(
      db,
    );
    expect(Number(rows[0]?.left)).toBe(0);
    expect((await pool.call('GetUser', { AccessToken })).at('__type')).toBe('NotAuthorizedException');
    expect((await pool.refresh(refresh)).at('message')).toBe('Invalid Refresh Token');
    expect((await pool.signIn(email)).at('message')).toBe('Incorrect username or password.');
    expect((await pool.signUp(email)).status).toBe(200);
  });
});
