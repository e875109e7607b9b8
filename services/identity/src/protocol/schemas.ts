import * as z from 'zod/mini';

// PostgreSQL refuses NUL, half a character is none, and no field has use for the other control characters.
const printable = z.regex(/^[^\p{Cc}\p{Cs}]*$/u);

const text = (min: number, max: number) => z.string().check(z.minLength(min), z.maxLength(max), printable);
const optional = <T>(schema: z.ZodMiniType<T>) => z.nullish(schema);

const clientId = text(1, 128).check(z.regex(/^[\w+]+$/));
const username = text(1, 128).check(z.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u));
const password = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^\S(?:.*\S)?$/), printable);
const code = text(1, 2048).check(z.regex(/^\S+$/));
const token = text(1, 16_384);

/** Named values, as maps are on the wire: a value may be null, which means it is not there. */
const parameters = z.record(text(0, 256), optional(text(0, 8192)));

const attributes = z
  .array(z.object({ Name: text(1, 32), Value: z._default(text(0, 2048), '') }))
  .check(z.maxLength(50));

/** What each operation takes. Members a client may send and nothing here needs are let pass. */
const forClient = { ClientId: clientId, ClientMetadata: optional(parameters) };

export const signUp = z.object({
  ...forClient,
  Username: username,
  Password: password,
  UserAttributes: optional(attributes),
});

export const confirmSignUp = z.object({ ...forClient, Username: username, ConfirmationCode: code });

export const forUsername = z.object({ ...forClient, Username: username });

export const confirmForgotPassword = z.object({
  ...forClient,
  Username: username,
  ConfirmationCode: code,
  Password: password,
});

export const initiateAuth = z.object({
  ...forClient,
  AuthFlow: z.enum([
    'USER_SRP_AUTH',
    'REFRESH_TOKEN_AUTH',
    'REFRESH_TOKEN',
    'CUSTOM_AUTH',
    'ADMIN_NO_SRP_AUTH',
    'USER_PASSWORD_AUTH',
    'ADMIN_USER_PASSWORD_AUTH',
    'USER_AUTH',
  ]),
  AuthParameters: optional(parameters),
});

export const respondToAuthChallenge = z.object({
  ...forClient,
  ChallengeName: z.enum([
    'SMS_MFA',
    'EMAIL_OTP',
    'SOFTWARE_TOKEN_MFA',
    'SELECT_MFA_TYPE',
    'MFA_SETUP',
    'PASSWORD_VERIFIER',
    'CUSTOM_CHALLENGE',
    'SELECT_CHALLENGE',
    'DEVICE_SRP_AUTH',
    'DEVICE_PASSWORD_VERIFIER',
    'ADMIN_NO_SRP_AUTH',
    'NEW_PASSWORD_REQUIRED',
    'SMS_OTP',
    'PASSWORD',
    'WEB_AUTHN',
    'PASSWORD_SRP',
  ]),
  ChallengeResponses: optional(parameters),
});

/** The username inside parameters is held to the same rules as one outside. */
export const usernameParameter = z.object({ USERNAME: username });

export const getTokensFromRefreshToken = z.object({ ...forClient, RefreshToken: token });
export const revokeToken = z.object({ ClientId: clientId, Token: token });
export const forAccessToken = z.object({ AccessToken: token });

const poolId = text(1, 55).check(z.regex(/^[\w-]+_[0-9a-zA-Z]+$/));
export const adminDeleteUser = z.object({ UserPoolId: poolId, Username: username });

const named = text(1, 55).check(z.regex(/^[\w-]+:[0-9a-f-]+$/));
const logins = z.record(text(1, 2048), optional(text(1, 50_000)));
export const getId = z.object({ IdentityPoolId: named, Logins: optional(logins) });
export const getCredentialsForIdentity = z.object({ IdentityId: named, Logins: optional(logins) });

export const changePassword = z.object({
  AccessToken: token,
  PreviousPassword: password,
  ProposedPassword: password,
});
export const updateUserAttributes = z.object({
  AccessToken: token,
  UserAttributes: attributes,
  ClientMetadata: optional(parameters),
});
export const forAttribute = z.object({
  AccessToken: token,
  AttributeName: text(1, 32),
  ClientMetadata: optional(parameters),
});
export const verifyUserAttribute = z.object({ AccessToken: token, AttributeName: text(1, 32), Code: code });
