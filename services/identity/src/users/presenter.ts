import type { ProviderName } from '../database.ts';
import type { Person } from './subject.ts';

/** A provider as clients name it. */
export const providerTitles: Record<ProviderName, string> = { google: 'Google', facebook: 'Facebook' };

/** The `identities` claim: who a person is where they come from; nothing for people with a password here. */
export function identitiesOf({ door }: Person) {
  if (!door) return undefined;
  const title = providerTitles[door.provider];
  return [
    {
      userId: door.subject,
      providerName: title,
      providerType: title,
      issuer: null,
      primary: 'true',
      dateCreated: String(door.since.getTime()),
    },
  ];
}

/** Where a code went, masked: `a***@e***`. */
export function codeDelivery(email: string) {
  const [local = '', domain = ''] = email.split('@');
  return {
    CodeDeliveryDetails: {
      AttributeName: 'email',
      DeliveryMedium: 'EMAIL',
      Destination: `${local.slice(0, 1)}***@${domain.slice(0, 1)}***`,
    },
  };
}

/** What GetUser answers: every value a text. */
export function userDetails(person: Person) {
  const identities = identitiesOf(person);
  const attributes = {
    sub: person.id,
    identities: identities ? JSON.stringify(identities) : null,
    email: person.email,
    email_verified: person.email === null ? null : String(person.emailVerified),
    given_name: person.givenName,
    family_name: person.familyName,
    phone_number: person.phoneNumber,
  };
  return {
    Username: person.username,
    UserAttributes: Object.entries(attributes).flatMap(([Name, Value]) =>
      Value === null ? [] : [{ Name, Value }],
    ),
  };
}
