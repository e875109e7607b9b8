import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { clientId, createTestPool, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool();

const newAddress = () => `new-${randomUUID()}@escucho.test`;

async function signedIn() {
  const { email, sub } = await pool.createUser();
  const reply = await pool.signIn(email);
  const at = (name: string) => reply.at('AuthenticationResult', name);
  return { email, sub, AccessToken: at('AccessToken'), refresh: at('RefreshToken') };
}

async function attributes(AccessToken: string) {
  const { body } = await pool.call('GetUser', { AccessToken });
  const { UserAttributes }: { UserAttributes: { Name: string; Value: string }[] } = Object(body);
  return Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
}

const update = (AccessToken: string, given: Record<string, string>) =>
  pool.call('UpdateUserAttributes', {
    AccessToken,
    UserAttributes: Object.entries(given).map(([Name, Value]) => ({ Name, Value })),
  });
const verify = (AccessToken: string, Code: string, AttributeName = 'email') =>
  pool.call('VerifyUserAttribute', { AccessToken, AttributeName, Code });

describe('ChangePassword', () => {
  const change = (AccessToken: string, PreviousPassword: string, ProposedPassword: string) =>
    pool.call('ChangePassword', { AccessToken, PreviousPassword, ProposedPassword });

  it('[IDP-01] sets a new password by the one before, and ends every other session', async () => {
    const { email, AccessToken, refresh } = await signedIn();
    const otherSession = (await pool.signIn(email)).at('AuthenticationResult', 'RefreshToken');
    const reply = await change(AccessToken, password, 'Nueva2026');
    expect([reply.status, reply.body]).toEqual([200, {}]);
    expect((await pool.signIn(email)).status).toBe(400);
    expect((await pool.signIn(email, 'Nueva2026')).status).toBe(200);
    expect((await pool.refresh(otherSession)).at('message')).toBe('Refresh Token has been revoked');
    expect((await pool.refresh(refresh)).status).toBe(200);
  });

  it.each([
    ['another password', 'Wrong2026', 'Nueva2026', 'NotAuthorizedException: Incorrect username or password.'],
    [
      'a weak new one',
      password,
      'weak',
      'InvalidPasswordException: Password did not conform with policy: Password not long enough',
    ],
  ])('[IDP-01] with %s is refused', async (_, before, proposed, error) => {
    const { email, AccessToken } = await signedIn();
    expect((await change(AccessToken, before, proposed)).error).toBe(error);
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('[IDP-03] a stolen access token cannot guess at the password for long', async () => {
    const { AccessToken } = await signedIn();
    for (let tries = 0; tries < 5; tries += 1) await change(AccessToken, 'Wrong2026', 'Nueva2026');
    expect((await change(AccessToken, password, 'Nueva2026')).error).toBe(
      'NotAuthorizedException: Password attempts exceeded',
    );
  });
});

describe('UpdateUserAttributes', () => {
  it('[IDP-01] updates names, and removes attributes with an empty value', async () => {
    const { AccessToken } = await signedIn();
    const reply = await update(AccessToken, { given_name: 'Ana', family_name: 'Ruiz' });
    expect(reply.body).toEqual({ CodeDeliveryDetailsList: [] });
    expect(await attributes(AccessToken)).toMatchObject({ given_name: 'Ana', family_name: 'Ruiz' });
    await update(AccessToken, { family_name: '' });
    expect(await attributes(AccessToken)).not.toHaveProperty('family_name');
    expect(await attributes(AccessToken)).toMatchObject({ given_name: 'Ana' });
  });

  it.each([
    [{ sub: randomUUID() }, 'NotAuthorizedException'],
    [{ email_verified: 'true' }, 'NotAuthorizedException'],
    [{ identities: '[]' }, 'NotAuthorizedException'],
    [{ 'custom:role': 'admin' }, 'InvalidParameterException'],
    [{ email: 'nothing' }, 'InvalidParameterException'],
    [{ phone_number: '123' }, 'InvalidParameterException'],
  ])('[IDP-03] %o is refused', async (given, type) => {
    const { AccessToken } = await signedIn();
    const before = await attributes(AccessToken);
    expect((await update(AccessToken, { ...given, given_name: 'X' })).at('__type')).toBe(type);
    expect(await attributes(AccessToken)).toEqual(before);
  });
});

describe('a new address', () => {
  it('[IDP-01] counts once its code proves it; until then the one before stays', async () => {
    const { email, sub, AccessToken } = await signedIn();
    const next = newAddress();
    const reply = await update(AccessToken, { email: next.toUpperCase() });
    expect(reply.body).toEqual({
      CodeDeliveryDetailsList: [
        { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'n***@e***' },
      ],
    });
    expect(await attributes(AccessToken)).toMatchObject({ email, email_verified: 'true' });
    expect((await pool.signIn(email)).status).toBe(200);
    expect((await pool.signIn(next)).status).toBe(400);
    expect((await verify(AccessToken, await pool.getLatestCode(next))).body).toEqual({});
    expect(await attributes(AccessToken)).toMatchObject({ sub, email: next, email_verified: 'true' });
    expect((await pool.signIn(next)).status).toBe(200);
    expect((await pool.signIn(email)).at('message')).toBe('Incorrect username or password.');
  });

  it('[IDP-01] [IDP-04] notifies the previous address once, in the language of the user', async () => {
    const { email, AccessToken } = await signedIn();
    const next = newAddress();
    await update(AccessToken, { email: next });
    const listNotifications = async () => {
      const answer = await pool.app.inject(`/outbox/messages?to=${email}`);
      const mails: { subject: string; code: string | null }[] = answer.json();
      return mails.filter(({ code }) => code === null).map(({ subject }) => subject);
    };
    expect(await listNotifications()).toEqual([]);
    await pool.call(
      'VerifyUserAttribute',
      { AccessToken, AttributeName: 'email', Code: await pool.getLatestCode(next) },
      { headers: { 'accept-language': 'es' } },
    );
    expect(await listNotifications()).toEqual(['Tu cuenta de Escucho tiene otro correo electrónico']);
  });

  it('[IDP-01] a code is sent again, in the place of the one before, to the address that waits', async () => {
    const { AccessToken } = await signedIn();
    const next = newAddress();
    await update(AccessToken, { email: next });
    const first = await pool.getLatestCode(next);
    const again = await pool.call('GetUserAttributeVerificationCode', {
      AccessToken,
      AttributeName: 'email',
    });
    expect(again.at('CodeDeliveryDetails', 'Destination')).toBe('n***@e***');
    const second = await pool.getLatestCode(next);
    if (first !== second) {
      expect((await verify(AccessToken, first)).at('__type')).toBe('CodeMismatchException');
    }
    expect((await verify(AccessToken, second)).status).toBe(200);
    expect((await verify(AccessToken, second)).at('__type')).toBe('ExpiredCodeException');
  });

  it('[IDP-03] the code of one address proves no other', async () => {
    const { AccessToken } = await signedIn();
    const mine = newAddress();
    const theirs = newAddress();
    await update(AccessToken, { email: mine });
    const code = await pool.getLatestCode(mine);
    await update(AccessToken, { email: theirs });
    if (code !== (await pool.getLatestCode(theirs))) {
      expect((await verify(AccessToken, code)).at('__type')).toBe('CodeMismatchException');
    }
    expect(await attributes(AccessToken)).not.toMatchObject({ email: theirs });
  });

  it('[IDP-03] the code of another purpose proves none', async () => {
    const { email, AccessToken } = await signedIn();
    await update(AccessToken, { email: newAddress() });
    await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
    const reply = await verify(AccessToken, await pool.getLatestCode(email));
    expect(reply.at('__type')).toBe('CodeMismatchException');
  });

  it('[IDP-03] that is taken is refused, also if it was taken in the meantime', async () => {
    const { AccessToken } = await signedIn();
    const other = await pool.createUser();
    const exists = 'AliasExistsException: An account with the email already exists.';
    expect((await update(AccessToken, { email: other.email })).error).toBe(exists);
    const next = newAddress();
    await update(AccessToken, { email: next });
    const code = await pool.getLatestCode(next);
    await pool.signUp(next);
    expect((await verify(AccessToken, code)).error).toBe(exists);
    expect((await pool.listCodes(next)).length).toBe(2);
  });

  it('[IDP-03] sends at most five mails an hour', async () => {
    const { AccessToken } = await signedIn();
    for (let mails = 0; mails < 5; mails += 1) await update(AccessToken, { email: newAddress() });
    expect((await update(AccessToken, { email: newAddress() })).at('__type')).toBe('LimitExceededException');
  });

  it('[IDP-01] other attributes cannot be verified', async () => {
    const { AccessToken } = await signedIn();
    expect((await verify(AccessToken, '123456', 'phone_number')).at('__type')).toBe(
      'InvalidParameterException',
    );
  });
});

describe('DeleteUser', () => {
  it('[IDP-01] deletes the account with its data; the address can sign up again', async () => {
    const { email: former, sub, AccessToken, refresh } = await signedIn();
    const [email, wanted] = [newAddress(), newAddress()];
    await update(AccessToken, { email });
    await verify(AccessToken, await pool.getLatestCode(email));
    await update(AccessToken, { email: wanted });
    await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
    expect((await pool.call('DeleteUser', { AccessToken })).body).toEqual({});
    const { rows } = await sql<{ left: string }>`
      select (select count(*) from account where id = ${sub}) + (select count(*) from session where account_id = ${sub})
        + (select count(*) from verification_code where user_id = ${sub}) + (select count(*) from attempt_counter where subject = ${sub})
        + (select count(*) from outbox_mail where account_id = ${sub} or recipient in (${email}, ${former}, ${wanted})) as left`.execute(
      db,
    );
    expect(Number(rows[0]?.left)).toBe(0);
    expect((await pool.call('GetUser', { AccessToken })).at('__type')).toBe('NotAuthorizedException');
    expect((await pool.refresh(refresh)).at('message')).toBe('Invalid Refresh Token');
    expect((await pool.signIn(email)).at('message')).toBe('Incorrect username or password.');
    expect((await pool.signUp(email)).status).toBe(200);
  });
});
