import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../crypto.ts';
import { clientId, createTestPool, issuer, poolId, secret, startPool } from '../testing/pool.ts';
import { createPublicKeyResolver, getSigningKey } from './keys.ts';

const { connection, pool, db } = await createTestPool();

const getUser = (AccessToken: string) => pool.call('GetUser', { AccessToken });

describe('tokens', () => {
  it("[IDP-01] have Cognito's claims and a signing key for each kind", async () => {
    const { email, sub, access, id } = await pool.createSignedInUser();
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
    const { sub, access, id } = await pool.createSignedInUser();
    const getKey = createPublicKeyResolver(connection);
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
  });

  it('[IDP-03] refuses to start with a database of another secret', async () => {
    await expect(startPool(connection, { secret: 'x'.repeat(32) })).rejects.toMatchObject({
      code: 'secrets-differ',
    });
    await expect(startPool(connection, { secret: 'too short' })).rejects.toThrow(/32 bytes/);
  });
});

describe('access tokens', () => {
  it('[IDP-03] expire after an hour', async () => {
    const { access } = await pool.createSignedInUser();
    const reply = await pool.withClockAdvanced(3_600_000, () => getUser(access));
    expect(reply.error).toBe('NotAuthorizedException: Access Token has expired');
  });

  it('[IDP-03] are refused if forged, or of another kind, issuer or scope', async () => {
    const { access, id } = await pool.createSignedInUser();
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
      [await sign({ iss: 'https://other.test' }), invalid],
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
    const { sub, access } = await pool.createSignedInUser();
    await db.deleteFrom('account').where('id', '=', sub).execute();
    expect((await getUser(access)).status).toBe(400);
  });
});
