import { api, identityApi } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ReauthenticationCancelledError } from '#features/session/model/error-text.ts';
import {
  abandonActions,
  useReauthenticationRequest,
  withReauthentication,
} from '#features/session/reauthentication.ts';
import { ApiError } from '#shared/api/client.ts';
import { ana, fillField, findButton, mockDownloads, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import {
  challengeWith,
  createToken,
  inOrder,
  issueTokens,
  mockIdentity,
  rejectWith,
  replyAfter,
  replyWith,
  storeSession,
} from '#testing/identity.ts';
import { mockLocks } from '#testing/locks.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const findDialog = async () => within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
const readStored = (name: string) =>
  localStorage.getItem(`CognitoIdentityServiceProvider.client1.user-1.${name}`);
const readOAuthState = () => localStorage.getItem('CognitoIdentityServiceProvider.client1.oauthState');
const dataExport = {
  exportedAt: '2026-11-20T10:00:00.000Z',
  user: ana,
  records: {},
  articleTitles: {},
  payments: [],
  signIn: null,
};

beforeEach(() => {
  mockSignedInUser();
  mockEndpoint(identityApi.listSessions, { docs: [] });
  mockDownloads();
});

/** Starts the data export, which the API refuses once because the sign-in is too old. */
async function startExport() {
  let attempts = 0;
  const reply = () => {
    attempts += 1;
    return attempts === 1 ? 'reauthentication_required' : dataExport;
  };
  const requests = mockEndpoint(api.account.exportAccount, reply);
  const rendered = await renderApp('/settings/profile');
  await rendered.user.click(await findButton('Download my data'));
  return { ...rendered, requests };
}

/** Starts the data export up to the dialog. */
const requestExport = async () => ({ ...(await startExport()), dialog: await findDialog() });

/** Enters the password in the dialog, and confirms it. */
async function enterPassword(dialog: Awaited<ReturnType<typeof findDialog>>): Promise<void> {
  await fillField(dialog.getByLabelText('Password'), 'Escucho2026');
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }));
}

// First: the code is loaded once.
it('a sign-in whose code did not load can be tried again in the same dialog', async () => {
  mockIdentity();
  const { user, requests, dialog } = await requestExport();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  server.use(http.head('*/config.json', () => HttpResponse.error()));
  await enterPassword(dialog);
  expect(await dialog.findByText('An error occurred during sign in')).toBeInTheDocument();
  onLine.mockRestore();
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(requests).toHaveLength(2));
});

it('the password confirms who one is, replaces the session in place, and repeats the action', async () => {
  const identityRequests = mockIdentity({
    RespondToAuthChallenge: replyWith({
      AuthenticationResult: {
        ...issueTokens().AuthenticationResult,
        AccessToken: createToken(7200),
        RefreshToken: 'refresh-2',
      },
    }),
  });
  const { requests, dialog, reload } = await requestExport();
  expect(dialog.getByLabelText('Password')).toHaveFocus();
  await enterPassword(dialog);
  await waitFor(() => expect(requests).toHaveLength(2));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(requests[1]?.headers.get('authorization')).toBe(`Bearer ${readStored('accessToken')}`);
  expect(readStored('refreshToken')).toBe('refresh-2');
  expect(identityRequests.at(-1)).toMatchObject({ operation: 'RevokeToken', body: { Token: 'refresh-1' } });
  expect(JSON.stringify(identityRequests)).not.toContain('Escucho2026');
  expect(reload).not.toHaveBeenCalled();
});

it('the devices are loaded again after the new sign-in', async () => {
  mockIdentity();
  const listings = mockEndpoint(identityApi.listSessions, { docs: [] });
  const { dialog } = await requestExport();
  await waitFor(() => expect(listings).toHaveLength(1));
  await enterPassword(dialog);
  await waitFor(() => expect(listings).toHaveLength(2));
});

it('tokens that another tab refreshes at the same time do not replace those of the new sign-in', async () => {
  const { lockInOtherTab, countWaiting } = mockLocks();
  const identityRequests = mockIdentity({
    RespondToAuthChallenge: replyWith({
      AuthenticationResult: { ...issueTokens().AuthenticationResult, RefreshToken: 'refresh-2' },
    }),
  });
  const { requests, dialog } = await requestExport();
  const finishRefresh = lockInOtherTab('session-refresh');
  await enterPassword(dialog);
  await waitFor(() => expect(countWaiting('session-refresh')).toBe(1));
  expect(readStored('refreshToken')).toBe('refresh-1');
  localStorage.setItem('CognitoIdentityServiceProvider.client1.user-1.refreshToken', 'refresh-1b');
  finishRefresh();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(readStored('refreshToken')).toBe('refresh-2');
  expect(identityRequests.at(-1)).toMatchObject({ operation: 'RevokeToken', body: { Token: 'refresh-1b' } });
});

it('a wrong password marks its field and keeps the session', async () => {
  mockIdentity({
    RespondToAuthChallenge: rejectWith('NotAuthorizedException', 'Incorrect username or password.'),
  });
  const { user, requests, dialog } = await requestExport();
  const password = dialog.getByLabelText('Password');
  await fillField(password, 'Wrong2026');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await waitFor(() =>
    expect(password).toHaveAccessibleDescription(
      'This is not the password of your account. Please enter it again.',
    ),
  );
  expect(requests).toHaveLength(1);
  expect(readStored('refreshToken')).toBe('refresh-1');
});

it('cancelling keeps everything as it was, without an error', async () => {
  mockIdentity();
  const { user, requests, dialog } = await requestExport();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(requests).toHaveLength(1);
  for (const alert of screen.queryAllByRole('alert')) expect(alert).toBeEmptyDOMElement();
  expect(readStored('refreshToken')).toBe('refresh-1');
  expect(await findButton('Download my data')).not.toHaveAttribute('aria-busy');
});

