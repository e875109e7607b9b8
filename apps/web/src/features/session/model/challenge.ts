import type { SignInOutput } from 'aws-amplify/auth';

/** A way to prove who one is after the password, with the answer that selects it at the identity client. */
export interface VerificationMethod {
  type: 'totp' | 'email' | 'passkey';
  answer: string;
}

/** What the identity provider asks for before it signs a user in. */
export type Challenge =
  | { type: 'totp' }
  /** The provider requires an authenticator app, which is set up now. */
  | { type: 'setup'; secret: string }
  /** A code that was mailed to an address, which is masked. */
  | { type: 'email'; destination: string }
  | { type: 'selection'; methods: readonly VerificationMethod[] };

const methodTypes: Partial<Record<string, VerificationMethod['type']>> = {
  TOTP: 'totp',
  EMAIL: 'email',
  EMAIL_OTP: 'email',
  WEB_AUTHN: 'passkey',
};

const toSelection = (answers: readonly string[] = []): Challenge => ({
  type: 'selection',
  methods: answers.flatMap((answer) => {
    const type = methodTypes[answer];
    return type ? [{ type, answer }] : [];
  }),
});

/** What follows a step of a sign-in: it is done, or the provider requires something first. */
export type NextSignInStep = 'done' | 'confirm' | 'reset' | Challenge;

/** Returns what follows a step of a sign-in. Throws for a step that this app cannot show. */
export function toNextStep({ nextStep }: SignInOutput): NextSignInStep {
  switch (nextStep.signInStep) {
    case 'DONE':
      return 'done';
    case 'CONFIRM_SIGN_UP':
      return 'confirm';
    case 'RESET_PASSWORD':
      return 'reset';
    case 'CONFIRM_SIGN_IN_WITH_TOTP_CODE':
      return { type: 'totp' };
    case 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP':
      return { type: 'setup', secret: nextStep.totpSetupDetails.sharedSecret };
    case 'CONFIRM_SIGN_IN_WITH_EMAIL_CODE':
      return { type: 'email', destination: nextStep.codeDeliveryDetails?.destination ?? '' };
    case 'CONTINUE_SIGN_IN_WITH_MFA_SELECTION':
      return toSelection(nextStep.allowedMFATypes);
    case 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION':
      return toSelection(nextStep.availableChallenges);
    default:
      throw new Error(nextStep.signInStep);
  }
}

/** Removes the spaces in which authenticator apps group the digits of a code. */
export const normalizeAppCode = (code: string): string => code.replace(/\s/g, '');

/**
 * Returns the address that authenticator apps read from a QR code, in the format of Google Authenticator's key URIs.
 *
 * @param account the user's e-mail address, by which the app lists the code
 */
export function toTotpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer })}`;
}
