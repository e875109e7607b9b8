import { ApiError, getErrorKey } from '#shared/api/client.ts';
import type { MessageKey, T } from '#shared/i18n/i18n.ts';

/** The user chose not to confirm who they are. Nothing has changed, and there is nothing to report. */
export class ReauthenticationCancelledError extends Error {
  override readonly name = 'ReauthenticationCancelledError';
}

/** Messages for the identity provider's errors, by name. The first match applies; without a pattern any message matches. */
const identityErrors: readonly (readonly [name: string, key: MessageKey, pattern?: RegExp])[] = [
  ['NotAuthorizedException', 'session.wrongPassword', /incorrect username or password/i],
  ['UserNotFoundException', 'session.wrongPassword'],
  ['NotAuthorizedException', 'session.locked', /attempts exceeded/i],
  ['NotAuthorizedException', 'session.disabled', /disabled/i],
  ['NotAuthorizedException', 'session.alreadyConfirmed', /current status is confirmed/i],
  ['NotAuthorizedException', 'reauthentication_required', /recent sign-in/i],
  ['NotAuthorizedException', 'unauthorized', /token has been revoked/i],
  ['NotAuthorizedException', 'session.signInTimedOut', /session/i],
  ['NotAuthorizedException', 'session.cannotReset', /cannot be reset/i],
  ['InvalidParameterException', 'session.alreadyConfirmed', /already confirmed/i],
  ['InvalidParameterException', 'session.cannotReset', /no registered\/verified/i],
  ['InvalidParameterException', 'session.clockWrong', /timestamp/i],
  ['InvalidParameterException', 'email_invalid', /email/i],
  ['UserNotConfirmedException', 'session.notConfirmed'],
  ['PasswordResetRequiredException', 'session.resetRequired'],
  ['UsernameExistsException', 'session.emailTaken'],
  ['AliasExistsException', 'session.emailTaken'],
  ['InvalidPasswordException', 'password_length', /long enough/i],
  ['InvalidPasswordException', 'password_uppercase', /uppercase/i],
  ['InvalidPasswordException', 'password_lowercase', /lowercase/i],
  ['InvalidPasswordException', 'password_numbers', /numeric/i],
  ['InvalidPasswordException', 'session.passwordCommon', /common/i],
  ['CodeMismatchException', 'session.codeWrong'],
  ['EnableSoftwareTokenMFAException', 'session.codeWrong'],
  ['ExpiredCodeException', 'session.codeUsed', /already been used/i],
  ['ExpiredCodeException', 'session.codeExpired'],
  ['CodeDeliveryFailureException', 'session.mailFailed'],
  ['LimitExceededException', 'session.passkeyLimit', /passkeys/i],
  ['LimitExceededException', 'session.attemptLimit'],
  ['TooManyFailedAttemptsException', 'session.attemptLimit'],
  ['TooManyRequestsException', 'too_many_requests'],
  ['ResourceNotFoundException', 'not_found', /passkey/i],
  ['ResourceNotFoundException', 'unavailable'],
  ['ServiceUnavailableException', 'unavailable'],
  ['InternalErrorException', 'internal'],
  ['NetworkError', 'common.network'],
  ['UnexpectedSignInInterruptionException', 'session.noSessionAfterSignIn'],
  ['InvalidTokens', 'session.tokensInvalid'],
  ['InvalidAuthTokens', 'session.tokensInvalid'],
  ['iatNotFoundException', 'session.tokensInvalid'],
  ['UserUnAuthenticatedException', 'unauthorized'],
  ['oauthSignInError', 'session.stateInvalid'],
  ['OAuthSignInException', 'session.stateInvalid', /validating the state/i],
  ['OAuthSignInException', 'session.redirectCancelled', /cancel/i],
  ['OAuthSignInException', 'session.redirectFailed'],
  ['OtherUserException', 'session.otherUser'],
  ['PasskeyAuthenticationCanceled', 'session.passkeyCancelled'],
  ['PasskeyOperationAborted', 'session.passkeyCancelled'],
  ['NotAuthorizedException', 'session.passkeyUnknown', /passkey/i],
  ['InvalidStateError', 'session.passkeyExists'],
  ['WebAuthnChallengeNotFoundException', 'session.signInTimedOut'],
  ['WebAuthnOriginNotAllowedException', 'session.passkeyUnsupported'],
  ['WebAuthnRelyingPartyMismatchException', 'session.passkeyUnsupported'],
  ['WebAuthnCredentialNotSupportedException', 'session.passkeyUnsupported'],
  ['NotSupportedError', 'session.passkeyUnsupported'],
  ['SecurityError', 'session.passkeyUnsupported'],
  ['PasskeyNotSupported', 'session.passkeyUnsupported'],
  ['PasskeyRetrievalFailed', 'session.passkeyUnsupported'],
  ['NotAllowedError', 'session.passkeyCancelled'],
  ['AbortError', 'session.passkeyCancelled'],
];

/** Returns the key of the message for an error of the identity provider (AUTH-11); null if it is unknown. */
export function findIdentityErrorKey(error: unknown): MessageKey | null {
  if (!(error instanceof Error)) return null;
  const match = identityErrors.find(
    ([name, , pattern]) => name === error.name && (pattern?.test(error.message) ?? true),
  );
  return match?.[1] ?? null;
}

// The messages of these errors are for developers.
const internalErrors = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'Unknown'];

/**
 * Returns the text of the toast for a failed sign-in, sign-up or account change (AUTH-11, section 8): our message if there
 * is one, else the provider's own, else the fallback.
 */
export function toErrorText(t: T, error: unknown, fallback: MessageKey): string {
  if (error instanceof ApiError) return t(getErrorKey(error));
  const key = findIdentityErrorKey(error);
  if (key) return t(key);
  const message = error instanceof Error && !internalErrors.includes(error.name) ? error.message : '';
  return message || t(fallback);
}

const weakPassword = { field: 'password', text: 'session.checkRules' } as const;

/** The field that an error concerns, and what to do there; the toast shows what happened. */
const fieldErrors: Partial<Record<MessageKey, { field: string; text: MessageKey }>> = {
  'session.wrongPassword': { field: 'password', text: 'session.checkPassword' },
  'session.emailTaken': { field: 'email', text: 'session.useOtherEmail' },
  'session.codeWrong': { field: 'code', text: 'session.checkCode' },
  'session.codeExpired': { field: 'code', text: 'session.requestCode' },
  'session.codeUsed': { field: 'code', text: 'session.waitForCode' },
  'session.passwordCommon': { field: 'password', text: 'session.chooseOtherPassword' },
  email_invalid: { field: 'email', text: 'session.checkEmail' },
  password_length: weakPassword,
  password_uppercase: weakPassword,
  password_lowercase: weakPassword,
  password_numbers: weakPassword,
};

/** Returns the field that an error of the identity provider concerns, and the message under it; null if there is none. */
export function findFieldError(error: unknown): { field: string; text: MessageKey } | null {
  const key = findIdentityErrorKey(error);
  return (key && fieldErrors[key]) ?? null;
}
