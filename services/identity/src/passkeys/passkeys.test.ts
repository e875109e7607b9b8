import { findAuditEvents } from '@escucho/audit';
import { countLockWaiters } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { sessionRepository } from '../sessions/repository.ts';
import { createAuthenticator, type Deviation } from '../testing/authenticator.ts';
import { createUserWithTotp } from '../testing/authenticator-app.ts';
import { clientId, createTestPool, type PoolResponse, sendTogether } from '../testing/pool.ts';

const origin = 'https://escucho.test';
const relyingParty = { id: 'escucho.test', name: 'Escucho', origins: [origin] };
const { pool, db } = await createTestPool({ passkeys: relyingParty });

const invalid = 'NotAuthorizedException: The passkey could not be verified.';
const createKey = (idLength?: number) =>
  createAuthenticator({ origin, rpId: relyingParty.id, ...(idLength !== undefined && { idLength }) });

const startRegistration = async (AccessToken: string) =>
  Object((await pool.call('StartWebAuthnRegistration', { AccessToken })).body).CredentialCreationOptions;

const complete = (AccessToken: string, Credential: object, extra: object = {}) =>
  pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential, ...extra });

async function createUserWithPasskey() {
  const user = await pool.createSignedInUser();
  const key = createKey();
  await complete(user.access, key.create(await startRegistration(user.access)));
  return { ...user, key };
}

const initiate = (USERNAME?: string) =>
  pool.call('InitiateAuth', {
    ClientId: clientId,
    AuthFlow: 'USER_AUTH',
    AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'WEB_AUTHN' },
  });

const readOptions = (challenge: PoolResponse) =>
  JSON.parse(challenge.at('ChallengeParameters', 'CREDENTIAL_REQUEST_OPTIONS'));

const respond = (challenge: PoolResponse, credential: object | string, USERNAME?: string) =>
  pool.call('RespondToAuthChallenge', {
    ClientId: clientId,
    ChallengeName: 'WEB_AUTHN',
    Session: challenge.at('Session'),
    ChallengeResponses: {
      USERNAME,
      CREDENTIAL: typeof credential === 'string' ? credential : JSON.stringify(credential),
    },
  });

