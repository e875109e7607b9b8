import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createSecrets } from '../crypto.ts';
import { openIdentityDatabase } from '../database.ts';
import { deleteExpiredRows } from '../expiry-repository.ts';
import { clientId, createTestPool, issuer, poolId, secret, startPool } from '../testing/pool.ts';
import { createPublicKeyResolver, getSigningKey } from '../tokens/keys.ts';

const { connection, pool, db } = await createTestPool();
const rotating = await startPool(connection, { rotation: { graceSeconds: 60 } });
afterAll(() => rotating.app.close());

const minute = 60_000;
const day = 24 * 60 * minute;

async function signedIn(at = pool) {
  const { email, sub } = await pool.createUser();
  const reply = await at.signIn(email);
  return {
    email,
    sub,
    access: reply.at('AuthenticationResult', 'AccessToken'),
    id: reply.at('AuthenticationResult', 'IdToken'),
    refresh: reply.at('AuthenticationResult', 'RefreshToken'),
  };
}

const getUser = (AccessToken: string) => pool.call('GetUser', { AccessToken });
const revoke = (Token: string) => pool.call('RevokeToken', { ClientId: clientId, Token });
const byInitiateAuth = (flow: string, REFRESH_TOKEN: string, at = pool) =>
  at.call('InitiateAuth', {
    ClientId: clientId,
    AuthFlow: flow,
    AuthParameters: { REFRESH_TOKEN, DEVICE_KEY: null },
  });

describe('tokens', () => {
  it("[IDP-01] carry Cognito's claims, signed with a key for each kind", async () => {
    const { email, sub, access, id } = await signedIn();
    const shared = {
      sub,
      iss: issuer,
      origin_jti: expect.any(String),
      event_id: expect.any(String),
      jti: expect.any(String),
      auth_time: expect.any(Number),
      iat: expect.any(Number),
      exp: expect.any(Number),
    };
    expect(decodeJwt(access)).toEqual({
      ...shared,
      token_use: 'access',
      client_id: clientId,
      username: sub,
      scope: 'aws.cognito.signin.user.admin',
    });
    expect(decodeJwt(id)).toEqual({
      ...shared,
      token_use: 'id',
      aud: clientId,
      'cognito:username': sub,
      email,
      email_verified: true,
    });
    const [accessHeader, idHeader] = [decodeProtectedHeader(access), decodeProtectedHeader(id)];
    expect(Object.keys(accessHeader).sort()).toEqual(['alg', 'kid']);
    expect(accessHeader.alg).toBe('RS256');
    expect(accessHeader.kid).not.toBe(idHeader.kid);
  });

  it('[IDP-01] verify in another service over its own database connection', async () => {
    const { sub, access, id } = await signedIn();
    const getKey = createPublicKeyResolver({ connection });
    for (const token of [access, id]) {
      const { payload } = await jwtVerify(token, getKey, { issuer, algorithms: ['RS256'] });
      expect(payload.sub).toBe(sub);
    }
    await expect(jwtVerify(`${access}x`, getKey, { issuer })).rejects.toThrow();
  });

  it('[IDP-01] contain the names of the profile', async () => {
    const email = `eva-${randomUUID()}@escucho.test`;
    const attributes = [
      { Name: 'email', Value: email },
      { Name: 'given_name', Value: 'Eva 🙂' },
      { Name: 'family_name', Value: "O'Niño" },
      { Name: 'phone_number', Value: '+59399888777' },
    ];
    await pool.signUp(email, { UserAttributes: attributes });
    const confirmation = {
      ClientId: clientId,
      Username: email,
      ConfirmationCode: await pool.getLatestCode(email),
    };
    await pool.call('ConfirmSignUp', confirmation);
    const reply = await pool.signIn(email);
    expect(decodeJwt(reply.at('AuthenticationResult', 'IdToken'))).toMatchObject({
      given_name: 'Eva 🙂',
      family_name: "O'Niño",
      phone_number: '+59399888777',
    });
    const user = await getUser(reply.at('AuthenticationResult', 'AccessToken'));
    expect(user.body).toEqual({
      Username: user.at('Username'),
      UserAttributes: [
        { Name: 'sub', Value: user.at('Username') },
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
        { Name: 'given_name', Value: 'Eva 🙂' },
        { Name: 'family_name', Value: "O'Niño" },
        { Name: 'phone_number', Value: '+59399888777' },
      ],
    });
  });

  it('[IDP-03] processes that start at once on a new database agree on the keys', async () => {
    const fresh = await createTestDatabase();
    const pools = await Promise.all([startPool(fresh), startPool(fresh), startPool(fresh)]);
    const sets = await Promise.all(
      pools.map(({ app }) => app.inject(`/identity/${poolId}/.well-known/jwks.json`)),
    );
    expect(new Set(sets.map(({ body }) => body)).size).toBe(1);
    expect(sets[0]?.json().keys).toHaveLength(2);
    await Promise.all(pools.map(({ app }) => app.close()));
  });

  it('[IDP-03] a database of another secret is not served', async () => {
    await expect(startPool(connection, { secret: 'x'.repeat(32) })).rejects.toThrow(
      /another identity secret/,
    );
    await expect(startPool(connection, { secret: 'too short' })).rejects.toThrow(/32 bytes/);
  });
});

