import { maskEmail } from '@escucho/audit';
import type { ProviderName } from '../database.ts';
import type { MfaSettings } from '../mfa/policy.ts';
import type { User } from './user.ts';

/** The names that clients use for providers. */
export const providerNames: Record<ProviderName, string> = { google: 'Google', facebook: 'Facebook' };

function toIdentities({ federated }: User) {
  if (!federated) return undefined;
  const name = providerNames[federated.provider];
  return [
    {
      userId: federated.subject,
      providerName: name,
      providerType: name,
      issuer: null,
      primary: 'true',
      dateCreated: String(federated.createdAt.getTime()),
    },
  ];
}

/** Returns the claims about a user; the ones without a value are undefined. */
export const toClaims = (user: User) => ({
  identities: toIdentities(user),
  email: user.email ?? undefined,
  email_verified: user.email === null ? undefined : user.emailVerified,
  given_name: user.givenName ?? undefined,
  family_name: user.familyName ?? undefined,
  phone_number: user.phoneNumber ?? undefined,
});

/** Returns the claims that have a value, as text like Cognito's. */
function listTextClaims(user: User): [name: string, value: string][] {
  return Object.entries(toClaims(user)).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
}

/** Returns the CodeDeliveryDetails of a response, with the address masked. */
export const toCodeDelivery = (email: string) => ({
  CodeDeliveryDetails: {
    AttributeName: 'email',
    DeliveryMedium: 'EMAIL',
    Destination: maskEmail(email),
  },
});

/** Returns the response of GetUser, where every value is a string. */
export const toGetUserResponse = (user: User, { enabled, preferred }: MfaSettings) => ({
  Username: user.username,
  ...(enabled.length > 0 && { UserMFASettingList: enabled }),
  ...(preferred !== undefined && { PreferredMfaSetting: preferred }),
  UserAttributes: [['sub', user.id] as const, ...listTextClaims(user)].map(([Name, Value]) => ({
    Name,
    Value,
  })),
});

const claimScopes = new Map([
  ['email', 'email'],
  ['email_verified', 'email'],
  ['given_name', 'profile'],
  ['family_name', 'profile'],
  ['phone_number', 'phone'],
]);

/** Returns the response of /oauth2/userInfo: the claims that the token's scopes cover, as strings like Cognito's. */
export function toUserInfo(user: User, scope: string) {
  const scopes = scope.split(' ');
  const claims = listTextClaims(user).filter(([name]) => scopes.includes(claimScopes.get(name) ?? 'openid'));
  return { sub: user.id, username: user.username, ...Object.fromEntries(claims) };
}
