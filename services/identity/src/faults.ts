/** A refusal as the protocol words it: the type clients switch on, the message people may see, the HTTP status. */
export class Fault extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.name = 'Fault';
    this.type = type;
    this.status = status;
  }
}

const fault =
  (type: string, message: string, status = 400) =>
  () =>
    new Fault(type, message, status);

const notAuthorized = (message: string) => fault('NotAuthorizedException', message);
const invalid = (message: string) => fault('InvalidParameterException', message);

/** Every refusal there is, in the words Cognito uses for it. */
export const faults = {
  wrongPassword: notAuthorized('Incorrect username or password.'),
  lockedOut: notAuthorized('Password attempts exceeded'),
  disabled: notAuthorized('User is disabled.'),
  notConfirmed: fault('UserNotConfirmedException', 'User is not confirmed.'),
  resetRequired: fault('PasswordResetRequiredException', 'Password reset required for the user'),
  handshakeUnknown: notAuthorized('Invalid session for the user.'),
  handshakeExpired: notAuthorized('Invalid session for the user, session is expired.'),
  handshakeUsed: notAuthorized('Invalid session for the user, session can only be used once.'),
  timestampFormat: invalid('TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.'),
  timestampStale: invalid('TIMESTAMP is too far from the present time.'),
  publicNumber: invalid('SRP_A is not a usable number.'),

  refreshUnknown: notAuthorized('Invalid Refresh Token'),
  refreshExpired: notAuthorized('Refresh Token has expired'),
  refreshRevoked: notAuthorized('Refresh Token has been revoked'),
  refreshReused: fault('RefreshTokenReuseException', 'Refresh Token has been used before'),
  notRefreshToken: fault('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.'),
  accessInvalid: notAuthorized('Invalid Access Token'),
  accessExpired: notAuthorized('Access Token has expired'),
  accessRevoked: notAuthorized('Access Token has been revoked'),
  accessScope: notAuthorized('Access Token does not have required scopes'),
  keyMissing: fault('MissingAuthenticationTokenException', 'Missing Authentication Token'),
  keyUnknown: fault('UnrecognizedClientException', 'The security token included in the request is invalid.'),
  userGone: fault('UserNotFoundException', 'User does not exist.'),

  emailTaken: fault('UsernameExistsException', 'An account with the given email already exists.'),
  emailExists: fault('AliasExistsException', 'An account with the email already exists.'),
  noPassword: invalid('User has no password in this user pool.'),
  notVerifiable: invalid('Only the email attribute can be verified.'),
  customAuth: invalid('Custom auth lambda trigger is not configured for the user pool.'),
  usernameNotEmail: invalid('Username should be an email.'),
  emailFormat: invalid('Invalid email address format.'),
  phoneFormat: invalid('Invalid phone number format.'),
  emailDiffers: invalid('The email attribute must be the username.'),
  attributeReadOnly: notAuthorized('A client attempted to write unauthorized attribute'),
  password: (flaw: string) =>
    new Fault('InvalidPasswordException', `Password did not conform with policy: Password ${flaw}`),
  attributes: (flaw: string) =>
    new Fault('InvalidParameterException', `Attributes did not conform to the schema: ${flaw}`),

  codeMismatch: fault('CodeMismatchException', 'Invalid verification code provided, please try again.'),
  codeExpired: fault('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
  alreadyConfirmed: notAuthorized('User cannot be confirmed. Current status is CONFIRMED'),
  nothingToConfirm: invalid('User is already confirmed.'),
  tooOften: fault('LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
  tooBusy: fault('TooManyRequestsException', 'Too many requests, please try again in a moment.'),

  clientUnknown: (clientId: string) =>
    new Fault('ResourceNotFoundException', `User pool client ${clientId} does not exist.`),
  poolNamedUnknown: (poolId: string) =>
    new Fault('ResourceNotFoundException', `User pool ${poolId} does not exist.`),
  poolUnknown: fault('ResourceNotFoundException', 'User pool does not exist.', 404),
  parameterMissing: (name: string) =>
    new Fault('InvalidParameterException', `Missing required parameter ${name}`),
  flowDisabled: (flow: string) =>
    new Fault('InvalidParameterException', `${flow} flow not enabled for this client`),
  constraints: (flaws: readonly string[]) =>
    new Fault(
      'InvalidParameterException',
      `${flaws.length} validation error${flaws.length === 1 ? '' : 's'} detected: ${flaws.join('; ')}`,
    ),
  identityPoolUnknown: (id: string) =>
    new Fault('ResourceNotFoundException', `IdentityPool '${id}' not found.`),
  identityForbidden: notAuthorized('Access to Identity is forbidden.'),
  loginInvalid: notAuthorized('Invalid login token.'),
  unreadable: fault('SerializationException', 'The body is not JSON of the shape this operation takes.'),
  tooLarge: fault('RequestEntityTooLargeException', 'The body is larger than 256 kB.', 413),
  mediaType: fault('UnsupportedMediaTypeException', 'Send application/x-amz-json-1.1.', 415),
  operationUnknown: fault('UnknownOperationException', 'There is no such operation.'),
  pageUnknown: fault('UnknownOperationException', 'There is nothing at this address.', 404),
  internal: fault('InternalErrorException', 'Something went wrong, please try again.', 500),
};
