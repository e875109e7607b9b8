import * as z from 'zod/mini';
import { messageKey, singleLineText } from './fields.ts';
import { limits } from './limits.ts';

// The browser's own pattern for e-mail fields, with a dot in the domain as people expect.
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

const name = (required: Parameters<typeof messageKey>[0]) =>
  singleLineText(10_000).check(
    z.trim(),
    z.minLength(1, { message: messageKey(required), abort: true }),
    z.minLength(limits.name.min, messageKey('name_min')),
    z.maxLength(limits.name.max, messageKey('name_max')),
  );

const email = singleLineText(10_000).check(
  z.minLength(1, { message: messageKey('email_required'), abort: true }),
  z.maxLength(limits.username.max, messageKey('field_too_long')),
  z.regex(emailPattern, messageKey('email_invalid')),
);

/** The rules of the sign-up checklist (AUTH-03), with their message keys. */
export const passwordRules = [
  {
    message: messageKey('password_length'),
    isMet: (password: string) => password.length >= limits.password.min,
  },
  { message: messageKey('password_uppercase'), isMet: (password: string) => /\p{Lu}/u.test(password) },
  { message: messageKey('password_lowercase'), isMet: (password: string) => /\p{Ll}/u.test(password) },
  { message: messageKey('password_numbers'), isMet: (password: string) => /\d/.test(password) },
] as const;

// One form of accented letters, which devices may enter in two: SRP proves the password's bytes (RFC 8265, 4.2).
const requiredPassword = z
  .string()
  .check(
    z.normalize('NFC'),
    z.minLength(1, { message: messageKey('password_required'), abort: true }),
    z.maxLength(limits.password.max, messageKey('field_too_long')),
  );

// Cognito refuses the last; it is not one of the checklist.
const newPasswordRules = [
  ...passwordRules,
  { message: messageKey('password_spaces'), isMet: (password: string) => password === password.trim() },
];

const newPassword = requiredPassword.check(({ value: input, issues }) => {
  const broken = newPasswordRules.find((rule) => !rule.isMet(input));
  if (broken) issues.push({ code: 'custom', message: broken.message, input });
});

const code = (required: Parameters<typeof messageKey>[0]) =>
  singleLineText(limits.code.max).check(z.trim(), z.minLength(1, messageKey(required)));

/** The forms of section 5; messages are message keys (AUTH-02). */
export const signUpForm = z.object({
  firstName: name('first_name_required'),
  lastName: name('last_name_required'),
  email,
  password: newPassword,
});
export const signInForm = z.object({ email, password: requiredPassword });
export const confirmAccountForm = z.object({ email, code: code('code_required') });
export const forgotPasswordForm = z.object({ email });
export const resetPasswordForm = z.object({
  email,
  password: newPassword,
  code: code('reset_code_required'),
});
export const changePasswordForm = z.object({ current: requiredPassword, password: newPassword });
/** The password by which users confirm who they are. */
export const passwordForm = z.object({ password: requiredPassword });
export const codeForm = z.object({ code: code('code_required') });
/** The name of a passkey, which the identity provider chooses if it is empty; Cognito's have at most 131 characters. */
export const passkeyForm = z.object({
  name: singleLineText(10_000).check(
    z.trim(),
    z.maxLength(limits.passkeyName.max, messageKey('field_too_long')),
  ),
});
export const profileForm = z.object({
  firstName: signUpForm.shape.firstName,
  lastName: signUpForm.shape.lastName,
});

export type SignUpForm = z.infer<typeof signUpForm>;
export type SignInForm = z.infer<typeof signInForm>;
export type ConfirmAccountForm = z.infer<typeof confirmAccountForm>;
export type ResetPasswordForm = z.infer<typeof resetPasswordForm>;
export type ChangePasswordForm = z.infer<typeof changePasswordForm>;
