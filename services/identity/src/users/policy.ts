import { forgotPasswordForm, limits, type MessageKey, passwordRules } from '@escucho/contracts';
import { type CognitoError, cognitoErrors } from '../errors.ts';
import type { Profile } from './user.ts';

/** Cognito's wording of the rules of the sign-up form (AUTH-03). */
const passwordErrorReasons: Partial<Record<MessageKey, string>> = {
  password_length: 'not long enough',
  password_uppercase: 'must have uppercase characters',
  password_lowercase: 'must have lowercase characters',
  password_numbers: 'must have numeric characters',
};

/** Throws InvalidPasswordException for a new password that breaks a rule or is among the most common ones. */
export async function assertPassword(password: string): Promise<void> {
  if (password.length > limits.password.max) throw cognitoErrors.invalidPassword('too long');
  const broken = passwordRules.find((rule) => !rule.isMet(password));
  if (broken)
    throw cognitoErrors.invalidPassword(passwordErrorReasons[broken.message] ?? 'not strong enough');
  // The 49,000 most common ones, in lower case; loaded by the first sign-up.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (dictionary['passwords-common'].includes(password.toLowerCase()))
    throw cognitoErrors.invalidPassword('is too common');
}

/** Returns the canonical form of a username: addresses and ids are case-insensitive. */
export function normalizeUsername(username: string): string {
  return username.toLowerCase();
}

/** Returns whether a text is an email address as the product's forms accept it. */
export function isEmail(text: string): boolean {
  return forgotPasswordForm.safeParse({ email: text }).success;
}

/** Standard attributes that clients may not write; neither may they write any that begins with `cognito:`. */
const readOnlyAttributes = new Set(
  'sub email_verified phone_number_verified identities updated_at address birthdate gender locale middle_name name nickname picture preferred_username profile website zoneinfo'.split(
    ' ',
  ),
);
const writableAttributes = new Set(['email', 'given_name', 'family_name', 'phone_number']);
const MAX_NAME_LENGTH = 256;

type Attributes = readonly { Name: string; Value: string }[];

function parseAttributes(attributes: Attributes): Map<string, string> {
  const values = new Map<string, string>();
  for (const { Name, Value } of attributes) {
    if (readOnlyAttributes.has(Name) || Name.startsWith('cognito:')) throw cognitoErrors.attributeReadOnly();
    if (!writableAttributes.has(Name)) {
      throw cognitoErrors.invalidAttributes(`Type for attribute {${Name}} could not be determined`);
    }
    if (values.has(Name)) throw cognitoErrors.invalidAttributes(`${Name}: The attribute is given twice`);
    values.set(Name, Value);
  }
  const email = values.get('email');
  if (email !== undefined && !isEmail(email)) throw cognitoErrors.emailFormat();
  const phone = values.get('phone_number');
  if (phone && !/^\+[1-9]\d{1,14}$/.test(phone)) throw cognitoErrors.phoneFormat();
  for (const name of ['given_name', 'family_name']) {
    if ((values.get(name)?.length ?? 0) > MAX_NAME_LENGTH) {
      throw cognitoErrors.invalidAttributes(
        `${name}: String must be no longer than ${MAX_NAME_LENGTH} characters`,
      );
    }
  }
  return values;
}

/**
 * Parses the attributes of a sign-up.
 * @param email the username; an `email` attribute must repeat it
 * @throws CognitoError
 */
export function parseProfile(email: string, attributes: Attributes): Profile {
  const { email: repeated = email, profile } = parseProfileUpdate(attributes);
  if (repeated !== email) throw cognitoErrors.emailDiffers();
  return { givenName: null, familyName: null, phoneNumber: null, ...profile };
}

/** The changes of an UpdateUserAttributes request; an empty value removes an attribute. */
export interface ProfileUpdate {
  profile: Partial<Profile>;
  /** The new address in lower case. */
  email: string | undefined;
}

/**
 * Parses the attributes of an UpdateUserAttributes request.
 * @throws CognitoError
 */
export function parseProfileUpdate(attributes: Attributes): ProfileUpdate {
  const values = parseAttributes(attributes);
  const valueOrNull = (name: string) => values.get(name) || null;
  const email = values.get('email');
  return {
    profile: {
      ...(values.has('given_name') && { givenName: valueOrNull('given_name') }),
      ...(values.has('family_name') && { familyName: valueOrNull('family_name') }),
      ...(values.has('phone_number') && { phoneNumber: valueOrNull('phone_number') }),
    },
    email: email === undefined ? undefined : normalizeUsername(email),
  };
}

/** Returns the error that keeps a user from signing in although the password was right. */
export function getSignInError(user: { enabled: boolean; status: string }): CognitoError | undefined {
  if (!user.enabled) return cognitoErrors.userDisabled();
  if (user.status === 'UNCONFIRMED') return cognitoErrors.userNotConfirmed();
  if (user.status === 'RESET_REQUIRED') return cognitoErrors.passwordResetRequired();
  return undefined;
}