describe('registering a passkey', () => {
  it('[AUTH-13] lists it with its name and use, until it is deleted', async () => {
    const { access: AccessToken, email } = await pool.createSignedInUser();
    const options = await startRegistration(AccessToken);
    expect(options).toMatchObject({
      rp: { id: 'escucho.test', name: 'Escucho' },
      user: { name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const key = createKey();
    const name = { FriendlyCredentialName: 'My phone' };
    expect((await complete(AccessToken, key.create(options), name)).body).toEqual({});
    const list = await pool.call('ListWebAuthnCredentials', { AccessToken });
    const passkey = {
      CredentialId: key.credentialId,
      FriendlyCredentialName: 'My phone',
      RelyingPartyId: 'escucho.test',
      AuthenticatorAttachment: 'platform',
      AuthenticatorTransports: ['internal', 'hybrid'],
      CreatedAt: Math.floor(pool.clock().getTime() / 1000),
    };
    expect(list.body).toEqual({ Credentials: [passkey] });
    const challenge = await initiate(email);
    expect((await respond(challenge, key.get(readOptions(challenge)), email)).status).toBe(200);
    const used = Object((await pool.call('ListWebAuthnCredentials', { AccessToken })).body).Credentials[0];
    expect(used.LastUsedAt).toBe(passkey.CreatedAt);
    const deletion = { AccessToken, CredentialId: key.credentialId };
    expect((await pool.call('DeleteWebAuthnCredential', deletion)).body).toEqual({});
    expect((await pool.call('DeleteWebAuthnCredential', deletion)).at('__type')).toBe(
      'ResourceNotFoundException',
    );
    const next = await initiate(email);
    expect((await respond(next, key.get(readOptions(next)), email)).error).toBe(invalid);
  });

  it.each<[string, Deviation, string]>([
    ['another origin', { origin: 'https://evil.test' }, 'WebAuthnOriginNotAllowedException'],
    ['another relying party', { rpId: 'evil.test' }, 'WebAuthnRelyingPartyMismatchException'],
    ['no user verification', { userVerified: false }, 'WebAuthnCredentialNotSupportedException'],
    ['another challenge', { challenge: 'AAAA' }, 'WebAuthnChallengeNotFoundException'],
  ])('[IDP-03] refuses a response with %s', async (_, deviation, type) => {
    const { access } = await pool.createSignedInUser();
    const response = createKey().create(await startRegistration(access), deviation);
    expect((await complete(access, response)).at('__type')).toBe(type);
  });

  it.each([
    [1023, 200, 'undefined'],
    [1024, 400, 'WebAuthnCredentialNotSupportedException'],
    [4000, 400, 'WebAuthnCredentialNotSupportedException'],
  ])('[IDP-03] responds to a credential id of %i bytes with %i', async (idLength, status, type) => {
    const { access } = await pool.createSignedInUser();
    const response = await complete(access, createKey(idLength).create(await startRegistration(access)));
    expect([response.status, response.at('__type')]).toEqual([status, type]);
  });

  it('[IDP-03] cuts a too long name, not within a character', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const name = { FriendlyCredentialName: `${'k'.repeat(99)}🔑` };
    await complete(AccessToken, createKey().create(await startRegistration(AccessToken)), name);
    const list = await pool.call('ListWebAuthnCredentials', { AccessToken });
    expect(list.body).toMatchObject({ Credentials: [{ FriendlyCredentialName: 'k'.repeat(99) }] });
  });

  it('[IDP-03] refuses a transport with a control character', async () => {
    const { access } = await pool.createSignedInUser();
    const key = createKey().create(await startRegistration(access));
    const response = { ...key.response, transports: ['us\0b'] };
    expect((await complete(access, { ...key, response })).at('__type')).toBe('InvalidParameterException');
  });

  it('[IDP-03] refuses a challenge that was used, has expired or belongs to another user', async () => {
    const [user, other] = [await pool.createSignedInUser(), await pool.createSignedInUser()];
    const options = await startRegistration(user.access);
    const attempt = () => complete(user.access, createKey().create(options));
    const notFound = 'WebAuthnChallengeNotFoundException';
    expect((await pool.withClockAdvanced(5 * 60_000, attempt)).at('__type')).toBe(notFound);
    expect((await complete(other.access, createKey().create(options))).at('__type')).toBe(notFound);
    expect((await attempt()).status).toBe(200);
    expect((await attempt()).at('__type')).toBe(notFound);
  });

  it('[IDP-03] refuses a credential that another user registered', async () => {
    const { key } = await createUserWithPasskey();
    const { access } = await pool.createSignedInUser();
    const response = await complete(access, key.create(await startRegistration(access)));
    expect(response.at('__type')).toBe('WebAuthnCredentialNotSupportedException');
  });

  const insertPasskeys = (accountId: string, count: number) => {
    const rows = Array.from({ length: count }, (_, n) => ({
      id: `${accountId}-${n}`,
      accountId,
      publicKey: Buffer.alloc(1),
      counter: 0,
      transports: [],
      attachment: null,
      name: 'Key',
      createdAt: pool.clock(),
      lastUsedAt: null,
    }));
    return db.insertInto('passkey').values(rows).execute();
  };

  it('[IDP-03] requires a recent sign-in, and allows 20 passkeys', async () => {
    const { access: AccessToken, sub } = await pool.createSignedInUser();
    const start = () => pool.call('StartWebAuthnRegistration', { AccessToken });
    const late = await pool.withClockAdvanced(11 * 60_000, start);
    expect(late.at('message')).toBe('A recent sign-in is required');
    await insertPasskeys(sub, 20);
    expect((await start()).at('__type')).toBe('LimitExceededException');
  });

  it('[IDP-03] refuses the 21st passkey of registrations at the same time', async () => {
    const { access, sub } = await pool.createSignedInUser();
    await insertPasskeys(sub, 19);
    const started = [await startRegistration(access), await startRegistration(access)];
    const responses = await sendTogether(
      db,
      sub,
      started.map((options) => () => complete(access, createKey().create(options))),
    );
    expect(responses.map((response) => [response.status, response.at('__type')])).toEqual([
      [200, 'undefined'],
      [400, 'LimitExceededException'],
    ]);
  });

  it('[IDP-03] is refused while the account is deleted', async () => {
    const { access: AccessToken, sub } = await pool.createSignedInUser();
    const credential = createKey().create(await startRegistration(AccessToken));
    const responses = await sendTogether(db, sub, [
      () => pool.call('DeleteUser', { AccessToken }),
      () => complete(AccessToken, credential),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe('signing in by passkey', () => {
  it('[AUTH-13] needs no second factor, because the passkey verifies the user', async () => {
    const user = await createUserWithTotp(pool);
    const key = createKey();
    await complete(user.access, key.create(await startRegistration(user.access)));
    const challenge = await initiate(user.email);
    expect(challenge.at('ChallengeName')).toBe('WEB_AUTHN');
    const response = await respond(challenge, key.get(readOptions(challenge)), user.email);
    const AccessToken = response.at('AuthenticationResult', 'AccessToken');
    expect((await pool.call('GetUser', { AccessToken })).at('Username')).toBe(user.sub);
  });

  it('[IDP-01] leaves no event of an account deleted at the same time', async () => {
    const { sub, access: AccessToken, key } = await createUserWithPasskey();
    const challenge = await initiate();
    const [deletion, signIn] = await sendTogether(db, sub, [
      () => pool.call('DeleteUser', { AccessToken }),
      () => respond(challenge, key.get(readOptions(challenge))),
    ]);
    expect([deletion?.status, signIn?.status]).toEqual([200, 400]);
    expect(await findAuditEvents(db, { userId: sub }, 10)).toEqual([]);
  });

  it('[AUTH-13] works without a username, for any user of the site', async () => {
    const { sub, key } = await createUserWithPasskey();
    const challenge = await initiate();
    expect(challenge.body).not.toHaveProperty('ChallengeParameters.USERNAME');
    const response = await respond(challenge, key.get(readOptions(challenge)));
    const AccessToken = response.at('AuthenticationResult', 'AccessToken');
    expect((await pool.call('GetUser', { AccessToken })).at('Username')).toBe(sub);
  });

  it.each([
    ['without a username, as long as a page may be open', undefined, 11 * 60, 200],
    ['without a username, not for longer', undefined, 12 * 60, 400],
    ['with a username, not after five minutes', 'USER', 5, 400],
  ])('[AUTH-13] is possible %s', async (_, username, minutes, status) => {
    const { email, key } = await createUserWithPasskey();
    const challenge = await initiate(username && email);
    const credential = key.get(readOptions(challenge));
    const response = await pool.withClockAdvanced(minutes * 60_000, () => respond(challenge, credential));
    expect(response.status).toBe(status);
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['no user verification', { userVerified: false }],
    ['another challenge', { challenge: 'AAAA' }],
    ['another user handle', { userHandle: Buffer.from('somebody else').toString('base64url') }],
  ])('[IDP-03] refuses a response with %s', async (_, deviation) => {
    const { email, key } = await createUserWithPasskey();
    const challenge = await initiate(email);
    const response = await respond(challenge, key.get(readOptions(challenge), deviation), email);
    expect(response.error).toBe(invalid);
  });

  it('[IDP-03] refuses a replayed response, on the same Session and on another one', async () => {
    const { email, key } = await createUserWithPasskey();
    const challenge = await initiate(email);
    const credential = key.get(readOptions(challenge));
    const responses = await Promise.all([1, 2].map(() => respond(challenge, credential, email)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await respond(challenge, credential, email)).at('message')).toContain('can only be used once');
    expect((await respond(await initiate(email), credential, email)).error).toBe(invalid);
  });

  it('[IDP-03] refuses a counter that does not rise, which reveals a copied passkey', async () => {
    const { email, key } = await createUserWithPasskey();
    const signIn = async (counter: number) => {
      const challenge = await initiate(email);
      return respond(challenge, key.get(readOptions(challenge), { counter }), email);
    };
    expect((await signIn(7)).status).toBe(200);
    expect((await signIn(7)).error).toBe(invalid);
    expect((await signIn(3)).error).toBe(invalid);
    expect((await signIn(8)).status).toBe(200);
  });

  it('[IDP-03] refuses the passkey of another user, a forged signature and no JSON', async () => {
    const [user, other] = [await createUserWithPasskey(), await createUserWithPasskey()];
    const foreign = await initiate(user.email);
    expect((await respond(foreign, other.key.get(readOptions(foreign)), user.email)).error).toBe(invalid);
    const forged = await initiate(user.email);
    const signed = createKey().get(readOptions(forged));
    const { id, rawId } = user.key.get(readOptions(forged));
    expect((await respond(forged, { ...signed, id, rawId }, user.email)).error).toBe(invalid);
    for (const credential of ['x', '{}', 'null', '[]']) {
      expect((await respond(await initiate(), credential)).error).toBe(invalid);
    }
  });

  it('[IDP-03] looks the same for unknown users and for users without a passkey', async () => {
    const { email } = await pool.createUser();
    const keys = [];
    for (const name of [email, 'nobody@escucho.test', (await createUserWithPasskey()).email]) {
      const challenge = await initiate(name);
      keys.push([Object.keys(Object(challenge.body)), Object.keys(readOptions(challenge))]);
      expect(readOptions(challenge).allowCredentials ?? []).toEqual([]);
    }
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).toEqual(keys[0]);
  });

  it('[IDP-03] waits for a transaction that disables the user and revokes the sessions', async () => {
    const { email, sub, key } = await createUserWithPasskey();
    const challenge = await initiate(email);
    let hasResponse = false;
    const attempt = await db.transaction().execute(async (tx) => {
      await tx.updateTable('account').set({ enabled: false }).where('id', '=', sub).execute();
      await sessionRepository.revokeAll(tx, sub, pool.clock());
      const response = respond(challenge, key.get(readOptions(challenge)), email).finally(() => {
        hasResponse = true;
      });
      await expect.poll(async () => hasResponse || (await countLockWaiters(db)) === 1).toBe(true);
      return { response };
    });
    expect((await attempt.response).at('message')).toBe('User is disabled.');
  });

  it('[IDP-03] a disabled user is refused', async () => {
    const { email, sub, key } = await createUserWithPasskey();
    await db.updateTable('account').set({ enabled: false }).where('id', '=', sub).execute();
    const challenge = await initiate(email);
    expect((await respond(challenge, key.get(readOptions(challenge)), email)).at('message')).toBe(
      'User is disabled.',
    );
  });
});