describe('refreshing', () => {
  it.each([
    ['GetTokensFromRefreshToken', pool.refresh],
    ['InitiateAuth REFRESH_TOKEN_AUTH', (token: string) => byInitiateAuth('REFRESH_TOKEN_AUTH', token)],
    ['InitiateAuth REFRESH_TOKEN', (token: string) => byInitiateAuth('REFRESH_TOKEN', token)],
  ])('[AUTH-10] %s gives new tokens of the same sign-in, and no refresh token', async (_, refresh) => {
    const { access, refresh: token } = await signedIn();
    const reply = await pool.withClockAdvanced(10 * minute, () => refresh(token));
    const [before, after] = [decodeJwt(access), decodeJwt(reply.at('AuthenticationResult', 'AccessToken'))];
    expect(after.origin_jti).toBe(before.origin_jti);
    expect(after.auth_time).toBe(before.auth_time);
    expect(after.jti).not.toBe(before.jti);
    expect(Number(after.iat) - Number(before.iat)).toBeGreaterThanOrEqual(600);
    expect(reply.at('AuthenticationResult', 'RefreshToken')).toBe('undefined');
    expect(reply.at('AuthenticationResult', 'ExpiresIn')).toBe('3600');
  });

  it('[AUTH-10] ends after thirty days, counted from the sign-in', async () => {
    const { refresh } = await signedIn();
    const reply = await pool.withClockAdvanced(30 * day, () => pool.refresh(refresh));
    expect(reply.error).toBe('NotAuthorizedException: Refresh Token has expired');
  });

  it.each(['nonsense', 'a.b.c', "' or 1=1 --"])('[AUTH-10] "%s" is no refresh token', async (token) => {
    expect((await pool.refresh(token)).error).toBe('NotAuthorizedException: Invalid Refresh Token');
  });

  it('[IDP-03] the database holds no refresh token, only its hash', async () => {
    const { refresh } = await signedIn();
    const rows = await db.selectFrom('refresh_token').select('hash').execute();
    expect(rows.some(({ hash }) => hash.toString().includes(refresh))).toBe(false);
    expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
  });

  it('[IDP-03] stops for an account that was disabled', async () => {
    const { sub, access, refresh } = await signedIn();
    await db.updateTable('account').set({ enabled: false }).where('id', '=', sub).execute();
    expect((await pool.refresh(refresh)).error).toBe('NotAuthorizedException: User is disabled.');
    expect((await getUser(access)).error).toBe('NotAuthorizedException: User is disabled.');
  });

  it('[IDP-03] rotation replaces the token at every use, with a grace period', async () => {
    const { refresh: first } = await signedIn(rotating);
    const second = (await rotating.refresh(first)).at('AuthenticationResult', 'RefreshToken');
    expect(second).not.toBe(first);
    const otherTab = await rotating.withClockAdvanced(59_000, () => rotating.refresh(first));
    expect(otherTab.status).toBe(200);
    const reused = await rotating.withClockAdvanced(61_000, () => rotating.refresh(first));
    expect(reused.at('__type')).toBe('RefreshTokenReuseException');
    for (const token of [second, otherTab.at('AuthenticationResult', 'RefreshToken')]) {
      expect((await rotating.refresh(token)).error).toBe(
        'NotAuthorizedException: Refresh Token has been revoked',
      );
    }
    expect((await byInitiateAuth('REFRESH_TOKEN_AUTH', second, rotating)).at('message')).toBe(
      'REFRESH_TOKEN_AUTH flow not enabled for this client',
    );
  });
});

