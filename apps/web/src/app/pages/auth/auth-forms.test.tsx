import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillField, findButton, renderApp } from '#testing/app.tsx';
import { mockIdentity, type Operation, rejectWith } from '#testing/identity.ts';

const email = () => screen.findByLabelText('Email');

it('[AUTH-01] sign-in has e-mail, password, two providers, four operators and links', async () => {
  await renderApp('/auth/sign-in');
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
  expect(await email()).toHaveAttribute('autocomplete', 'username');
  expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
  for (const name of ['Continue with Facebook', 'Continue with Google'])
    expect(screen.getByRole('button', { name })).toBeInTheDocument();
  for (const name of ['Bitel', 'Entel', 'CNT', 'Antel'])
    expect(screen.getByRole('button', { name: `Sign in with ${name}` })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    '/auth/forgot-password',
  );
  expect(screen.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/auth/sign-up');
});

it('[ROUTE-04] the auth pages have the logo and a language switch', async () => {
  const { user } = await renderApp('/auth/sign-up');
  expect(await screen.findByRole('link', { name: 'Escucho, home' })).toBeInTheDocument();
  await user.click(await findButton('Language'));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Español' }));
  expect(await screen.findByRole('heading', { name: 'Crea tu cuenta' })).toBeInTheDocument();
});

const cases: readonly [page: string, fields: Record<string, string>, button: string, texts: string[]][] = [
  ['sign-in', {}, 'Sign in', ['Email field is required', 'Password field is required']],
  [
    'sign-in',
    { Email: 'ana' },
    'Sign in',
    ['Please enter a valid email address.', 'Password field is required'],
  ],
  [
    'sign-up',
    {},
    'Create account',
    [
      'FirstName field is required',
      'Lastname field is required',
      'Email field is required',
      'Password field is required',
    ],
  ],
  [
    'sign-up',
    { 'First name': 'A', 'Last name': 'T' },
    'Create account',
    [
      'The minimum length for the name field is 2',
      'The minimum length for the name field is 2',
      'Email field is required',
      'Password field is required',
    ],
  ],
  [
    'sign-up',
    { 'First name': 'A'.repeat(61), 'Last name': 'T'.repeat(61), Email: 'a@b', Password: 'short' },
    'Create account',
    [
      'The maximum length for the name field is 60',
      'The maximum length for the name field is 60',
      'Please enter a valid email address.',
      'Minimum number of characters is 8.',
    ],
  ],
  [
    'sign-up',
    { 'First name': 'Ana', 'Last name': 'Torres', Email: 'ana@example.org', Password: 'alllower1' },
    'Create account',
    ['Should contain uppercase.'],
  ],
  [
    'sign-up',
    { 'First name': 'Ana', 'Last name': 'Torres', Email: 'ana@example.org', Password: 'ALLUPPER1' },
    'Create account',
    ['Should contain lowercase.'],
  ],
  [
    'sign-up',
    { 'First name': 'Ana', 'Last name': 'Torres', Email: 'ana@example.org', Password: 'NoNumbers' },
    'Create account',
    ['Should contain numbers.'],
  ],
  ['confirm-account', {}, 'Confirm', ['Email field is required', 'Confirmation code is required.']],
  [
    'confirm-account',
    { Email: 'ana@', 'Confirmation code': '   ' },
    'Confirm',
    ['Please enter a valid email address.', 'Confirmation code is required.'],
  ],
  ['forgot-password', {}, 'Send code', ['Email field is required']],
  ['forgot-password', { Email: 'ana.example.org' }, 'Send code', ['Please enter a valid email address.']],
  [
    'reset-password',
    {},
    'Save password',
    ['Email field is required', 'Confirmation code is required', 'Password field is required'],
  ],
];

it.each(cases)('[AUTH-02] %s with %j shows its field errors', async (page, fields, button, texts) => {
  const { user } = await renderApp(`/auth/${page}`);
  await findButton(button);
  for (const [label, text] of Object.entries(fields)) await fillField(screen.getByLabelText(label), text);
  await user.click(await findButton(button));
  const messages = screen
    .getAllByRole('alert')
    .map((alert) => alert.textContent)
    .filter(Boolean);
  expect(messages).toEqual(texts);
  for (const field of screen
    .getAllByRole('textbox')
    .filter((input) => input.getAttribute('aria-invalid') === 'true'))
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).not.toBe('');
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
});

it('[AUTH-02] a field shows its error on blur, and hides it once it is valid', async () => {
  const { user } = await renderApp('/auth/sign-in');
  await fillField(await email(), 'ana@example');
  expect(screen.queryByText('Please enter a valid email address.')).not.toBeInTheDocument();
  await user.tab();
  expect(screen.getByText('Please enter a valid email address.')).toBeInTheDocument();
  await fillField(await email(), '.org');
  expect(screen.queryByText('Please enter a valid email address.')).not.toBeInTheDocument();
});

