import { ApiError, getErrorKey } from '#shared/api/client.ts';
import type { MessageKey, T } from '#shared/i18n/i18n.ts';

/** The user chose not to confirm who they are. Nothing has changed, and there is nothing to report. */
export class ReauthenticationCancelledError extends Error {
  override readonly name = 'ReauthenticationCancelledError';
}

/** Messages for the identity provider's errors. The first match applies; without `pattern` any message matches. */
const identityErrors: readonly { name: string; pattern?: RegExp; key: MessageKey }[] = [
  {
    name: 'NotAuthorizedException',
    pattern: /incorrect username or password/i,
    key: 'session.wrongPassword',
  },
  { name: 'UserNotFoundException', key: 'session.wrongPassword' },
  { name: 'NotAuthorizedException', pattern: /attempts exceeded/i, key: 'session.locked' },
  { name: 'NotAuthorizedException', pattern: /disabled/i, key: 'session.disabled' },
  {
    name: 'NotAuthorizedException',
    pattern: /current status is confirmed/i,
    key: 'session.alreadyConfirmed',
  },
  { name: 'NotAuthorizedException', pattern: /recent sign-in/i, key: 'reauthentication_required' },
  { name: 'NotAuthorizedException', pattern: /token has been revoked/i, key: 'unauthorized' },
  { name: 'NotAuthorizedException', pattern: /session/i, key: 'session.signInTimedOut' },
  { name: 'NotAuthorizedException', pattern: /cannot be reset/i, key: 'session.cannotReset' },
  { name: 'InvalidParameterException', pattern: /already confirmed/i, key: 'session.alreadyConfirmed' },
  { name: 'InvalidParameterException', pattern: /no registered\/verified/i, key: 'session.cannotReset' },
  { name: 'InvalidParameterException', pattern: /timestamp/i, key: 'session.clockWrong' },
  { name: 'InvalidParameterException', pattern: /email/i, key: 'email_invalid' },
  { name: 'UserNotConfirmedException', key: 'session.notConfirmed' },
  { name: 'PasswordResetRequiredException', key: 'session.resetRequired' },
  { name: 'UsernameExistsException', key: 'session.emailTaken' },
  { name: 'AliasExistsException', key: 'session.emailTaken' },
  { name: 'InvalidPasswordException', pattern: /long enough/i, key: 'password_length' },
  { name: 'InvalidPasswordException', pattern: /uppercase/i, key: 'password_uppercase' },
  { name: 'InvalidPasswordException', pattern: /lowercase/i, key: 'password_lowercase' },
  { name: 'InvalidPasswordException', pattern: /numeric/i, key: 'password_numbers' },
  { name: 'InvalidPasswordException', pattern: /common/i, key: 'session.passwordCommon' },
  { name: 'CodeMismatchException', key: 'session.codeWrong' },
  { name: 'EnableSoftwareTokenMFAException', key: 'session.codeWrong' },
  { name: 'ExpiredCodeException', pattern: /already been used/i, key: 'session.codeUsed' },
  { name: 'ExpiredCodeException', key: 'session.codeExpired' },
  { name: 'CodeDeliveryFailureException', key: 'session.mailFailed' },
  { name: 'LimitExceededException', pattern: /passkeys/i, key: 'session.passkeyLimit' },
  { name: 'LimitExceededException', key: 'session.attemptLimit' },
  { name: 'TooManyFailedAttemptsException', key: 'session.attemptLimit' },
  { name: 'TooManyRequestsException', key: 'too_many_requests' },
  { name: 'ResourceNotFoundException', pattern: /passkey/i, key: 'not_found' },
  { name: 'ResourceNotFoundException', key: 'unavailable' },
  { name: 'ServiceUnavailableException', key: 'unavailable' },
  { name: 'InternalErrorException', key: 'internal' },
  { name: 'NetworkError', key: 'common.network' },
  { name: 'UnexpectedSignInInterruptionException', key: 'session.noSessionAfterSignIn' },
  { name: 'InvalidTokens', key: 'session.tokensInvalid' },
  { name: 'InvalidAuthTokens', key: 'session.tokensInvalid' },
  { name: 'iatNotFoundException', key: 'session.tokensInvalid' },
  { name: 'UserUnAuthenticatedException', key: 'unauthorized' },
  { name: 'oauthSignInError', key: 'session.stateInvalid' },
  { name: 'OAuthSignInException', pattern: /validating the state/i, key: 'session.stateInvalid' },
  { name: 'OAuthSignInException', pattern: /cancel/i, key: 'session.redirectCancelled' },
  { name: 'OAuthSignInException', key: 'session.redirectFailed' },
  { name: 'OtherUserException', key: 'session.otherUser' },
  { name: 'PasskeyAuthenticationCanceled', key: 'session.passkeyCancelled' },
  { name: 'PasskeyOperationAborted', key: 'session.passkeyCancelled' },
  { name: 'NotAuthorizedException', pattern: /passkey/i, key: 'session.passkeyUnknown' },
  { name: 'InvalidStateError', key: 'session.passkeyExists' },
  { name: 'WebAuthnChallengeNotFoundException', key: 'session.signInTimedOut' },
  { name: 'WebAuthnOriginNotAllowedException', key: 'session.passkeyUnsupported' },
  { name: 'WebAuthnRelyingPartyMismatchException', key: 'session.passkeyUnsupported' },
  { name: 'WebAuthnCredentialNotSupportedException', key: 'session.passkeyUnsupported' },
  { name: 'NotSupportedError', key: 'session.passkeyUnsupported' },
  { name: 'SecurityError', key: 'session.passkeyUnsupported' },
  { name: 'PasskeyNotSupported', key: 'session.passkeyUnsupported' },
  { name: 'PasskeyRetrievalFailed', key: 'session.passkeyUnsupported' },
  { name: 'NotAllowedError', key: 'session.passkeyCancelled' },
  { name: 'AbortError', key: 'session.passkeyCancelled' },
];

/** Returns the key of the message for an error of the identity provider (AUTH-11); null if it is unknown. */
export function findIdentityErrorKey(error: unknown): MessageKey | null {
  if (!(error instanceof Error)) return null;
  const { name, message } = error;
  const match = identityErrors.find((row) => row.name === name && (row.pattern?.test(message) ?? true));
  return match?.key ?? null;
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
