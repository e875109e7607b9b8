import { randomUUID } from 'node:crypto';
import { api, type RequestInput } from '@escucho/contracts';
import { countLockWaiters, createDeferred } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

let waitForKeys = async () => {};
const portal = await startPortal({
  keys: async (...params) => {
    await waitForKeys();
    return portal.issuer.tokens.keys(...params);
  },
});
const { call, send, createUser, issuer, tableChecksums, db } = portal;
const { findSettings, changeSettings } = api.settings;
const nothingChosen = { language: null, theme: null, level: null, learningLanguage: null };

const change = (token: string, body: RequestInput<typeof changeSettings>['body']) =>
  call(changeSettings, token, { body });

describe('settings', () => {
  it('[SUB-07] contain the names and no choices for a new user', async () => {
    const { token, id, email } = await createUser();
    expect(await call(findSettings, token, {})).toEqual({
      user: {
        _id: id,
        email,
        firstName: 'Ana',
        lastName: 'Ruiz',
        displayName: 'Ana Ruiz',
        platform: null,
        isExternal: false,
      },
      settings: { firstName: 'Ana', lastName: 'Ruiz', ...nothingChosen },
    });
  });

  it('[SUB-07] store the choices and change only the given fields', async () => {
    const { token } = await createUser();
    const chosen = { language: 'es', theme: 'light', level: 'B2', learningLanguage: 'en' } as const;
    await change(token, chosen);
    await change(token, { theme: 'dark' });
    await change(token, { level: null });
    await change(token, {});
    const { settings } = await call(findSettings, token, {});
    expect(settings).toEqual({ firstName: 'Ana', lastName: 'Ruiz', ...chosen, theme: 'dark', level: null });
  });

  it('make the user’s language and level known with the user', async () => {
    const { token } = await createUser();
    const { user } = await change(token, { level: 'B2', learningLanguage: 'en' });
    expect(user.learning).toEqual({ language: 'en', level: 'B2' });
    expect((await call(api.auth.me, token, {})).user).toEqual(user);
    expect((await change(token, { level: null, learningLanguage: null })).user).not.toHaveProperty(
      'learning',
    );
  });

  it('a user who signed up needs onboarding until the questions are answered or skipped', async () => {
    const token = await issuer.access(randomUUID());
    const { user } = await call(api.auth.me, token, {});
    expect(user.needsOnboarding).toBe(true);
    expect((await change(token, { level: 'A1' })).user.needsOnboarding).toBe(true);
    expect((await change(token, { isOnboarded: true })).user).not.toHaveProperty('needsOnboarding');
    expect((await call(api.auth.me, token, {})).user).not.toHaveProperty('needsOnboarding');
  });

  it('[SUB-07] a name that is edited during a sign-in stays', async () => {
    const user = await createUser();
    await call(findSettings, user.token, {});
    const idToken = await issuer.id(user.subject, { claims: { given_name: 'Anna' } });
    let isRequested = false;
    const { promise: keyDelay, resolve: release } = createDeferred();
    waitForKeys = () => {
      isRequested = true;
      return keyDelay;
    };
    const signIn = call(api.auth.signInCognito, user.token, { body: { idToken } });
    await expect.poll(() => isRequested).toBe(true);
    await change(user.token, { firstName: 'Inés' });
    release();
    expect((await signIn).user.firstName).toBe('Inés');
    expect((await call(findSettings, user.token, {})).settings.firstName).toBe('Inés');
  });

  it('[SUB-07] a new name changes the display name everywhere', async () => {
    const { token } = await createUser();
    const { user } = await change(token, { firstName: 'Mar', lastName: 'Sol' });
    expect(user).toMatchObject({ firstName: 'Mar', lastName: 'Sol', displayName: 'Mar Sol' });
    expect((await call(api.auth.me, token, {})).user).toEqual(user);
  });

  it('[SUB-07] edited names survive the next sign-in; the email address is updated', async () => {
    const [chosen, plain] = [await createUser(), await createUser()];
    await change(chosen.token, { firstName: 'Mar' });
    await change(plain.token, { level: 'A2' });
    const signIn = async ({ subject, token }: typeof chosen) => {
      const email = `${randomUUID()}@new.test`;
      const claims = { email, given_name: 'Inés', family_name: 'Vega' };
      const idToken = await issuer.id(subject, { claims });
      const { user } = await call(api.auth.signInCognito, token, { body: { idToken } });
      expect(user.email).toBe(email);
      expect((await call(findSettings, token, {})).user).toEqual(user);
      return user.displayName;
    };
    expect(await signIn(chosen)).toBe('Mar Ruiz');
    expect(await signIn(plain)).toBe('Inés Vega');
  });

  it.each([
    ['firstName', '', 'FirstName field is required'],
    ['firstName', 'A', 'The minimum length for the name field is 2'],
    ['firstName', '  A  ', 'The minimum length for the name field is 2'],
    ['lastName', '', 'Lastname field is required'],
    ['lastName', 'B'.repeat(61), 'The maximum length for the name field is 60'],
  ])('[AUTH-02] refuse %s %j: %s', async (field, value, message) => {
    const { token } = await createUser();
    const before = await tableChecksums();
    const response = await send(changeSettings, { token, body: { level: 'A1', [field]: value } });
    expect(response.json().error.fields).toMatchObject([{ path: `body.${field}`, message }]);
    expect(await tableChecksums()).toEqual(before);
  });

  it('of a user who is deleted during the request are refused with 401 unauthorized', async () => {
    const { id, token } = await createUser();
    const pending = await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('users').where('id', '=', id).execute();
      const response = send(changeSettings, { token, body: { theme: 'light' } });
      await expect.poll(() => countLockWaiters(db)).toBe(1);
      return { response };
    });
    const response = await pending.response;
    expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
  });

  it('[LIST-07] are separate for each user', async () => {
    const [one, two] = [await createUser(), await createUser()];
    const body = { theme: 'light', _id: two.id, id: two.id, email: 'x@y.zz', platform: 'entel' } as const;
    const { user } = await change(one.token, body);
    expect(user).toMatchObject({ _id: one.id, email: one.email, isExternal: false });
    expect((await call(findSettings, two.token, {})).settings).toMatchObject(nothingChosen);
  });
});
