import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillField, renderApp } from '#testing/app.tsx';
import { mockIdentity, type Operation, rejectWith } from '#testing/identity.ts';

interface Case {
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

const cases: readonly Case[] = [
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

it.each(cases)('[AUTH-11] $page marks and focuses $field after $error.0', async (example) => {
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

it('[AUTH-11] sign-in shows that the sign-out before it failed, once', async () => {
  localStorage.setItem('sign-out-failed', 'true');
  await renderApp('/auth');
  expect(await screen.findByText('An error occurred during sign out')).toBeInTheDocument();
  expect(localStorage.getItem('sign-out-failed')).toBeNull();
});
