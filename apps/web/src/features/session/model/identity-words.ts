import type { Key } from '#shared/i18n/i18n.ts';

/** What the identity provider says, with words of our own. The first line that fits counts; no `says` fits every message. */
const table: readonly { name: string; says?: RegExp; key: Key }[] = [
  { name: 'NotAuthorizedException', says: /incorrect username or password/i, key: 'session.wrongPassword' },
  { name: 'UserNotFoundException', key: 'session.wrongPassword' },
  { name: 'NotAuthorizedException', says: /attempts exceeded/i, key: 'session.locked' },
  { name: 'NotAuthorizedException', says: /disabled/i, key: 'session.disabled' },
  { name: 'NotAuthorizedException', says: /current status is confirmed/i, key: 'session.alreadyConfirmed' },
  { name: 'NotAuthorizedException', says: /session/i, key: 'session.handshakeOld' },
  { name: 'NotAuthorizedException', says: /cannot be reset/i, key: 'session.cannotReset' },
  { name: 'InvalidParameterException', says: /already confirmed/i, key: 'session.alreadyConfirmed' },
  { name: 'InvalidParameterException', says: /no registered\/verified/i, key: 'session.cannotReset' },
  { name: 'InvalidParameterException', says: /email/i, key: 'email_invalid' },
  { name: 'UserNotConfirmedException', key: 'session.notConfirmed' },
  { name: 'PasswordResetRequiredException', key: 'session.resetRequired' },
  { name: 'UsernameExistsException', key: 'session.emailTaken' },
  { name: 'AliasExistsException', key: 'session.emailTaken' },
  { name: 'InvalidPasswordException', says: /long enough/i, key: 'password_length' },
  { name: 'InvalidPasswordException', says: /uppercase/i, key: 'password_uppercase' },
  { name: 'InvalidPasswordException', says: /lowercase/i, key: 'password_lowercase' },
  { name: 'InvalidPasswordException', says: /numeric/i, key: 'password_numbers' },
  { name: 'CodeMismatchException', key: 'session.codeWrong' },
  { name: 'ExpiredCodeException', key: 'session.codeOld' },
  { name: 'CodeDeliveryFailureException', key: 'session.mailFailed' },
  { name: 'LimitExceededException', key: 'session.tooMany' },
  { name: 'TooManyFailedAttemptsException', key: 'session.tooMany' },
  { name: 'TooManyRequestsException', key: 'too_many_requests' },
  { name: 'ResourceNotFoundException', key: 'unavailable' },
  { name: 'InternalErrorException', key: 'internal' },
  { name: 'NetworkError', key: 'common.network' },
  { name: 'UnexpectedSignInInterruptionException', key: 'session.noSessionAfterSignIn' },
  { name: 'InvalidTokens', key: 'session.tokensInvalid' },
  { name: 'InvalidAuthTokens', key: 'session.tokensInvalid' },
  { name: 'iatNotFoundException', key: 'session.tokensInvalid' },
  { name: 'UserUnAuthenticatedException', key: 'unauthorized' },
  { name: 'oauthSignInError', key: 'session.stateInvalid' },
  { name: 'OAuthSignInException', says: /validating the state/i, key: 'session.stateInvalid' },
  { name: 'OAuthSignInException', says: /cancel/i, key: 'session.redirectCancelled' },
  { name: 'OAuthSignInException', key: 'session.redirectFailed' },
];

/** The words for what the provider threw (AUTH-11). In: the error. Out: a key, or null when it is not in the table. */
export function identityWords(error: unknown): Key | null {
  if (!(error instanceof Error)) return null;
  const { name, message } = error;
  return table.find((line) => line.name === name && (line.says?.test(message) ?? true))?.key ?? null;
}
