import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillField, renderApp } from '#testing/app.tsx';

const email = () => screen.findByLabelText('Email');
const press = (name: string) => screen.findByRole('button', { name });

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
  await user.click(await press('Language'));
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
  await press(button);
  for (const [label, text] of Object.entries(fields)) await fillField(screen.getByLabelText(label), text);
  await user.click(await press(button));
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
  await user.click(await press('Show password'));
  expect(password).toHaveAttribute('type', 'text');
  await user.click(await press('Hide password'));
  expect(password).toHaveAttribute('type', 'password');
  expect(password).toHaveValue('Escucho2026');
});