describe('signing out', () => {
  it('[IDP-03] a revoked refresh token ends its sign-in, and no other', async () => {
    const { email, access, refresh } = await signedIn();
    const other = await pool.signIn(email);
    expect((await revoke(refresh)).body).toEqual({});
    expect((await pool.refresh(refresh)).error).toBe(
      'NotAuthorizedException: Refresh Token has been revoked',
    );
    expect((await getUser(access)).error).toBe('NotAuthorizedException: Access Token has been revoked');
    expect((await pool.refresh(other.at('AuthenticationResult', 'RefreshToken'))).status).toBe(200);
  });

  it('[IDP-01] an unknown token is revoked without fuss; an access token is not one to revoke', async () => {
    const { access } = await signedIn();
    expect((await revoke('nonsense')).status).toBe(200);
    expect((await revoke(access)).at('__type')).toBe('UnsupportedTokenTypeException');
    expect((await getUser(access)).status).toBe(200);
  });

  it('[AUTH-09] GlobalSignOut revokes every session of the user and no other', async () => {
    const { email, access, refresh } = await signedIn();
    const other = await pool.signIn(email);
    const stranger = await signedIn();
    expect((await pool.call('GlobalSignOut', { AccessToken: access })).body).toEqual({});
    for (const token of [refresh, other.at('AuthenticationResult', 'RefreshToken')]) {
      expect((await pool.refresh(token)).error).toBe(
        'NotAuthorizedException: Refresh Token has been revoked',
      );
    }
    expect((await pool.call('GlobalSignOut', { AccessToken: access })).error).toBe(
      'NotAuthorizedException: Access Token has been revoked',
    );
    expect((await getUser(stranger.access)).status).toBe(200);
  });
});

describe('access tokens', () => {
  it('[IDP-03] end after their hour', async () => {
    const { access } = await signedIn();
    const reply = await pool.withClockAdvanced(60 * minute, () => getUser(access));
    expect(reply.error).toBe('NotAuthorizedException: Access Token has expired');
  });

  it('[IDP-03] are refused when forged, of the wrong kind, issuer or scope', async () => {
    const { access, id } = await signedIn();
    const claims = decodeJwt(access);
    const secrets = createSecrets(secret, poolId);
    const accessKey = await getSigningKey(db, secrets, 'access', new Date());
    const idKey = await getSigningKey(db, secrets, 'id', new Date());
    const sign = (changed: object, key = accessKey) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'RS256', kid: key.id })
        .sign(key.privateKey);
    const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
    const [, payload = '', signature = ''] = access.split('.');
    const invalid = 'NotAuthorizedException: Invalid Access Token';
    const attempts: [string, string][] = [
      [id, invalid],
      [`${encode({ alg: 'none' })}.${payload}.`, invalid],
      [`${encode({ alg: 'HS256', kid: accessKey.id })}.${payload}.${signature}`, invalid],
      [access.replace(payload, encode({ ...claims, sub: randomUUID() })), invalid],
      [await sign({ iss: 'https://elsewhere.test' }), invalid],
      [await sign({ client_id: 'another' }), invalid],
      [await sign({ token_use: 'id' }, idKey), invalid],
      [await sign({ sub: 'me' }), invalid],
      [await sign({ scope: 'openid' }), 'NotAuthorizedException: Access Token does not have required scopes'],
      [await sign({ origin_jti: randomUUID() }), 'NotAuthorizedException: Access Token has been revoked'],
      [await sign({ sub: randomUUID() }), 'NotAuthorizedException: Access Token has been revoked'],
    ];
    for (const [token, error] of attempts) expect((await getUser(token)).error).toBe(error);
    expect((await getUser(await sign({}))).status).toBe(200);
  });

  it('[IDP-03] of a deleted account are refused', async () => {
    const { sub, access } = await signedIn();
    await db.deleteFrom('account').where('id', '=', sub).execute();
    expect((await getUser(access)).status).toBe(400);
  });
});

it('[IDP-03] deletes expired rows and no others', async () => {
  const own = await createTestDatabase();
  const swept = await startPool(own);
  const rows = openIdentityDatabase(own, 'test', 1);
  const { email } = await swept.createUser();
  const reply = await swept.signIn(email);
  await swept.signIn('nobody@escucho.test');
  await swept.call('ForgotPassword', { ClientId: clientId, Username: email });
  const count = async () => {
    const tables = [
      'used_handshake',
      'verification_code',
      'session',
      'attempt_counter',
      'outbox_mail',
    ] as const;
    const counts = tables.map((table) =>
      rows.selectFrom(table).select(rows.fn.countAll<number>().as('rows')).executeTakeFirstOrThrow(),
    );
    return (await Promise.all(counts)).map((result) => result.rows > 0);
  };
  await deleteExpiredRows(rows, swept.clock());
  expect(await count()).toEqual([true, true, true, true, true]);
  expect((await swept.refresh(reply.at('AuthenticationResult', 'RefreshToken'))).status).toBe(200);
  await deleteExpiredRows(rows, new Date(Date.now() + 60 * day));
  expect(await count()).toEqual([false, false, false, false, false]);
  expect((await swept.signIn(email)).status).toBe(200);
  await rows.destroy();
  await swept.app.close();
});
