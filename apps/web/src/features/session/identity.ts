import type { ConfirmAccountForm, ResetPasswordForm, SignInForm, SignUpForm } from '@escucho/contracts';
import { giveUpRedirect } from './redirect-state.ts';
import { renewal } from './renewal.ts';

async function account() {
  const [client] = await Promise.all([import('./amplify/account.ts'), renewal()]);
  return client;
}

/** Fetches the identity client's code while the reader is still typing. */
export const prepareIdentity = (): void => void account().catch(() => undefined);

/** Signs in by SRP (AUTH-13). Out: `done`, or what the provider wants first. Rejects with the provider's error. */
export async function signIn({ email, password }: SignInForm): Promise<'done' | 'confirm' | 'reset'> {
  const { signIn: ask } = await account();
  giveUpRedirect();
  const { nextStep } = await ask({ username: email, password });
  if (nextStep.signInStep === 'CONFIRM_SIGN_UP') return 'confirm';
  if (nextStep.signInStep === 'RESET_PASSWORD') return 'reset';
  if (nextStep.signInStep === 'DONE') return 'done';
  throw new Error(nextStep.signInStep);
}

/** Opens an account; the password is remembered for 3 minutes, to sign in once it is confirmed (AUTH-04). Out: what comes next. */
export async function signUp(form: SignUpForm): Promise<'confirm' | 'done'> {
  const { signUp: ask } = await account();
  const { email, password, firstName, lastName } = form;
  const { nextStep } = await ask({
    username: email,
    password,
    options: { userAttributes: { email, given_name: firstName, family_name: lastName }, autoSignIn: true },
  });
  return nextStep.signUpStep === 'CONFIRM_SIGN_UP' ? 'confirm' : 'done';
}

/** Confirms an account by its code. Out: whether the reader is signed in as well; not after a reload, or more than 3 minutes. */
export async function confirmAccount({ email, code }: ConfirmAccountForm): Promise<{ signedIn: boolean }> {
  const client = await account();
  giveUpRedirect();
  const { nextStep } = await client.confirmSignUp({ username: email, confirmationCode: code });
  if (nextStep.signUpStep !== 'COMPLETE_AUTO_SIGN_IN') return { signedIn: false };
  // Confirming has put another function in its place: it must be looked up only now.
  return client.autoSignIn().then(
    ({ isSignedIn }) => ({ signedIn: isSignedIn }),
    () => ({ signedIn: false }),
  );
}

/** Sends the confirmation code again. */
export async function resendCode(email: string): Promise<void> {
  await (await account()).resendSignUpCode({ username: email });
}

/** Sends a code to set a new password with (AUTH-07). */
export async function askForReset(email: string): Promise<void> {
  await (await account()).resetPassword({ username: email });
}

/** Sets the new password. */
export async function resetPassword({ email, code, password }: ResetPasswordForm): Promise<void> {
  const { confirmResetPassword } = await account();
  await confirmResetPassword({ username: email, confirmationCode: code, newPassword: password });
}
