import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { playlistForm, playlistName } from './entities/catalogue.ts';
import {
  changePasswordForm,
  confirmAccountForm,
  forgotPasswordForm,
  passwordForm,
  passwordRules,
  resetPasswordForm,
  signInForm,
  signUpForm,
} from './forms.ts';
import { en, isMessageKey } from './messages/en.ts';
import { es } from './messages/es.ts';

const good = {
  firstName: 'Ana',
  lastName: 'Torres',
  email: 'ana@example.org',
  password: 'Escucho2026',
  code: '123456',
};

/** Returns the English message of the first invalid field, or undefined for a valid form. */
function findFormError(form: z.ZodMiniType, changes: object): string | undefined {
  const result = z.safeParse(form, { ...good, ...changes });
  const message = result.success ? undefined : result.error.issues[0]?.message;
  return message !== undefined && isMessageKey(message) ? en[message] : message;
}

describe('[AUTH-02] validation texts', () => {
  it.each([
    ['sign-up', signUpForm, { firstName: '' }, 'FirstName field is required'],
    ['sign-up', signUpForm, { firstName: 'A' }, 'The minimum length for the name field is 2'],
    ['sign-up', signUpForm, { firstName: ' A ' }, 'The minimum length for the name field is 2'],
    ['sign-up', signUpForm, { lastName: '   ' }, 'Lastname field is required'],
    ['sign-up', signUpForm, { firstName: 'A'.repeat(61) }, 'The maximum length for the name field is 60'],
    ['sign-up', signUpForm, { lastName: '' }, 'Lastname field is required'],
    ['sign-up', signUpForm, { lastName: 'B' }, 'The minimum length for the name field is 2'],
    ['sign-up', signUpForm, { lastName: 'B'.repeat(61) }, 'The maximum length for the name field is 60'],
    ['sign-up', signUpForm, { email: '' }, 'Email field is required'],
    ['sign-up', signUpForm, { email: 'ana@nowhere' }, 'Please enter a valid email address.'],
    ['sign-up', signUpForm, { email: `${'a'.repeat(117)}@example.org` }, 'This is too long.'],
    ['sign-up', signUpForm, { password: 'Short1' }, 'Minimum number of characters is 8.'],
    ['sign-up', signUpForm, { password: 'lowercase1' }, 'Should contain uppercase.'],
    ['sign-up', signUpForm, { password: 'UPPERCASE1' }, 'Should contain lowercase.'],
    ['sign-up', signUpForm, { password: 'NoNumbers' }, 'Should contain numbers.'],
    ['sign-up', signUpForm, { password: ' Escucho2026' }, 'No spaces at the ends.'],
    ['sign-up', signUpForm, { password: `Aa1${'x'.repeat(254)}` }, 'This is too long.'],
    ['reset', resetPasswordForm, { password: 'Escucho2026 ' }, 'No spaces at the ends.'],
    ['sign-in', signInForm, { email: '' }, 'Email field is required'],
    ['sign-in', signInForm, { email: 'ana' }, 'Please enter a valid email address.'],
    ['sign-in', signInForm, { password: '' }, 'Password field is required'],
    ['confirm', confirmAccountForm, { email: '' }, 'Email field is required'],
    ['confirm', confirmAccountForm, { code: ' ' }, 'Confirmation code is required.'],
    ['forgot', forgotPasswordForm, { email: 'a b@c.de' }, 'Please enter a valid email address.'],
    ['reset', resetPasswordForm, { password: '' }, 'Password field is required'],
    ['reset', resetPasswordForm, { code: '' }, 'Confirmation code is required'],
  ])('%s with %o', (_, form, changed, text) => {
    expect(findFormError(form, changed)).toBe(text);
  });

  it.each([
    ['sign-up', signUpForm, {}],
    ['sign-up', signUpForm, { firstName: 'Íñ', lastName: "O'Neill-Peña", email: 'a.b+c@sub.example.org' }],
    ['sign-up', signUpForm, { firstName: ` ${'A'.repeat(60)} ` }],
    ['sign-up', signUpForm, { email: `${'a'.repeat(116)}@example.org` }],
    ['sign-up', signUpForm, { password: 'Escucho 2026' }],
    ['sign-up', signUpForm, { password: `Aa1${'x'.repeat(253)}` }],
    ['sign-in', signInForm, { password: 'x ' }],
    ['confirm', confirmAccountForm, { code: ' 123456 ' }],
    ['reset', resetPasswordForm, {}],
  ])('%s takes %o', (_, form, changed) => {
    expect(findFormError(form, changed)).toBeUndefined();
  });

  it.each([['firstName'], ['email'], ['code']])('control characters in %s are refused', (field) => {
    const form = field === 'code' ? confirmAccountForm : signUpForm;
    expect(findFormError(form, { [field]: 'An\u0000a@example.org' })).toBe(
      'Control characters are not allowed.',
    );
  });
});