it('[AUTH-03] the password checklist updates while typing', async () => {
  const { user } = await renderApp('/auth/sign-up');
  const list = await screen.findByRole('list', { name: 'Your password' });
  const met = () =>
    within(list)
      .getAllByRole('listitem')
      .filter((line) => line.textContent?.startsWith('Met:'))
      .map((line) => line.textContent);
  expect(within(list).getAllByRole('listitem')).toHaveLength(4);
  expect(met()).toEqual([]);
  await user.type(screen.getByLabelText('Password'), 'abc');
  expect(met()).toEqual(['Met:Should contain lowercase.']);
  await user.type(screen.getByLabelText('Password'), 'D1');
  expect(met()).toEqual([
    'Met:Should contain uppercase.',
    'Met:Should contain lowercase.',
    'Met:Should contain numbers.',
  ]);
  await user.type(screen.getByLabelText('Password'), 'efg');
  expect(met()).toHaveLength(4);
});

it('[AUTH-01] the password is hidden until the user shows it', async () => {
  const { user } = await renderApp('/auth/sign-in');
  const password = await screen.findByLabelText('Password');
  await user.type(password, 'Escucho2026');
  expect(password).toHaveAttribute('type', 'password');
  await user.click(await findButton('Show password'));
  expect(password).toHaveAttribute('type', 'text');
  await user.click(await findButton('Hide password'));
  expect(password).toHaveAttribute('type', 'password');
  expect(password).toHaveValue('Escucho2026');
});

interface Rejection {
  page: string;
  fields: Record<string, string>;
  button: string;
  operation: Operation;
  error: [name: string, message: string];
  field: string;
  text: string;
  /** The toast; the provider's message by default. */
  toast?: string;
}

const rejections: readonly Rejection[] = [
  {
    page: 'sign-in',
    fields: { Email: 'ana@example.org', Password: 'Wrong2026' },
    button: 'Sign in',
    operation: 'InitiateAuth',
    error: ['NotAuthorizedException', 'Incorrect username or password.'],
    field: 'Password',
    text: 'Check your email and password, or choose “Forgot your password?”.',
  },
  {
    page: 'sign-up',
    fields: {
      'First name': 'Ana',
      'Last name': 'Torres',
      Email: 'ana@example.org',
      Password: 'Escucho2026',
    },
    button: 'Create account',
    operation: 'SignUp',
    error: ['UsernameExistsException', 'An account with the given email already exists.'],
    field: 'Email',
    text: 'Sign in with this email, or use another one.',
  },
  {
    page: 'reset-password',
    fields: { Email: 'ana@example.org', 'Confirmation code': '123456', 'New password': 'Password1' },
    button: 'Save password',
    operation: 'ConfirmForgotPassword',
    error: ['InvalidPasswordException', 'Password did not conform with policy: Password is too common'],
    field: 'New password',
    text: 'Choose a password that others do not use.',
    toast: 'Many people use this password, so it is easy to guess.',
  },
  {
    page: 'confirm-account',
    fields: { Email: 'ana@example.org', 'Confirmation code': '000000' },
    button: 'Confirm',
    operation: 'ConfirmSignUp',
    error: ['CodeMismatchException', 'Invalid verification code provided, please try again.'],
    field: 'Confirmation code',
    text: 'Compare it with the newest email, or choose “Resend code”.',
  },
  {
    page: 'reset-password',
    fields: { Email: 'ana@example.org', 'Confirmation code': '000000', 'New password': 'Escucho2027' },
    button: 'Save password',
    operation: 'ConfirmForgotPassword',
    error: ['ExpiredCodeException', 'Invalid code provided, please request a code again.'],
    field: 'Confirmation code',
    text: 'Choose “Resend code”, and enter the new one here.',
  },
];

it.each(rejections)('[AUTH-11] $page marks and focuses $field after $error.0', async (example) => {
  mockIdentity({ [example.operation]: rejectWith(...example.error) });
  const { user } = await renderApp(`/auth/${example.page}`);
  const submit = await screen.findByRole('button', { name: example.button });
  for (const [label, text] of Object.entries(example.fields))
    await fillField(screen.getByLabelText(label), text);
  await user.click(submit);
  // The toast shows what happened, the field what to do.
  await screen.findByText(example.toast ?? example.error[1]);
  const field = screen.getByLabelText(example.field);
  expect(field).toHaveAccessibleDescription(example.text);
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(field).toHaveFocus();
  await fillField(field, 'x');
  expect(field).toHaveAttribute('aria-invalid', 'false');
});

it.each([
  ['that the sign-out before it failed', 'signOutFailed', 'An error occurred during sign out'],
  ['that the session has ended', 'sessionEnded', 'Your session has ended. Sign in to continue.'],
])('[AUTH-09] [AUTH-11] sign-in shows %s, once', async (_title, notice, text) => {
  localStorage.setItem('sign-out-notice', notice);
  await renderApp('/auth');
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(localStorage.getItem('sign-out-notice')).toBeNull();
});
