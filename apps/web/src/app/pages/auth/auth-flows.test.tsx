import { api, limits } from '@escucho/contracts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { clearTokens } from '#features/session/tokens.ts';
import { fillField, findButton, getCurrentUrl, mockPortal, renderApp } from '#testing/app.tsx';
import { mockIdentity, rejectWith, replyAfter } from '#testing/identity.ts';
import { mockEndpoint } from '#testing/server.ts';

const email = () => screen.findByLabelText('Email');

async function signUp() {
  const rendered = await renderApp('/auth/sign-up');
  const { user } = rendered;
  await fillField(await screen.findByLabelText('First name'), 'Ana');
  await fillField(screen.getByLabelText('Last name'), 'Torres');
  await fillField(screen.getByLabelText('Email'), 'ana@example.org');
  await fillField(screen.getByLabelText('Password'), 'Escucho2026');
  await user.click(await findButton('Create account'));
  return rendered;
}

it('[AUTH-04] sign-up asks for the code; the code signs in and opens Discover', async () => {
  const requests = mockIdentity();
  const signInRequests = mockPortal();
  const { user } = await signUp();
  expect(await screen.findByRole('heading', { name: 'Confirm your account' })).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/confirm-account?email=ana%40example.org');
  expect(requests.find(({ operation }) => operation === 'SignUp')?.body.UserAttributes).toEqual(
    expect.arrayContaining([
      { Name: 'given_name', Value: 'Ana' },
      { Name: 'family_name', Value: 'Torres' },
    ]),
  );
  await fillField(screen.getByLabelText('Confirmation code'), ' 123456 ');
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/Discover'));
  expect(await screen.findByRole('main')).toBeInTheDocument();
  expect(requests.find(({ operation }) => operation === 'ConfirmSignUp')?.body.ConfirmationCode).toBe(
    '123456',
  );
  expect(signInRequests[0]?.body).toEqual({ idToken: expect.stringContaining('e30.') });
});

it('a sign-up without a response shows an error once the time is up, and can be sent again', async () => {
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const requests = mockIdentity({ SignUp: replyAfter(new Promise(() => undefined)) });
  await signUp();
  await waitFor(() => expect(requests.map(({ operation }) => operation)).toEqual(['SignUp']));
  timeout.abort(new DOMException('The time is up.', 'TimeoutError'));
  expect(await screen.findByText(/^The network did not answer\./)).toBeInTheDocument();
  expect(await findButton('Create account')).toBeEnabled();
  expect(requests).toHaveLength(1);
});

it('[AUTH-04] confirming without a known password leads to sign-in with e-mail and notice', async () => {
  mockIdentity();
  const { user } = await renderApp('/auth/confirm-account?email=bea%40example.org');
  await fillField(await screen.findByLabelText('Confirmation code'), '123456');
  await user.click(await findButton('Confirm'));
  expect(
    await screen.findByText('Your account is confirmed. Sign in and start listening.'),
  ).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/sign-in?email=bea%40example.org');
  expect(await email()).toHaveValue('bea@example.org');
});

it('[AUTH-04] a browser that signed up for two accounts sends its key with both confirmations', async () => {
  const requests = mockIdentity();
  for (const name of ['bea', 'carla']) {
    const { user } = await renderApp(`/auth/confirm-account?email=${name}%40example.org`);
    await fillField(await screen.findByLabelText('Confirmation code'), '123456');
    await user.click(await findButton('Confirm'));
    expect(await screen.findByText(/Your account is confirmed/)).toBeInTheDocument();
    cleanup();
  }
  const [first, second] = requests
    .filter(({ operation }) => operation === 'ConfirmSignUp')
    .map(({ body }) => body.ClientMetadata);
  expect(first).toEqual({ signUpKey: expect.any(String) });
  expect(second).toEqual(first);
});

it('[AUTH-04] confirming more than three minutes after sign-up still signs in', async () => {
  const requests = mockIdentity();
  mockPortal();
  const timeouts: (() => void)[] = [];
  const originalSetTimeout = setTimeout;
  vi.stubGlobal('setTimeout', (callback: () => void, wait?: number) => {
    if (wait !== limits.autoSignIn.window) return originalSetTimeout(callback, wait);
    return timeouts.push(callback);
  });
  const { user } = await signUp();
  await fillField(await screen.findByLabelText('Confirmation code'), '123456');
  expect(timeouts).toHaveLength(1);
  timeouts[0]?.();
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/Discover'));
  expect(requests.map(({ operation }) => operation)).toEqual([
    'SignUp',
    'ConfirmSignUp',
    'InitiateAuth',
    'RespondToAuthChallenge',
  ]);
});

it('[AUTH-04] [AUTH-06] confirming after a sign-in to an unconfirmed account signs in', async () => {
  mockIdentity({ InitiateAuth: rejectWith('UserNotConfirmedException', 'User is not confirmed.') });
  mockPortal();
  const { user } = await signIn();
  await fillField(await screen.findByLabelText('Confirmation code'), '123456');
  mockIdentity();
  await user.click(await findButton('Confirm'));
  await waitFor(() => expect(getCurrentUrl()).toBe('/Discover'));
});