it.each([
  ['sign-up', 'password', signUpForm],
  ['sign-in', 'password', signInForm],
  ['reset', 'password', resetPasswordForm],
  ['change', 'current', changePasswordForm],
  ['change', 'password', changePasswordForm],
  ['confirmation', 'password', passwordForm],
])('[AUTH-13] %s takes the accented letters of every device for the same %s', (_, field, form) => {
  const changed = { ...good, current: 'x', [field]: 'Contrasen\u0303a1' };
  expect(z.parse<z.ZodMiniType>(form, changed)).toHaveProperty(field, 'Contraseña1');
});

describe('[AUTH-03] the password checklist', () => {
  it.each([
    ['', []],
    ['a', ['password_lowercase']],
    ['A1', ['password_uppercase', 'password_numbers']],
    ['Escucho2026', ['password_length', 'password_uppercase', 'password_lowercase', 'password_numbers']],
    ['ñandúÑ', ['password_uppercase', 'password_lowercase']],
  ])('%s fulfils %o', (password, fulfilled) => {
    expect(passwordRules.filter((rule) => rule.isMet(password)).map((rule) => rule.message)).toEqual(
      fulfilled,
    );
  });
});

describe('[LIST-02] the name of a playlist', () => {
  it.each([
    ['', 'This field is required'],
    ['   ', 'This field is required'],
    ['Walks', 'Must be greater than 5 characters'],
    ['  Walks  ', 'Must be greater than 5 characters'],
    ['Morning_walk', 'Only letters and numbers are allowed'],
    ['a!', 'Only letters and numbers are allowed'],
    ['<b>walks</b>', 'Only letters and numbers are allowed'],
    ['Walks ½', 'Only letters and numbers are allowed'],
    ['Walks\u0000 here', 'Only letters and numbers are allowed'],
    ['Walks \u202Ehere', 'Only letters and numbers are allowed'],
    ['default', 'This name is reserved. Please choose another.'],
    [' DeFault ', 'This name is reserved. Please choose another.'],
    ['a'.repeat(81), 'This is too long.'],
  ])('%j: %s', (name, text) => {
    expect(findFormError(playlistForm, { name })).toBe(text);
  });

  it.each([
    ['Morning walk 2', 'Morning walk 2'],
    ['  Morning \t  walk\n', 'Morning walk'],
    ['Canción español', 'Canción español'],
    ['Cancio\u0301n uno', 'Canción uno'],
    ['朝の散歩リスト', '朝の散歩リスト'],
    ['सुबह की सैर', 'सुबह की सैर'],
    ['123456', '123456'],
    ['a'.repeat(80), 'a'.repeat(80)],
  ])('%j is stored as %j', (name, stored) => {
    expect(playlistName.parse(name)).toBe(stored);
  });

  it('has its words in Spanish', () => {
    expect([es.field_required, es.playlist_name_characters, es.playlist_name_min]).toEqual([
      'Este campo es obligatorio',
      'Solo se permiten letras y números',
      'Debe tener más de 5 caracteres',
    ]);
  });
});
