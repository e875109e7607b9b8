/** An error of the JSON protocol: the exception type clients switch on, Cognito's message, and the HTTP status. */
export class CognitoError extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.name = 'CognitoError';
    this.type = type;
    this.status = status;
  }
}

const error =
  (type: string, message: string, status = 400) =>
  () =>
    new CognitoError(type, message, status);

const notAuthorized = (message: string) => error('NotAuthorizedException', message);
const invalidParameter = (message: string) => error('InvalidParameterException', message);

/** Creates every error of the protocol, worded as Cognito words it. */
export const cognitoErrors = {
  wrongPassword: notAuthorized('Incorrect username or password.'),
  lockedOut: notAuthorized('Password attempts exceeded'),
  userDisabled: notAuthorized('User is disabled.'),
  userNotConfirmed: error('UserNotConfirmedException', 'User is not confirmed.'),
  passwordResetRequired: error('PasswordResetRequiredException', 'Password reset required for the user'),
  handshakeInvalid: notAuthorized('Invalid session for the user.'),
  handshakeExpired: notAuthorized('Invalid session for the user, session is expired.'),
  handshakeUsed: notAuthorized('Invalid session for the user, session can only be used once.'),
  timestampFormat: invalidParameter('TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.'),
  timestampOutOfRange: invalidParameter('TIMESTAMP is too far from the present time.'),
  srpAInvalid: invalidParameter('SRP_A is not a usable number.'),

  refreshTokenInvalid: notAuthorized('Invalid Refresh Token'),
  refreshTokenExpired: notAuthorized('Refresh Token has expired'),
  refreshTokenRevoked: notAuthorized('Refresh Token has been revoked'),
  refreshTokenReused: error('RefreshTokenReuseException', 'Refresh Token has been used before'),
  notRefreshToken: error('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.'),
  accessTokenInvalid: notAuthorized('Invalid Access Token'),
  accessTokenExpired: notAuthorized('Access Token has expired'),
  accessTokenRevoked: notAuthorized('Access Token has been revoked'),
  reauthenticationRequired: notAuthorized('A recent sign-in is required'),
  insufficientScope: notAuthorized('Access Token does not have required scopes'),
  adminKeyMissing: error('MissingAuthenticationTokenException', 'Missing Authentication Token'),
  adminKeyInvalid: error(
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  ),
  userNotFound: error('UserNotFoundException', 'User does not exist.'),

  aliasExists: error('AliasExistsException', 'An account with the email already exists.'),
  noPassword: invalidParameter('User has no password in this user pool.'),
  notVerifiable: invalidParameter('Only the email attribute can be verified.'),
  usernameNotEmail: invalidParameter('Username should be an email.'),
  emailFormat: invalidParameter('Invalid email address format.'),
  phoneFormat: invalidParameter('Invalid phone number format.'),
  emailDiffers: invalidParameter('The email attribute must be the username.'),
  attributeReadOnly: notAuthorized('A client attempted to write unauthorized attribute'),
  invalidPassword: (reason: string) =>
    new CognitoError('InvalidPasswordException', `Password did not conform with policy: Password ${reason}`),
  invalidAttributes: (reason: string) =>
    new CognitoError('InvalidParameterException', `Attributes did not conform to the schema: ${reason}`),

  codeMismatch: error('CodeMismatchException', 'Invalid verification code provided, please try again.'),
  codeExpired: error('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
  limitExceeded: error('LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
  tooManyRequests: error('TooManyRequestsException', 'Too many requests, please try again in a moment.'),

  mfaCodeMismatch: error('CodeMismatchException', 'Invalid code received for user'),
  mfaCodeUsed: error('ExpiredCodeException', 'Your software token has already been used once.'),
  emailOtpMismatch: error('CodeMismatchException', 'Invalid code or auth state for the user.'),
  softwareTokenMismatch: error(
    'EnableSoftwareTokenMFAException',
    'Code mismatch and fail enable Software Token MFA',
  ),
  softwareTokenNotFound: error(
    'SoftwareTokenMFANotFoundException',
    'Software Token MFA does not exist for the user.',
  ),
  softwareTokenNotVerified: invalidParameter('User has not verified software token mfa'),
  emailNotVerified: invalidParameter('User does not have a verified email address to turn on EMAIL_OTP'),
  smsNotSupported: invalidParameter('User does not have delivery config set to turn on SMS_MFA'),
  preferredMfaInvalid: invalidParameter('Exactly one MFA method that is enabled can be preferred.'),
  mfaSelectionInvalid: invalidParameter('The MFA method is not one of those the user can choose.'),
  passwordRequired: notAuthorized('Sign in with your password: the mailed code is your second factor.'),
  federatedUser: notAuthorized(
    'User signs in at another identity provider, which has its own second factors.',
  ),

  challengeNotAvailable: invalidParameter('The challenge is not one of AvailableChallenges.'),
  passkeyInvalid: notAuthorized('The passkey could not be verified.'),
  passkeyNotFound: error('ResourceNotFoundException', 'The passkey does not exist.'),
  tooManyPasskeys: error('LimitExceededException', 'The user has as many passkeys as are allowed.'),
  passkeyChallengeNotFound: error(
    'WebAuthnChallengeNotFoundException',
    'The challenge of the registration has expired or was used.',
  ),
  passkeyOriginNotAllowed: error(
    'WebAuthnOriginNotAllowedException',
    'The origin of the registration is not allowed.',
  ),
  passkeyRelyingPartyMismatch: error(
    'WebAuthnRelyingPartyMismatchException',
    'The credential belongs to another relying party.',
  ),
  passkeyNotSupported: error(
    'WebAuthnCredentialNotSupportedException',
    'The credential is not supported or does not verify the user.',
  ),

  clientNotFound: (clientId: string) =>
    new CognitoError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`),
  poolNotFound: (poolId: string) =>
    new CognitoError('ResourceNotFoundException', `User pool ${poolId} does not exist.`),
  poolPathNotFound: error('ResourceNotFoundException', 'User pool does not exist.', 404),
  missingParameter: (name: string) =>
    new CognitoError('InvalidParameterException', `Missing required parameter ${name}`),
  flowDisabled: (flow: string) =>
    new CognitoError('InvalidParameterException', `${flow} flow not enabled for this client`),
  constraintViolations: (violations: readonly string[]) =>
    new CognitoError(
      'InvalidParameterException',
      `${violations.length} validation error${violations.length === 1 ? '' : 's'} detected: ${violations.join('; ')}`,
    ),
  identityPoolNotFound: (id: string) =>
    new CognitoError('ResourceNotFoundException', `IdentityPool '${id}' not found.`),
  identityForbidden: notAuthorized('Access to Identity is forbidden.'),
  loginInvalid: notAuthorized('Invalid login token.'),
  malformedBody: error('SerializationException', 'The body is not JSON of the shape this operation takes.'),
  bodyTooLarge: error('RequestEntityTooLargeException', 'The body is larger than 256 kB.', 413),
  unsupportedMediaType: error('UnsupportedMediaTypeException', 'Send application/x-amz-json-1.1.', 415),
  unknownOperation: error('UnknownOperationException', 'There is no such operation.'),
  methodNotAllowed: error('UnknownOperationException', 'This address does not support that method.', 405),
  notFound: error('UnknownOperationException', 'There is nothing at this address.', 404),
  unavailable: error('ServiceUnavailableException', 'Service is busy, please try again in a moment.', 503),
  internal: error('InternalErrorException', 'Something went wrong, please try again.', 500),
};
