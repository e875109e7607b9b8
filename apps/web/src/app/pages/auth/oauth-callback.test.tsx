import { api, identityApi } from '@escucho/contracts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fillField, getCurrentUrl, mockPortal, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { createToken, mockIdentity, storeSession } from '#testing/identity.ts';
import { mockEndpoint } from '#testing/server.ts';

const prefix = 'CognitoIdentityServiceProvider.client1';
const readStored = (name: string) => localStorage.getItem(`${prefix}.${name}`);
const logError = vi.fn<(...args: unknown[]) => void>();
beforeEach(() => {
  logError.mockReset();
  vi.spyOn(console, 'error').mockImplementation(logError);
});

/** Stores the state of a sign-in that has redirected to a provider. */
function storePendingSignIn({ state = 'S'.repeat(32), returnTo = '' } = {}) {
  localStorage.setItem(`${prefix}.oauthState`, state);
  localStorage.setItem(`${prefix}.oauthPKCE`, 'V'.repeat(128));
  if (returnTo) localStorage.setItem('sign-in-return-to', returnTo);
}

const redeem = (reply: Parameters<typeof mockEndpoint<typeof identityApi.redeemCode>>[1]) =>
  mockEndpoint(identityApi.redeemCode, reply);
const tokens = () => ({ access_token: createToken(), id_token: createToken(), refresh_token: 'refresh-2' });
const callbackUrl = `/auth/sign-in?code=code-1&state=${'S'.repeat(32)}`;

it('[AUTH-08] a callback redeems the code with its verifier and stores the tokens', async () => {
  storePendingSignIn();
  const redeemed = redeem(tokens());
  const signInRequests = mockPortal();
  await renderApp(callbackUrl);
  await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  expect(redeemed.map(({ body }) => body)).toEqual([
    {
      grant_type: 'authorization_code',
      client_id: 'client1',
      redirect_uri: `${location.origin}/auth/sign-in`,
      code: 'code-1',
      code_verifier: 'V'.repeat(128),
    },
  ]);
  expect(signInRequests[0]?.body).toEqual({ idToken: readStored('user-1.idToken') });
  expect([readStored('LastAuthUser'), readStored('user-1.refreshToken'), readStored('oauthSignIn')]).toEqual([
    'user-1',
    'refresh-2',
    'true,false',
  ]);
  expect([readStored('oauthState'), readStored('oauthPKCE')]).toEqual([null, null]);
});

it('[AUTH-08] a callback ends the session that it replaces', async () => {
  storeSession();
  storePendingSignIn({ returnTo: '/library' });
  const identityRequests = mockIdentity();
  redeem(tokens());
  mockSignedInUser();
  await renderApp(callbackUrl);
  await waitFor(() => expect(readStored('user-1.refreshToken')).toBe('refresh-2'));
  await waitFor(() =>
    expect(identityRequests.at(-1)).toMatchObject({
      operation: 'RevokeToken',
      body: { Token: 'refresh-1' },
    }),
  );
});

it('[AUTH-08] [ROUTE-03] a callback redirects to the stored returnTo', async () => {
  storePendingSignIn({ returnTo: '/settings/profile' });
  redeem(tokens());
  mockPortal();
  await renderApp(callbackUrl);
  await waitFor(() => expect(getCurrentUrl()).toBe('/settings/profile'));
  expect(localStorage.getItem('sign-in-return-to')).toBeNull();
});

it.each([
  ['a callback with another state', { state: 'T'.repeat(32) }],
  ['a callback without a stored state', undefined],
])('[AUTH-08] [AUTH-11] %s is refused without redeeming the code', async (_title, state) => {
  if (state) storePendingSignIn(state);
  const redeemed = redeem(tokens());
  await renderApp(callbackUrl);
  expect(await screen.findByText('An error occurred while validating the state.')).toBeInTheDocument();
  expect(redeemed).toEqual([]);
  expect(getCurrentUrl()).toBe('/auth/sign-in');
  expect(screen.getByLabelText('Email')).toBeInTheDocument();
  expect(logError).toHaveBeenCalledWith('Sign-in by redirect failed', expect.any(Error));
});

