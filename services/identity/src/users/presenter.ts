import type { ProviderName } from '../database.ts';
import type { User } from './user.ts';

/** The names that clients use for providers. */
export const providerNames: Record<ProviderName, string> = { google: 'Google', facebook: 'Facebook' };

/** Returns the `identities` claim of a federated user. */
export function toIdentities({ federated }: User) {
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

/** Masks an address as `a***@e***`. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***`;
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
export function toGetUserResponse(user: User) {
  const identities = toIdentities(user);
  const attributes = {
    sub: user.id,
    identities: identities ? JSON.stringify(identities) : null,
    email: user.email,
    email_verified: user.email === null ? null : String(user.emailVerified),
    given_name: user.givenName,
    family_name: user.familyName,
    phone_number: user.phoneNumber,
  };
  return {
    Username: user.username,
    UserAttributes: Object.entries(attributes).flatMap(([Name, Value]) =>
      Value === null ? [] : [{ Name, Value }],
    ),
  };
}

/** Returns the response of /oauth2/userInfo: the claims that the token's scopes cover, as strings like Cognito's. */
export function toUserInfo(user: User, scope: string) {
  const scopes = scope.split(' ');
  const identities = toIdentities(user);
  return {
    sub: user.id,
    username: user.username,
    ...(identities && { identities: JSON.stringify(identities) }),
    ...(scopes.includes('email') &&
      user.email !== null && { email: user.email, email_verified: String(user.emailVerified) }),
    ...(scopes.includes('profile') && user.givenName !== null && { given_name: user.givenName }),
    ...(scopes.includes('profile') && user.familyName !== null && { family_name: user.familyName }),
    ...(scopes.includes('phone') && user.phoneNumber !== null && { phone_number: user.phoneNumber }),
  };
}
