import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../testing/authenticator.ts';
import { answerChallenge, createUserWithTotp, generateCode } from '../testing/authenticator-app.ts';
import { createTestPool } from '../testing/pool.ts';

const origin = 'https://escucho.test';
const { pool } = await createTestPool({
  passkeys: { id: 'escucho.test', name: 'Escucho', origins: [origin] },
});

const english = { headers: { 'accept-language': 'en' } };

const secondFactorAdded = 'Your Escucho account has a new second factor';
const secondFactorRemoved = 'A second factor of your Escucho account was removed';
const passkeyAdded = 'Your Escucho account has a new passkey';
const passkeyRemoved = 'A passkey of your Escucho account was removed';
const codesReplaced = 'Your Escucho account has new recovery codes';
const codeReused = 'A used code was sent again for your Escucho account';
type TotpUser = Awaited<ReturnType<typeof createUserWithTotp>>;

describe('the owner gets a mail', () => {
  it.each([
    ['an authenticator app', 'SoftwareTokenMfaSettings', [secondFactorRemoved]],
    ['mailed codes', 'EmailMfaSettings', [secondFactorRemoved, secondFactorAdded]],
  ])('[IDP-03] when %s are turned on and off as a second factor', async (_name, settings, expected) => {
    const { email, access: AccessToken } = await createUserWithTotp(pool);
    const before = (await pool.listNotifications(email)).length;
    for (const Enabled of [true, true, false, false]) {
      await pool.call('SetUserMFAPreference', { AccessToken, [settings]: { Enabled } }, english);
    }
    expect((await pool.listNotifications(email)).slice(0, -before)).toEqual(expected);
  });

  it('[IDP-03] when an authenticator app takes the place of another', async () => {
    const { email, access: AccessToken } = await createUserWithTotp(pool);
    const before = (await pool.listNotifications(email)).length;
    expect(before).toBe(1);
    const secret = (await pool.call('AssociateSoftwareToken', { AccessToken })).at('SecretCode');
    const UserCode = generateCode(secret, pool.clock());
    await pool.call('VerifySoftwareToken', { AccessToken, UserCode }, english);
    expect((await pool.listNotifications(email)).slice(0, -before)).toEqual([secondFactorAdded]);
  });

  it('[IDP-03] when recovery codes are replaced, and not when they are created', async () => {
    const { email, access: AccessToken } = await createUserWithTotp(pool);
    const before = (await pool.listNotifications(email)).length;
    await pool.call('CreateRecoveryCodes', { AccessToken }, english);
    expect(await pool.listNotifications(email)).toHaveLength(before);
    await pool.call('CreateRecoveryCodes', { AccessToken }, english);
    expect((await pool.listNotifications(email)).slice(0, -before)).toEqual([codesReplaced]);
  });

  it.each([
    ['a time-based code', async ({ code }: TotpUser) => code()],
    [
      'a recovery code',
      async ({ access: AccessToken }: TotpUser) =>
        String(Object((await pool.call('CreateRecoveryCodes', { AccessToken })).body).RecoveryCodes[0]),
    ],
  ])('[IDP-03] when %s is sent again after it was used, once an hour', async (_name, createCode) => {
    const user = await createUserWithTotp(pool);
    const code = await createCode(user);
    const countMails = async () =>
      (await pool.listNotifications(user.email)).filter((subject) => subject.startsWith(codeReused)).length;
    const first = await pool.signIn(user.email);
    expect((await answerChallenge(pool, first, code)).status).toBe(200);
    // A client that repeats a request, since the response was lost.
    expect((await answerChallenge(pool, first, code)).status).toBe(400);
    expect(await countMails()).toBe(0);
    for (let n = 0; n < 2; n += 1) {
      expect((await answerChallenge(pool, await pool.signIn(user.email), code)).status).toBe(400);
      expect(await countMails()).toBe(1);
    }
  });

  it.each([
    ['en', passkeyAdded, passkeyRemoved],
    [
      'es',
      'Tu cuenta de Escucho tiene una llave de acceso nueva',
      'Se quitó una llave de acceso de tu cuenta de Escucho',
    ],
  ])('[IDP-03] in %s when a passkey is added and removed', async (language, added, removed) => {
    const { email, access: AccessToken } = await pool.createSignedInUser();
    const headers = { 'accept-language': language };
    const started = await pool.call('StartWebAuthnRegistration', { AccessToken });
    const key = createAuthenticator({ origin, rpId: 'escucho.test' });
    const Credential = key.create(Object(started.body).CredentialCreationOptions);
    await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential }, { headers });
    const deletion = { AccessToken, CredentialId: Credential.id };
    await pool.call('DeleteWebAuthnCredential', deletion, { headers });
    await pool.call('DeleteWebAuthnCredential', deletion, { headers });
    expect(await pool.listNotifications(email)).toEqual([removed, added]);
  });
});