it.each([
  ['access_denied', 'The sign-in was canceled. You can try again, or use your email.'],
  ['server_error', 'That sign-in did not work. Please try again, or use your email.'],
  ['<b>hello</b>', 'That sign-in did not work. Please try again, or use your email.'],
])('[AUTH-08] %s shows our message and is logged, without its description', async (error, message) => {
  storePendingSignIn({ returnTo: '/library' });
  const query = new URLSearchParams({ error, error_description: 'Call 555-1234', state: 'S'.repeat(32) });
  await renderApp(`/auth/sign-in?${query}`);
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(document.body).not.toHaveTextContent('555-1234');
  expect(getCurrentUrl()).toBe('/auth/sign-in?returnTo=%2Flibrary');
  expect(logError).toHaveBeenCalledWith('Sign-in by redirect failed', expect.any(Error));
  expect(readStored('oauthState')).toBeNull();
});

it('[AUTH-08] a code that the provider refuses stores no tokens', async () => {
  storePendingSignIn();
  redeem('invalid_request');
  await renderApp(callbackUrl);
  expect(await screen.findByText('Something in the request is not right.')).toBeInTheDocument();
  expect(readStored('LastAuthUser')).toBeNull();
});

it('[AUTH-08] an unavailable portal shows an error and removes the tokens', async () => {
  storePendingSignIn();
  redeem(tokens());
  mockEndpoint(api.auth.signInCognito, 'unavailable');
  await renderApp(callbackUrl);
  expect(
    await screen.findByText('The service is not available right now. Please try again soon.'),
  ).toBeInTheDocument();
  expect(readStored('user-1.accessToken')).toBeNull();
});

it.each([
  [
    'that is cancelled',
    `error=access_denied&state=${'S'.repeat(32)}`,
    'The sign-in was canceled. You can try again, or use your email.',
  ],
  [
    'of another user',
    `code=code-1&state=${'S'.repeat(32)}`,
    'That was another account. You are still signed in as before.',
  ],
])(
  '[AUTH-08] confirming by a sign-in %s shows why it failed in the settings',
  async (_title, query, text) => {
    mockSignedInUser();
    mockIdentity();
    mockEndpoint(identityApi.listSessions, { docs: [] });
    storePendingSignIn({ returnTo: '/settings/profile' });
    redeem({ ...tokens(), access_token: createToken(3600, { username: 'user-2' }) });
    await renderApp(`/auth/sign-in?${query}`);
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(getCurrentUrl()).toBe('/settings/profile');
    expect(readStored('user-1.refreshToken')).toBe('refresh-1');
  },
);

it('[AUTH-08] an abandoned redirect does not delay another sign-in', async () => {
  storePendingSignIn();
  localStorage.setItem(`${prefix}.inflightOAuth`, 'true');
  mockIdentity();
  mockPortal();
  const { user } = await renderApp('/auth/sign-in');
  await fillField(await screen.findByLabelText('Email'), 'ana@example.org');
  await fillField(screen.getByLabelText('Password'), 'Escucho2026');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
  expect(readStored('inflightOAuth')).toBeNull();
});

it('[AUTH-09] a session that began at the hosted pages is ended there too', async () => {
  storePendingSignIn();
  redeem(tokens());
  mockIdentity();
  mockPortal();
  const { user, reload } = await renderApp(callbackUrl);
  await user.click(await screen.findByRole('button', { name: /Your account$/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(reload).toHaveBeenCalled());
  const query = new URLSearchParams({ client_id: 'client1', logout_uri: `${location.origin}/auth/sign-out` });
  expect(reload).toHaveBeenCalledWith(`${location.origin}/identity/logout?${query}`);
  expect(readStored('oauthSignIn')).toBeNull();
});

it('[AUTH-08] with a session of another tab the redirect is skipped', async () => {
  mockPortal();
  const { user } = await renderApp('/auth/sign-in');
  const google = await screen.findByRole('button', { name: 'Continue with Google' });
  await waitFor(() => expect(google).toHaveProperty('disabled', false));
  storeSession();
  await user.click(google);
  await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
});
