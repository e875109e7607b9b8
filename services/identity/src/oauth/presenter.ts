import { identitiesOf } from '../users/presenter.ts';
import type { Person } from '../users/subject.ts';

/** What /oauth2/userInfo answers: who it is, and of the rest what the token's scopes allow. Values are texts, as Cognito's are. */
export function userInfo(person: Person, scope: string) {
  const granted = scope.split(' ');
  const identities = identitiesOf(person);
  return {
    sub: person.id,
    username: person.username,
    ...(identities && { identities: JSON.stringify(identities) }),
    ...(granted.includes('email') &&
      person.email !== null && { email: person.email, email_verified: String(person.emailVerified) }),
    ...(granted.includes('profile') && person.givenName !== null && { given_name: person.givenName }),
    ...(granted.includes('profile') && person.familyName !== null && { family_name: person.familyName }),
    ...(granted.includes('phone') && person.phoneNumber !== null && { phone_number: person.phoneNumber }),
  };
}
