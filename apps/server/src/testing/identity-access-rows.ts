import { type Access, type AccessRow, type Options, row } from './access-rules.ts';

/** The outcome of a wrong password or code. */
const refused = { outcome: '400 NotAuthorizedException' };
/** A passkey that no authenticator created. */
const credential = {
  id: 'unknown',
  rawId: 'unknown',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'e30' },
};
const client = { ClientId: '$clientId' };

const operation = (access: Access, name: string, body: object, options: Options = {}) =>
  row(access, `POST /identity#AWSCognitoIdentityProviderService.${name}`, {
    url: '/identity',
    body,
    title: `${name} of the identity provider`,
    ...options,
  });

const guestOperation = (name: string, body: object, options: Options = {}) =>
  row('anyone', `POST /identity#AWSCognitoIdentityService.${name}`, {
    url: '/identity',
    body,
    title: `${name} of the identity pool`,
    ...options,
  });

/** Returns the URL of a hosted page with a valid authorization request. */
const authorize = (page: string) =>
  `/identity/${page === 'authorize' ? 'oauth2/authorize' : page}?client_id=$clientId&response_type=code&code_challenge_method=S256&code_challenge=${'x'.repeat(43)}&redirect_uri=$origin/auth/sign-in`;

/** The identity provider: OAuth 2.0, hosted pages, sessions and operations. */
export const identityRows: readonly AccessRow[] = [
  row('anyone', 'GET /identity/:poolId/.well-known/:document', {
    url: '/identity/$poolId/.well-known/jwks.json',
  }),
  row('anyone', 'GET /identity/oauth2/authorize', { url: authorize('authorize'), outcome: '302' }),
  row('anyone', 'GET /identity/oauth2/idpresponse', {
    url: '/identity/oauth2/idpresponse?state=x',
    outcome: '400',
  }),
  row('anyone', 'POST /identity/oauth2/token', {
    body: { grant_type: 'refresh_token', client_id: '$clientId', refresh_token: '$refreshToken' },
    form: true,
  }),
  row('anyone', 'POST /identity/oauth2/revoke', { body: { client_id: '$clientId', token: 'x' }, form: true }),
  row('anyone', 'GET /identity/oauth2/userInfo', { outcome: '401 invalid_token' }),
  row('anyone', 'GET /identity/login', { url: authorize('login') }),
  row('anyone', 'POST /identity/login', {
    url: authorize('login'),
    body: { email: '$email', password: '$password' },
    form: true,
    outcome: '400',
  }),
  row('anyone', 'POST /identity/mfa', {
    url: authorize('mfa'),
    body: { code: '000000' },
    form: true,
    outcome: '400',
  }),
  row('anyone', 'POST /identity/passkey', {
    url: authorize('passkey'),
    body: { session: 'unknown', credential: '{}' },
    form: true,
    outcome: '400',
  }),
  row('anyone', 'GET /identity/logout', { url: '/identity/logout', outcome: '400' }),
  row('anyone', 'GET /identity/stand-in', { outcome: '400' }),
  row('anyone', 'POST /identity/stand-in', { body: { email: '$email' }, form: true, outcome: '400' }),

  row('account', 'GET /identity/sessions'),
  row('account', 'DELETE /identity/sessions/:id', {
    url: '/identity/sessions/$session',
    otherUser: '404 not_found',
  }),
  row('account', 'DELETE /identity/sessions'),

  // The operations of the identity provider.
  operation('anyone', 'SignUp', { ...client, Username: '$new@escucho.test', Password: '$password' }),
  operation(
    'anyone',
    'ConfirmSignUp',
    { ...client, Username: '$email', ConfirmationCode: '000000' },
    { outcome: '400 ExpiredCodeException' },
  ),
  operation('anyone', 'ResendConfirmationCode', { ...client, Username: '$new@escucho.test' }),
  operation('anyone', 'ForgotPassword', { ...client, Username: '$new@escucho.test' }),
  operation(
    'anyone',
    'ConfirmForgotPassword',
    {
      ...client,
      Username: '$email',
      ConfirmationCode: '000000',
      Password: '$password',
    },
    { outcome: '400 ExpiredCodeException' },
  ),
  operation(
    'anyone',
    'InitiateAuth',
    {
      ...client,
      AuthFlow: 'USER_PASSWORD_AUTH',
      // Wrong passwords of the owner would lock the account out for the rows that follow.
      AuthParameters: { USERNAME: 'unknown@escucho.test', PASSWORD: 'Wrong2026' },
    },
    refused,
  ),
  operation(
    'anyone',
    'RespondToAuthChallenge',
    {
      ...client,
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeResponses: { USERNAME: '$email', ANSWER: '000000' },
      Session: 'x'.repeat(20),
    },
    refused,
  ),
  operation('anyone', 'GetTokensFromRefreshToken', { ...client, RefreshToken: '$refreshToken' }),
  operation('anyone', 'RevokeToken', { ...client, Token: 'x' }),
  operation('token', 'GetUser', { AccessToken: '$token' }),
  operation('token', 'UpdateUserAttributes', {
    AccessToken: '$token',
    UserAttributes: [{ Name: 'given_name', Value: 'Nora' }],
  }),
  operation('token', 'GetUserAttributeVerificationCode', { AccessToken: '$token', AttributeName: 'email' }),
  operation(
    'token',
    'VerifyUserAttribute',
    {
      AccessToken: '$token',
      AttributeName: 'email',
      Code: '000000',
    },
    { outcome: '400 CodeMismatchException' },
  ),
  operation('token', 'AssociateSoftwareToken', { AccessToken: '$token' }),
  operation(
    'token',
    'VerifySoftwareToken',
    { AccessToken: '$token', UserCode: '000000' },
    { outcome: '400 EnableSoftwareTokenMFAException' },
  ),
  operation('token', 'SetUserMFAPreference', { AccessToken: '$token' }),
  operation('token', 'ChangePassword', {
    AccessToken: '$token',
    PreviousPassword: '$password',
    ProposedPassword: '$password',
  }),
  operation('token', 'StartWebAuthnRegistration', { AccessToken: '$token' }),
  operation(
    'token',
    'CompleteWebAuthnRegistration',
    { AccessToken: '$token', Credential: credential },
    { outcome: '400 WebAuthnCredentialNotSupportedException' },
  ),
  operation('token', 'ListWebAuthnCredentials', { AccessToken: '$token' }),
  operation(
    'token',
    'DeleteWebAuthnCredential',
    { AccessToken: '$token', CredentialId: 'unknown' },
    { outcome: '400 ResourceNotFoundException' },
  ),
  operation(
    'adminKey',
    'AdminDeleteUser',
    { UserPoolId: '$poolId', Username: '$uuid' },
    { outcome: '400 UserNotFoundException' },
  ),
  guestOperation('GetId', { IdentityPoolId: '$identityPoolId' }),
  guestOperation('GetCredentialsForIdentity', { IdentityId: '$identityPoolId' }, refused),
];

/** What ends sessions and accounts. */
export const finalIdentityRows: readonly AccessRow[] = [
  operation('token', 'GlobalSignOut', { AccessToken: '$token' }, { replacesUsers: true }),
  operation('token', 'DeleteUser', { AccessToken: '$token' }, { replacesUsers: true }),
];
