import { describe, expect, it } from 'vitest';
import { createTestPool, issuer, startPool } from '../testing/pool.ts';

const IdentityPoolId = 'local:0b5e9c1a-7d7e-4d0e-9d53-2f1c8a3b4c5d';
const { connection, pool } = await createTestPool({ identityPoolId: IdentityPoolId });
const closed = await startPool(connection);

const provider = issuer.replace('http://', '');
const getId = (body: object = {}, by = pool) =>
  by.call('AWSCognitoIdentityService.GetId', { IdentityPoolId, ...body });
const credentials = (IdentityId: string, body: object = {}) =>
  pool.call('AWSCognitoIdentityService.GetCredentialsForIdentity', { IdentityId, ...body });

async function createIdToken(): Promise<string> {
  const { email } = await pool.createUser();
  return (await pool.signIn(email)).at('AuthenticationResult', 'IdToken');
}

describe('the identity pool', () => {
  it('[AUTH-12] does not exist unless enabled', async () => {
    expect((await getId({}, closed)).at('__type')).toBe('UnknownOperationException');
  });

  it('[IDP-01] gives a guest a new id each time, and credentials that grant nothing', async () => {
    const first = (await getId()).at('IdentityId');
    expect(first).toMatch(/^local:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect((await getId()).at('IdentityId')).not.toBe(first);
    const { body } = await credentials(first);
    expect(body).toEqual({
      IdentityId: first,
      Credentials: {
        AccessKeyId: expect.stringContaining('OPENSNOTHING'),
        SecretKey: 'these-credentials-open-nothing',
        SessionToken: 'these-credentials-open-nothing',
        Expiration: Math.floor(pool.clock().getTime() / 1000) + 3600,
      },
    });
  });

  it('[IDP-01] gives a user the same id each time, and credentials to them alone', async () => {
    const Logins = { [provider]: await createIdToken() };
    const name = (await getId({ Logins })).at('IdentityId');
    expect((await getId({ Logins })).at('IdentityId')).toBe(name);
    expect((await credentials(name, { Logins })).status).toBe(200);
    const forbidden = 'NotAuthorizedException: Access to Identity is forbidden.';
    expect((await credentials(name)).error).toBe(forbidden);
    const other = { [provider]: await createIdToken() };
    expect((await credentials(name, { Logins: other })).error).toBe(forbidden);
    expect((await credentials('local:00000000-0000-0000-0000-000000000000')).error).toBe(forbidden);
    const guest = (await getId()).at('IdentityId');
    expect((await credentials(guest.replace('local', 'other'))).error).toBe(forbidden);
  });

  it('[IDP-03] refuses logins that it cannot verify', async () => {
    const good = await createIdToken();
    const { email } = await pool.createUser();
    const access = (await pool.signIn(email)).at('AuthenticationResult', 'AccessToken');
    for (const Logins of [
      { [provider]: access },
      { [provider]: `${good}x` },
      { 'accounts.google.com': good },
      { [provider]: good, 'graph.facebook.com': 'x' },
    ]) {
      expect((await getId({ Logins })).error).toBe('NotAuthorizedException: Invalid login token.');
    }
    const late = await pool.withClockAdvanced(3_600_000, () => getId({ Logins: { [provider]: good } }));
    expect(late.status).toBe(400);
  });

  it('[IDP-01] refuses another pool', async () => {
    const reply = await pool.call('AWSCognitoIdentityService.GetId', { IdentityPoolId: 'local:1234' });
    expect(reply.error).toBe("ResourceNotFoundException: IdentityPool 'local:1234' not found.");
  });
});
