import { limits } from '@escucho/contracts';
import * as z from 'zod/mini';

// PostgreSQL rejects NUL and unpaired surrogates, and no field needs the other control characters.
const printable = z.regex(/^[^\p{Cc}\p{Cs}]*$/u);

const text = (min: number, max: number) => z.string().check(z.minLength(min), z.maxLength(max), printable);

const clientId = text(1, 128).check(z.regex(/^[\w+]+$/));
const usernameText = text(1, limits.username.max).check(z.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u));
const password = z
  .string()
  .check(z.minLength(1), z.maxLength(limits.password.max), z.regex(/^\S(?:.*\S)?$/), printable);
const code = text(1, 2048).check(z.regex(/^\S+$/));
const token = text(1, 16_384);
const session = z.nullish(text(0, 8192));

/** A map of parameters; a null value counts as absent. */
const parameters = z.record(text(0, 256), z.nullish(text(0, 8192)));

const attributes = z
  .array(z.object({ Name: text(1, 32), Value: z._default(text(0, 2048), '') }))
  .check(z.maxLength(50));

// The bodies of the operations; members that are not used here are ignored.
const client = { ClientId: clientId, ClientMetadata: z.nullish(parameters) };

export const signUp = z.object({
  ...client,
  Username: usernameText,
  Password: password,
  UserAttributes: z.nullish(attributes),
});

export const confirmSignUp = z.object({ ...client, Username: usernameText, ConfirmationCode: code });

export const username = z.object({ ...client, Username: usernameText });

export const confirmForgotPassword = z.object({
  ...client,
  Username: usernameText,
  ConfirmationCode: code,
  Password: password,
});

export const initiateAuth = z.object({
  ...client,
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
  AuthParameters: z.nullish(parameters),
});

export const respondToAuthChallenge = z.object({
  ...client,
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
  ChallengeResponses: z.nullish(parameters),
  Session: session,
});

export const usernameParameter = z.object({ USERNAME: usernameText });

export const getTokensFromRefreshToken = z.object({ ...client, RefreshToken: token });
export const revokeToken = z.object({ ClientId: clientId, Token: token });
export const accessToken = z.object({ AccessToken: token });

export const verifySoftwareToken = z.object({
  AccessToken: token,
  UserCode: text(6, 6).check(z.regex(/^[0-9]+$/)),
  FriendlyDeviceName: z.nullish(text(0, 256)),
});

const mfaSettings = z.nullish(
  z.object({ Enabled: z.nullish(z.boolean()), PreferredMfa: z.nullish(z.boolean()) }),
);
export const setUserMfaPreference = z.object({
  AccessToken: token,
  SMSMfaSettings: mfaSettings,
  SoftwareTokenMfaSettings: mfaSettings,
  EmailMfaSettings: mfaSettings,
});

const poolId = text(1, 55).check(z.regex(/^[\w-]+_[0-9a-zA-Z]+$/));
export const adminDeleteUser = z.object({ UserPoolId: poolId, Username: usernameText });

const identityId = text(1, 55).check(z.regex(/^[\w-]+:[0-9a-f-]+$/));
const logins = z.record(text(1, 2048), z.nullish(text(1, 50_000)));
export const getId = z.object({ IdentityPoolId: identityId, Logins: z.nullish(logins) });
export const getCredentialsForIdentity = z.object({ IdentityId: identityId, Logins: z.nullish(logins) });

export const changePassword = z.object({
  AccessToken: token,
  PreviousPassword: text(1, limits.password.max),
  ProposedPassword: password,
});
export const updateUserAttributes = z.object({
  AccessToken: token,
  UserAttributes: attributes,
  ClientMetadata: z.nullish(parameters),
});
export const attribute = z.object({
  AccessToken: token,
  AttributeName: text(1, 32),
  ClientMetadata: z.nullish(parameters),
});
export const verifyUserAttribute = z.object({ AccessToken: token, AttributeName: text(1, 32), Code: code });