it('[AUTH-05] confirm-account fills in the e-mail and resends at most every 30 seconds', async () => {
  const requests = mockIdentity();
  const { user } = await renderApp('/auth/confirm-account?email=ana%40example.org');
  expect(await email()).toHaveValue('ana@example.org');
  const code = screen.getByLabelText('Confirmation code');
  expect([code.getAttribute('autocomplete'), code.getAttribute('inputmode')]).toEqual([
    'one-time-code',
    'numeric',
  ]);
  await user.click(await findButton('Resend code'));
  expect(await screen.findByText('A new code is on its way.')).toBeInTheDocument();
  expect(requests.map(({ operation }) => operation)).toEqual(['ResendConfirmationCode']);
  // Its accessible name is stable: a change would be announced each second.
  expect(await screen.findByText(/^\(\d+ s\)$/)).toBeVisible();
  const waiting = screen.getByRole('button', { name: 'Resend code' });
  // A disabled button would lose the focus.
  expect(waiting).toHaveFocus();
  expect(waiting).toBeEnabled();
  expect(waiting).toHaveAttribute('aria-disabled', 'true');
  await user.click(waiting);
  expect(waiting).not.toHaveAttribute('aria-busy');
  expect(requests).toHaveLength(1);
});

it('[AUTH-05] a code can be resent after 30 s of a suspended page', async () => {
  mockIdentity();
  const { user } = await renderApp('/auth/confirm-account?email=ana%40example.org');
  await user.click(await findButton('Resend code'));
  await screen.findByText(/^\(\d+ s\)$/);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 30_000);
  await waitFor(() => expect(screen.queryByText(/^\(\d+ s\)$/)).not.toBeInTheDocument(), { timeout: 5000 });
});

it('[AUTH-05] no code is sent to an invalid e-mail', async () => {
  const requests = mockIdentity();
  const { user } = await renderApp('/auth/confirm-account?email=ana');
  await user.click(await findButton('Resend code'));
  expect(await screen.findByText('Please enter a valid email address.')).toBeInTheDocument();
  expect(requests).toEqual([]);
});

it('[AUTH-05] the embedded default links to the outbox', async () => {
  await renderApp('/auth/confirm-account');
  const link = await screen.findByRole('link', { name: /Open the outbox/ });
  expect(link).toHaveAttribute('href', `${location.origin}/outbox`);
});

async function signIn(at = '/auth/sign-in') {
  const rendered = await renderApp(at);
  await fillField(await email(), 'ana@example.org');
  await fillField(screen.getByLabelText('Password'), 'Escucho2026');
  await rendered.user.click(await findButton('Sign in'));
  return rendered;
}

it('[AUTH-01] the links between the forms pass on the e-mail that was typed', async () => {
  const { user } = await renderApp('/auth/sign-in?returnTo=%2Flibrary');
  const follow = async (link: string, heading: string) => {
    await user.click(await screen.findByRole('link', { name: link }));
    await screen.findByRole('heading', { name: heading });
    return screen.getByLabelText('Email');
  };
  await fillField(await email(), 'ana');
  expect(await follow('Create an account', 'Create your account')).toHaveValue('ana');
  await fillField(await email(), '@example.org');
  expect(await follow('Sign in', 'Welcome back')).toHaveValue('ana@example.org');
  await fillField(await email(), '.pe');
  expect(await follow('Forgot your password?', 'Recover account')).toHaveValue('ana@example.org.pe');
  await user.clear(await email());
  await fillField(await email(), 'bea@example.org');
  expect(await follow('Back to sign in', 'Welcome back')).toHaveValue('bea@example.org');
  expect(getCurrentUrl()).toBe('/auth/sign-in?email=bea%40example.org&returnTo=%2Flibrary');
});

it('[AUTH-13] [ROUTE-03] signing in by SRP redirects to returnTo', async () => {
  const requests = mockIdentity();
  mockPortal();
  await signIn('/auth/sign-in?returnTo=%2Fsettings%2Fprofile');
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/settings/profile');
  expect(requests[0]?.body.AuthFlow).toBe('USER_SRP_AUTH');
  expect(screen.queryByText(/You stay signed in/)).not.toBeInTheDocument();
  expect(JSON.stringify(requests)).not.toContain('Escucho2026');
});

it.each([
  [
    'blocked',
    () =>
      vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      }),
  ],
  [
    'full',
    () =>
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('The quota is exceeded.', 'QuotaExceededError');
      }),
  ],
])('[AUTH-13] signing in works where the browser’s storage is %s', async (_title, mockStorage) => {
  mockIdentity();
  mockPortal();
  const storage = mockStorage();
  try {
    const { reload } = await signIn();
    await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
    expect(await screen.findByRole('main')).toBeInTheDocument();
    expect(reload).not.toHaveBeenCalled();
    expect(
      await screen.findByText(/You stay signed in until you close or reload this page/),
    ).toBeInTheDocument();
  } finally {
    storage.mockRestore();
    clearTokens();
  }
});

