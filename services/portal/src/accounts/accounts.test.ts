import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { deleteUserAfterInsert } from '../testing/deletions.ts';
import { startPortal } from '../testing/portal.ts';

const { call, send, issuer, createUser, db, clock, rowCounts } = await startPortal();
const profile = { email: 'mar.sol@reader.test', given_name: 'Mar', family_name: 'Sol' };

async function signIn(subject: string, claims: Record<string, unknown>) {
  const idToken = await issuer.id(subject, { claims });
  return call(api.auth.signInCognito, await issuer.access(subject), { body: { idToken } });
}

describe('sign-in', () => {
  it('[API-01] [CAT-01] creates the user and returns every field', async () => {
    const { user, subscription } = await signIn(randomUUID(), profile);
    expect(user).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'mar.sol@reader.test',
      firstName: 'Mar',
      lastName: 'Sol',
      displayName: 'Mar Sol',
      platform: null,
      isExternal: false,
      needsOnboarding: true,
    });
    expect(subscription).toEqual({ isActive: false, store: null, willRenew: false, expiresAt: null });
  });

  it('[API-01] updates the profile of the same user', async () => {
    const subject = randomUUID();
    const before = await signIn(subject, profile);
    const after = await signIn(subject, { ...profile, given_name: 'María', email: undefined });
    expect(after.user).toEqual({ ...before.user, firstName: 'María', displayName: 'María Sol' });
    expect(await call(api.auth.me, await issuer.access(subject), {})).toEqual(after);
  });

  it('[API-01] an ID token from before the last change, of another device, changes nothing', async () => {
    const subject = randomUUID();
    const token = await issuer.access(subject);
    const send = (idToken: string) => call(api.auth.signInCognito, token, { body: { idToken } });
    await signIn(subject, profile);
    const old = await issuer.id(subject, { claims: profile });
    clock.advance(60);
    await signIn(subject, { ...profile, email: 'new@reader.test' });
    expect((await send(old)).user.email).toBe('new@reader.test');
    expect((await call(api.auth.me, token, {})).user.email).toBe('new@reader.test');
  });

  it.each([
    ['both names', profile, 'Mar Sol'],
    ['only a first name', { ...profile, family_name: undefined }, 'Mar'],
    ['only a last name', { ...profile, given_name: '' }, 'Sol'],
    ['no name: what stands before the @', { email: 'mar.sol@reader.test' }, 'mar.sol'],
    ['nothing at all', {}, ''],
    ['a name with NUL and a line end', { given_name: ' Ma\0r\n', family_name: 'Sol' }, 'Mar Sol'],
    ['a name that is no text', { given_name: { $ne: 1 }, family_name: 'Sol' }, 'Sol'],
  ])('displays %s', async (_name, claims, expected) => {
    expect((await signIn(randomUUID(), claims)).user.displayName).toBe(expected);
  });

  it('truncates a name that is too long', async () => {
    const { user } = await signIn(randomUUID(), { ...profile, given_name: 'a'.repeat(5000) });
    expect(user.firstName).toHaveLength(60);
  });

  it.each([
    ['a pair of surrogates', `${'a'.repeat(59)}😀`],
    ['a space', `${'a'.repeat(59)} b`],
  ])('truncates a name before %s at the limit', async (_, name) => {
    const subject = randomUUID();
    const { user } = await signIn(subject, { ...profile, given_name: name });
    expect(user.firstName).toBe('a'.repeat(59));
    expect((await call(api.auth.me, await issuer.access(subject), {})).user).toEqual(user);
  });

  it('[API-02] refuses an ID token of another user and changes nothing', async () => {
    const mine = await createUser();
    const others = await createUser();
    const { subject } = mine;
    const bad: Record<string, string> = {
      'of another person': await issuer.id(others.subject, { claims: profile }),
      'for another client': await issuer.id(subject, { claims: { ...profile, aud: 'other-client' } }),
      'of another issuer': await issuer.id(subject, { claims: profile, issuer: 'https://elsewhere.test' }),
      'an access token': await issuer.access(subject, { claims: { ...profile, aud: 'test-client' } }),
      'not a token': 'abc',
    };
    for (const [name, idToken] of Object.entries(bad)) {
      const response = await send(api.auth.signInCognito, { token: mine.token, body: { idToken } });
      expect([name, response.statusCode]).toEqual([name, 400]);
      expect(response.json().error).toMatchObject({
        code: 'invalid_request',
        fields: [{ path: 'body.idToken', code: 'field_invalid', message: 'This value is not valid.' }],
      });
    }
    const expired = await issuer.id(subject, { claims: profile, lifetime: -1 });
    const response = await send(api.auth.signInCognito, { token: mine.token, body: { idToken: expired } });
    expect([response.statusCode, response.json().error.code]).toEqual([401, 'token_expired']);
    const { user } = await call(api.auth.me, mine.token, {});
    expect(user).toMatchObject({ displayName: 'Ana Ruiz', email: mine.email });
  });
});

