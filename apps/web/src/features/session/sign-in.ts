import type { ConfirmAccountForm, ResetPasswordForm, SignInForm, SignUpForm } from '@escucho/contracts';
import { loadConfig } from '#shared/config.ts';
import { lazyImport } from '#shared/lazy.ts';
import { getStorageKeys, readStorage, removeFromStorage, writeStorage } from '#shared/storage.ts';
import { type NextSignInStep, toNextStep } from './model/challenge.ts';
import { isPendingSignInKey } from './model/stored-tokens.ts';
import { importIdentityCode } from './tokens.ts';

const loadClient = importIdentityCode(() => import('./amplify/sign-in.ts'));
const importPasskeys = lazyImport(() => import('./amplify/passkeys.ts'));

/** Loads the identity client's code while the user fills in a form. */
export const preloadIdentityClient = (): void => void loadClient().catch(() => undefined);

/** Removes the state of a sign-in by redirect that is under way; the identity client would delay every other sign-in for it. */
export const clearPendingSignIn = (): void =>
  getStorageKeys().filter(isPendingSignInKey).forEach(removeFromStorage);

/** The sign-in that waits until its account is confirmed; in memory only, so that closing the page forgets the password. */
let pendingSignIn: SignInForm | null = null;

const SIGN_UP_KEY = 'signUpKey';

/**
 * Returns the random key by which the identity provider recognises that the browser that confirms an account is the one
 * that knows its password. Otherwise a stranger could sign up with the address and have its owner confirm it.
 */
function getSignUpMetadata(): { signUpKey: string } {
  const stored = readStorage(SIGN_UP_KEY);
  if (stored) return { signUpKey: stored };
  const signUpKey = crypto.getRandomValues(new Uint32Array(8)).join('-');
  writeStorage(SIGN_UP_KEY, signUpKey);
  return { signUpKey };
}

/** Signs in by SRP (AUTH-13). All functions here reject with the provider's error. */
export async function signIn(form: SignInForm): Promise<NextSignInStep> {
  const client = await loadClient();
  clearPendingSignIn();
  const next = toNextStep(
    await client.signIn({
      username: form.email,
      password: form.password,
      options: { clientMetadata: getSignUpMetadata() },
    }),
  );
  pendingSignIn = next === 'confirm' ? form : null;
  return next;
}

/** Answers the challenge of the sign-in that is under way: with a code, or with the method that was selected. */
export async function respondToChallenge(answer: string): Promise<NextSignInStep> {
  const { confirmSignIn } = await loadClient();
  return toNextStep(await confirmSignIn({ challengeResponse: answer }));
}

/** Creates an account. The password stays in memory, to sign in once it is confirmed (AUTH-04). */
export async function signUp(form: SignUpForm): Promise<'confirm' | 'done'> {
  const client = await loadClient();
  const { email, password, firstName, lastName } = form;
  const { nextStep } = await client.signUp({
    username: email,
    password,
    options: {
      userAttributes: { email, given_name: firstName, family_name: lastName },
      autoSignIn: true,
      clientMetadata: getSignUpMetadata(),
    },
  });
  if (nextStep.signUpStep !== 'CONFIRM_SIGN_UP') return 'done';
  pendingSignIn = { email, password };
  return 'confirm';
}

/**
 * Confirms an account by its code, and signs in where the password was entered in this page: within 3 minutes by the
 * identity client's auto sign-in, otherwise by another sign-in.
 *
 * @returns whether the user is signed in too
 */
export async function confirmAccount({ email, code }: ConfirmAccountForm): Promise<{ signedIn: boolean }> {
  const client = await loadClient();
  clearPendingSignIn();
  const { nextStep } = await client.confirmSignUp({
    username: email,
    confirmationCode: code,
    options: { clientMetadata: getSignUpMetadata() },
  });
  const pending = pendingSignIn?.email.toLowerCase() === email.toLowerCase() ? pendingSignIn : null;
  pendingSignIn = null;
  try {
    // Confirming replaces `autoSignIn`: it must be looked up only now.
    if (nextStep.signUpStep === 'COMPLETE_AUTO_SIGN_IN')
      return { signedIn: (await client.autoSignIn()).isSignedIn };
    return { signedIn: pending !== null && (await signIn(pending)) === 'done' };
  } catch {
    return { signedIn: false };
  }
}

/** Sends the confirmation code again. */
export async function resendCode(email: string): Promise<void> {
  await (await loadClient()).resendSignUpCode({ username: email });
}

/** Sends a code for setting a new password (AUTH-07). */
export async function requestPasswordReset(email: string): Promise<void> {
  await (await loadClient()).resetPassword({ username: email });
}

/** Sets a new password. */
export async function resetPassword({ email, code, password }: ResetPasswordForm): Promise<void> {
  const { confirmResetPassword } = await loadClient();
  await confirmResetPassword({ username: email, confirmationCode: code, newPassword: password });
}

/** Returns whether this browser can use passkeys here; browsers have them on pages with HTTPS and on localhost only. */
export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** Returns whether an error ends a request for a passkey that this app or the user cancelled. */
const isCancelled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'NotAllowedError');

/** Signs in with a passkey that the user selects in the browser's dialog. Rejects with the browser's error too. */
export async function signInWithPasskey(): Promise<void> {
  const [client, config] = await Promise.all([importPasskeys(), loadConfig()]);
  await client.signInWithPasskey(config);
}

/**
 * Offers the user's passkeys in the browser's autofill until the signal is aborted.
 *
 * @param onSelected called once the user has selected one
 * @returns whether the user has signed in with one; false also where the browser cannot offer them
 */
export async function offerPasskeys(signal: AbortSignal, onSelected: () => void): Promise<boolean> {
  const [client, config] = await Promise.all([importPasskeys(), loadConfig()]);
  if (!(await client.browserSupportsWebAuthnAutofill()) || signal.aborted) return false;
  try {
    await client.signInWithPasskey(config, signal, onSelected);
    return true;
  } catch (error) {
    if (isCancelled(error)) return false;
    throw error;
  }
}