it('[AUTH-06] signing in to an unconfirmed account asks for the code with the e-mail', async () => {
  mockIdentity({ InitiateAuth: rejectWith('UserNotConfirmedException', 'User is not confirmed.') });
  await signIn('/auth/sign-in?returnTo=%2Flibrary');
  expect(await screen.findByRole('heading', { name: 'Confirm your account' })).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/confirm-account?email=ana%40example.org&returnTo=%2Flibrary');
  expect(await email()).toHaveValue('ana@example.org');
});

it('[AUTH-11] [SHELL-10] a refused sign-in shows its reason at the bottom of the page', async () => {
  mockIdentity({ InitiateAuth: rejectWith('NotAuthorizedException', 'Incorrect username or password.') });
  await signIn();
  const toast = await screen.findByText('Incorrect username or password.');
  expect(toast.closest('ol')?.className).toContain('bottom-8');
  expect(await email()).toHaveValue('ana@example.org');
});

it('[AUTH-11] an error toast disappears on the next page', async () => {
  mockIdentity({ InitiateAuth: rejectWith('NotAuthorizedException', 'Incorrect username or password.') });
  const { user } = await signIn();
  await screen.findByText('Incorrect username or password.');
  await user.click(screen.getByRole('link', { name: 'Create an account' }));
  await screen.findByRole('heading', { name: 'Create your account' });
  expect(screen.queryByText('Incorrect username or password.')).not.toBeInTheDocument();
});

it('[AUTH-11] an unavailable portal shows an error and removes the provider’s tokens', async () => {
  mockIdentity();
  mockEndpoint(api.auth.signInCognito, 'unavailable');
  await signIn();
  expect(
    await screen.findByText('The service is not available right now. Please try again soon.'),
  ).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/sign-in');
  expect(Object.keys(localStorage).filter((key) => key.includes('accessToken'))).toEqual([]);
});

it('[AUTH-11] a portal that fails after a confirmation leads to sign-in with the error', async () => {
  mockIdentity();
  mockEndpoint(api.auth.signInCognito, 'unavailable');
  const { user } = await signUp();
  await fillField(await screen.findByLabelText('Confirmation code'), '123456');
  await user.click(await findButton('Confirm'));
  expect(await screen.findByText(/^Your account is confirmed/)).toBeInTheDocument();
  expect(await screen.findByText(/^The service is not available right now/)).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/sign-in?email=ana%40example.org');
  expect(await email()).toHaveValue('ana@example.org');
});

it('[AUTH-07] a forgotten password is reset by code, then sign-in opens', async () => {
  const requests = mockIdentity();
  const { user } = await renderApp('/auth/forgot-password');
  expect(await screen.findByRole('heading', { name: 'Recover account' })).toBeInTheDocument();
  await fillField(await email(), 'ana@example.org');
  await user.click(await findButton('Send code'));
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/reset-password?email=ana%40example.org');
  expect(await email()).toHaveValue('ana@example.org');
  await fillField(screen.getByLabelText('Confirmation code'), '654321');
  await fillField(screen.getByLabelText('New password'), 'Escucho2027');
  await user.click(await findButton('Save password'));
  expect(await screen.findByText('Your new password is saved. Sign in with it.')).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/auth/sign-in?email=ana%40example.org');
  expect(requests.at(-1)).toMatchObject({
    operation: 'ConfirmForgotPassword',
    body: { Username: 'ana@example.org', ConfirmationCode: '654321', Password: 'Escucho2027' },
  });
});

it('[AUTH-07] a wrong code has a message of its own', async () => {
  mockIdentity({
    ConfirmForgotPassword: rejectWith(
      'CodeMismatchException',
      'Invalid verification code provided, please try again.',
    ),
  });
  const { user } = await renderApp('/auth/reset-password?email=ana%40example.org');
  await fillField(await screen.findByLabelText('Confirmation code'), '1');
  await fillField(screen.getByLabelText('New password'), 'Escucho2027');
  await user.click(await findButton('Save password'));
  expect(
    await screen.findByText('Invalid verification code provided, please try again.'),
  ).toBeInTheDocument();
});

it('[AUTH-12] a rate-limited request is sent three times, then shows an error', async () => {
  const requests = mockIdentity({
    ForgotPassword: rejectWith(
      'LimitExceededException',
      'Attempt limit exceeded, please try after some time.',
    ),
  });
  const { user } = await renderApp('/auth/forgot-password');
  await fillField(await email(), 'ana@example.org');
  await user.click(await findButton('Send code'));
  expect(await screen.findByText('Attempt limit exceeded, please try after some time.')).toBeInTheDocument();
  expect(requests).toHaveLength(3);
});
