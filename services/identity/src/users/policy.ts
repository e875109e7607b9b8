import { forgotPasswordForm, limits, type MessageKey, passwordRules } from '@escucho/contracts';
import { type Fault, faults } from '../faults.ts';

/** How Cognito words what the rules of the sign-up form (AUTH-03) find wrong. */
const passwordFlaws: Partial<Record<MessageKey, string>> = {
  password_length: 'not long enough',
  password_uppercase: 'must have uppercase characters',
  password_lowercase: 'must have lowercase characters',
  password_numbers: 'must have numeric characters',
};

/** What is wrong with a new password, or nothing. */
export function passwordFault(password: string): Fault | undefined {
  if (password.length > limits.password.max) return faults.password('too long');
  const broken = passwordRules.find((rule) => !rule.holds(password));
  return broken && faults.password(passwordFlaws[broken.message] ?? 'not strong enough');
}

/** The name people sign in with: addresses and ids are the same in any case. */
export function nameOf(username: string): string {
  return username.toLowerCase();
}

/** Whether a text is an e-mail address as the forms of the product take it. */
export function isEmail(text: string): boolean {
  return forgotPasswordForm.safeParse({ email: text }).success;
}

/** What a person may say about themselves at sign-up. */
export interface Profile {
  givenName: string | null;
  familyName: string | null;
  phoneNumber: string | null;
}

/** What clients call attributes that exist but are not theirs to write, beside those that begin with `cognito:`. */
const readOnly = new Set(
  'sub email_verified phone_number_verified identities updated_at address birthdate gender locale middle_name name nickname picture preferred_username profile website zoneinfo'.split(
    ' ',
  ),
);
const writable = new Set(['email', 'given_name', 'family_name', 'phone_number']);
const longestName = 256;

type Attributes = readonly { Name: string; Value: string }[];

/** Attributes by name, each of them the person's to write and well-formed; or what is wrong with them. */
function readAttributes(attributes: Attributes): Map<string, string> | Fault {
  const given = new Map<string, string>();
  for (const { Name, Value } of attributes) {
    if (readOnly.has(Name) || Name.startsWith('cognito:')) return faults.attributeReadOnly();
    if (!writable.has(Name)) {
      return faults.attributes(`Type for attribute {${Name}} could not be determined`);
    }
    if (given.has(Name)) return faults.attributes(`${Name}: The attribute is given twice`);
    given.set(Name, Value);
  }
  const email = given.get('email');
  if (email !== undefined && !isEmail(email)) return faults.emailFormat();
  const phone = given.get('phone_number');
  if (phone && !/^\+[1-9]\d{1,14}$/.test(phone)) return faults.phoneFormat();
  for (const name of ['given_name', 'family_name']) {
    if ((given.get(name)?.length ?? 0) > longestName) {
      return faults.attributes(`${name}: String must be no longer than ${longestName} characters`);
    }
  }
  return given;
}

/**
 * The profile in a sign-up's attributes, or what is wrong with them. The address is the username's: an `email`
 * attribute may repeat it and nothing else.
 */
export function readProfile(email: string, attributes: Attributes): Profile | Fault {
  const given = readAttributes(attributes);
  if (!(given instanceof Map)) return given;
  if (nameOf(given.get('email') ?? email) !== email) return faults.emailDiffers();
  return {
    givenName: given.get('given_name') || null,
    familyName: given.get('family_name') || null,
    phoneNumber: given.get('phone_number') || null,
  };
}

/** What somebody changes about themselves; an empty text takes away what is there. The address is in lower case. */
export interface Changes {
  profile: Partial<Profile>;
  email: string | undefined;
}

/** The changes in attributes, or what is wrong with them. */
export function readChanges(attributes: Attributes): Changes | Fault {
  const given = readAttributes(attributes);
  if (!(given instanceof Map)) return given;
  const changed = (name: string) => given.get(name) || null;
  const email = given.get('email');
  return {
    profile: {
      ...(given.has('given_name') && { givenName: changed('given_name') }),
      ...(given.has('family_name') && { familyName: changed('family_name') }),
      ...(given.has('phone_number') && { phoneNumber: changed('phone_number') }),
    },
    email: email === undefined ? undefined : nameOf(email),
  };
}

/** Why somebody whose password was right may still not come in, or nothing. */
export function entryFault(account: { enabled: boolean; status: string }): Fault | undefined {
  if (!account.enabled) return faults.disabled();
  if (account.status === 'UNCONFIRMED') return faults.notConfirmed();
  if (account.status === 'RESET_REQUIRED') return faults.resetRequired();
  return undefined;
}
