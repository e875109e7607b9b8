import type { Account } from './subject.ts';

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
export function userDetails(account: Account) {
  const attributes = {
    sub: account.id,
    email: account.email,
    email_verified: String(account.emailVerified),
    given_name: account.givenName,
    family_name: account.familyName,
    phone_number: account.phoneNumber,
  };
  return {
    Username: account.id,
    UserAttributes: Object.entries(attributes).flatMap(([Name, Value]) =>
      Value === null ? [] : [{ Name, Value }],
    ),
  };
}