describe('me', () => {
  it('[API-02] creates a user who never signed in once for concurrent requests', async () => {
    const token = await issuer.access(randomUUID());
    const before = await rowCounts();
    const responses = await Promise.all(Array.from({ length: 8 }, () => call(api.auth.me, token, {})));
    expect(new Set(responses.map(({ user }) => user._id)).size).toBe(1);
    expect(responses[0]?.user).toMatchObject({ email: null, displayName: '' });
    expect(await rowCounts()).toEqual({ ...before, users: Number(before.users) + 1 });
  });

  it('of a user who is deleted while being created is refused with 401 unauthorized', async () => {
    const subject = randomUUID();
    const token = await issuer.access(subject);
    const response = await deleteUserAfterInsert(db, subject, () => send(api.auth.me, { token }));
    expect([response.statusCode, response.json().error?.code]).toEqual([401, 'unauthorized']);
  });

  it('is not cached by proxies', async () => {
    const response = await send(api.auth.me, { token: (await createUser()).token });
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  it('[SUB-04] returns the status of a promotional subscription', async () => {
    const { token } = await createUser({ subscribed: true });
    expect((await call(api.auth.me, token, {})).subscription).toEqual({
      isActive: true,
      store: 'promotional',
      willRenew: false,
      expiresAt: null,
    });
  });

  it('[SUB-04] a purchased subscription expires by itself', async () => {
    const { id, subject } = await createUser();
    const expires_at = new Date(clock.now().getTime() + 60_000);
    await db
      .insertInto('subscription_grant')
      .values({ user_id: id, store: 'rc_billing', expires_at, created_at: clock.now() })
      .execute();
    const findStatus = async () => (await call(api.auth.me, await issuer.access(subject), {})).subscription;
    expect(await findStatus()).toEqual({
      isActive: true,
      store: 'rc_billing',
      willRenew: true,
      expiresAt: expires_at.toISOString(),
    });
    clock.advance(60);
    expect(await findStatus()).toMatchObject({ isActive: false });
  });

  it('[SUB-02] an operator’s user is external and active', async () => {
    const { id, token } = await createUser();
    await db.updateTable('users').set({ platform: 'entel' }).where('id', '=', id).execute();
    expect(await call(api.auth.me, token, {})).toMatchObject({
      user: { platform: 'entel', isExternal: true },
      subscription: { isActive: true, store: 'rc_billing', willRenew: true },
    });
  });
});

describe('access tokens', async () => {
  const { subject } = await createUser();
  const forgeries = await issuer.forgeries(subject);

  it.each(Object.entries(forgeries))('[API-02] refuses %s', async (_name, { token, code }) => {
    const response = await send(api.auth.me, { token });
    expect(response.statusCode).toBe(401);
    expect(response.json().error.code).toBe(code);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([
    ['none', undefined],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer'],
    ['two tokens', 'Bearer a.b.c a.b.c'],
  ])('[API-02] refuses an Authorization header with %s', async (_name, authorization) => {
    const response = await send(api.auth.me, authorization ? { headers: { authorization } } : {});
    expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
  });

  it('[API-02] a token expires to the second', async () => {
    const token = await issuer.access(subject, { lifetime: 10 });
    clock.advance(9);
    expect((await send(api.auth.me, { token })).statusCode).toBe(200);
    clock.advance(1);
    expect((await send(api.auth.me, { token })).json().error.code).toBe('token_expired');
  });
});
