import { createTestDatabase } from '@escucho/database/testing';
import { Amplify } from 'aws-amplify';
import * as auth from 'aws-amplify/auth';
import { afterEach, describe, expect, it } from 'vitest';
import { createUserWithTotp, generateCode, STEP_MS } from './authenticator-app.ts';
import { clientId, password, poolId, startPool } from './pool.ts';

const connection = await createTestDatabase();
const pool = await startPool(connection);
const origin = await pool.app.listen({ host: '127.0.0.1', port: 0 });

describe('aws-amplify', () => {
  const Cognito = {
    userPoolId: poolId,
    userPoolClientId: clientId,
    userPoolEndpoint: `${origin}/identity`,
  };
  Amplify.configure({ Auth: { Cognito } });
  afterEach(() => auth.signOut());

  it('[IDP-01] [AUTH-13] sets up an authenticator app, and signs in with its code', async () => {
    const { email: username } = await pool.createUser();
    await auth.signIn({ username, password });
    const { sharedSecret } = await auth.setUpTOTP();
    await auth.verifyTOTPSetup({ code: generateCode(sharedSecret, pool.clock(), -STEP_MS) });
    await auth.updateMFAPreference({ totp: 'PREFERRED' });
    expect(await auth.fetchMFAPreference()).toEqual({ preferred: 'TOTP', enabled: ['TOTP'] });
    await auth.signOut();
    const started = await auth.signIn({ username, password });
    expect(started.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_TOTP_CODE');
    await expect(auth.confirmSignIn({ challengeResponse: '00000x' })).rejects.toMatchObject({
      name: 'CodeMismatchException',
    });
    const code = generateCode(sharedSecret, pool.clock());
    expect((await auth.confirmSignIn({ challengeResponse: code })).isSignedIn).toBe(true);
  });

  it('[AUTH-13] signs in with a recovery code in place of a code of the app', async () => {
    const user = await createUserWithTotp(pool);
    const { body } = await pool.call('CreateRecoveryCodes', { AccessToken: user.access });
    await auth.signIn({ username: user.email, password });
    const confirmed = await auth.confirmSignIn({ challengeResponse: Object(body).RecoveryCodes[0] });
    expect(confirmed.isSignedIn).toBe(true);
    expect((await auth.getCurrentUser()).userId).toBe(user.sub);
  });

  it('[AUTH-13] chooses between an authenticator app and mail', async () => {
    const user = await createUserWithTotp(pool);
    await pool.call('SetUserMFAPreference', {
      AccessToken: user.access,
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: false },
      EmailMfaSettings: { Enabled: true },
    });
    const started = await auth.signIn({ username: user.email, password });
    expect(started.nextStep).toMatchObject({
      signInStep: 'CONTINUE_SIGN_IN_WITH_MFA_SELECTION',
      allowedMFATypes: ['TOTP', 'EMAIL'],
    });
    const selected = await auth.confirmSignIn({ challengeResponse: 'EMAIL' });
    expect(selected.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE');
    const challengeResponse = await pool.getLatestCode(user.email);
    expect((await auth.confirmSignIn({ challengeResponse })).isSignedIn).toBe(true);
  });

  it('[AUTH-13] chooses a mailed code as the first factor, with USER_AUTH', async () => {
    const { email: username, sub } = await pool.createUser();
    const started = await auth.signIn({ username, options: { authFlowType: 'USER_AUTH' } });
    expect(started.nextStep).toMatchObject({
      signInStep: 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION',
      availableChallenges: ['PASSWORD_SRP', 'EMAIL_OTP'],
    });
    const selected = await auth.confirmSignIn({ challengeResponse: 'EMAIL_OTP' });
    expect(selected.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_EMAIL_CODE');
    const challengeResponse = await pool.getLatestCode(username);
    expect((await auth.confirmSignIn({ challengeResponse })).isSignedIn).toBe(true);
    expect((await auth.getCurrentUser()).userId).toBe(sub);
  });

  it('[AUTH-13] chooses the password as the first factor, and an app as the second', async () => {
    const user = await createUserWithTotp(pool);
    await auth.signIn({ username: user.email, options: { authFlowType: 'USER_AUTH' } });
    await auth.confirmSignIn({ challengeResponse: 'PASSWORD_SRP' });
    const verified = await auth.confirmSignIn({ challengeResponse: password });
    expect(verified.nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_TOTP_CODE');
    expect((await auth.confirmSignIn({ challengeResponse: user.code() })).isSignedIn).toBe(true);
  });
});