describe('leaving the settings abandons the action', () => {
  const open = (url: string) => {
    history.pushState(null, '', url);
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
  };

  it('that the dialog was opened for', async () => {
    mockIdentity();
    const { requests } = await requestExport();
    open('/library');
    await screen.findByRole('heading', { name: 'Your library' });
    open('/settings/profile');
    expect(await findButton('Download my data')).not.toHaveAttribute('aria-busy');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(requests).toHaveLength(1);
  });

  it('whose refusal arrives later', async () => {
    let refuse: (error: unknown) => void = () => undefined;
    const action = vi.fn(() => new Promise<never>((_, reject) => (refuse = reject)));
    const result = withReauthentication(action);
    abandonActions();
    refuse(new ApiError('reauthentication_required', 403));
    await expect(result).rejects.toThrow(ReauthenticationCancelledError);
    expect(action).toHaveBeenCalledOnce();
    expect(useReauthenticationRequest.getState().request).toBeNull();
  });
});

it('a code by e-mail and the code of the app confirm who one is', async () => {
  const identityRequests = mockIdentity({
    InitiateAuth: challengeWith('EMAIL_OTP', { CODE_DELIVERY_DESTINATION: 'a***@e***' }),
    RespondToAuthChallenge: inOrder(challengeWith('SOFTWARE_TOKEN_MFA'), issueTokens),
  });
  const { user, requests, dialog } = await requestExport();
  await user.click(dialog.getByRole('button', { name: 'Email me a code' }));
  await fillField(await dialog.findByLabelText('Confirmation code'), '123456');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await fillField(await dialog.findByLabelText('Code from your app'), '654321');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(identityRequests.find(({ operation }) => operation === 'InitiateAuth')?.body).toMatchObject({
    AuthFlow: 'USER_AUTH',
    AuthParameters: { USERNAME: 'ana@example.org', PREFERRED_CHALLENGE: 'EMAIL_OTP' },
  });
});

it('no second proof starts while one is under way', async () => {
  const { promise: delay, resolve: respond } = createDeferred();
  const identityRequests = mockIdentity({
    InitiateAuth: replyAfter(delay, challengeWith('EMAIL_OTP', { CODE_DELIVERY_DESTINATION: 'a***@e***' })()),
  });
  const { user, dialog } = await requestExport();
  await fillField(dialog.getByLabelText('Password'), 'Escucho2026');
  await user.click(dialog.getByRole('button', { name: 'Email me a code' }));
  expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await user.type(dialog.getByLabelText('Password'), '{Enter}');
  respond();
  expect(await dialog.findByLabelText('Confirmation code')).toBeInTheDocument();
  expect(identityRequests.filter(({ operation }) => operation === 'InitiateAuth')).toHaveLength(1);
});

it('no second proof starts while the password is checked', async () => {
  const { promise: delay, resolve: respond } = createDeferred();
  const identityRequests = mockIdentity({ RespondToAuthChallenge: replyAfter(delay, issueTokens()) });
  const { user, requests, dialog } = await requestExport();
  await enterPassword(dialog);
  const email = dialog.getByRole('button', { name: 'Email me a code' });
  expect(email).toBeDisabled();
  await user.click(email);
  respond();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(identityRequests.filter(({ operation }) => operation === 'InitiateAuth')).toHaveLength(1);
});

it('the provider’s own refusal opens the dialog too, above the dialog that caused it', async () => {
  mockIdentity({
    UpdateUserAttributes: inOrder(
      rejectWith('NotAuthorizedException', 'A recent sign-in is required'),
      replyWith({}),
    ),
  });
  const { user } = await renderApp('/settings/profile');
  await user.click(await findButton('Change email'));
  await fillField(await screen.findByLabelText('New email'), 'ana@new.example');
  await user.click(await findButton('Send code'));
  const dialog = await findDialog();
  await enterPassword(dialog);
  expect(await screen.findByText('We sent a code to ana@new.example. Enter it here.')).toBeInTheDocument();
});

it('tokens of another user are refused, and their session ends', async () => {
  const identityRequests = mockIdentity({
    RespondToAuthChallenge: replyWith({
      AuthenticationResult: {
        ...issueTokens().AuthenticationResult,
        AccessToken: createToken(3600, { username: 'user-2' }),
        RefreshToken: 'refresh-2',
      },
    }),
  });
  const { requests, dialog } = await requestExport();
  await enterPassword(dialog);
  expect(
    await screen.findByText('That was another account. You are still signed in as before.'),
  ).toBeInTheDocument();
  expect(requests).toHaveLength(1);
  expect(readStored('refreshToken')).toBe('refresh-1');
  expect(identityRequests.at(-1)).toMatchObject({ operation: 'RevokeToken', body: { Token: 'refresh-2' } });
});

it('[AUTH-08] a provider’s user is offered to sign in there again', async () => {
  storeSession(3600, { identities: [{ providerName: 'Google' }] });
  mockIdentity();
  const { dialog } = await requestExport();
  expect(await dialog.findByRole('button', { name: 'Continue with Google' })).toBeInTheDocument();
  expect(dialog.queryByLabelText('Password')).not.toBeInTheDocument();
});

it('[AUTH-08] a user who comes back from the provider by the back button can go there again', async () => {
  storeSession(3600, { identities: [{ providerName: 'Google' }] });
  mockIdentity();
  const { user, dialog } = await requestExport();
  const button = await dialog.findByRole('button', { name: 'Continue with Google' });
  await user.click(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  await waitFor(() => expect(readOAuthState()).not.toBeNull());
  act(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  expect(button).not.toHaveAttribute('aria-busy');
});
