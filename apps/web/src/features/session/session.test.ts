import { api } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { call } from '#shared/api/client.ts';
import { prefetchLazyImports } from '#shared/lazy.ts';
import { useToasts } from '#shared/ui/toast.tsx';
import { activeSubscription, ana, bea, storeInOtherTab } from '#testing/app.tsx';
import { createToken, issueTokens, mockIdentity, rejectWith, storeSession } from '#testing/identity.ts';
import { mockLocks } from '#testing/locks.ts';
import { mockConfig, mockEndpoint } from '#testing/server.ts';
import { consumeSignOutNotice, getSessionStatus, onSignedOut, signOut, startSession } from './session.ts';
import { useSessionState, useStoredProfile } from './store.ts';
import { clearTokens } from './tokens.ts';

const importClient = vi.hoisted(() => vi.fn());
vi.mock('./amplify/client.ts', (importOriginal) => {
  importClient();
  return importOriginal();
});

const anaProfile = { user: ana, subscription: activeSubscription };

beforeEach(() => {
  useSessionState.setState({ state: { status: 'starting' } });
  useStoredProfile.setState({ user: null, subscription: null });
  mockConfig();
  mockEndpoint(api.auth.me, anaProfile);
});

/** Starts the session of a tab with tokens that expire in the given seconds. */
function start({ hasProfile = true, seconds = 3600 } = {}) {
  if (hasProfile) useStoredProfile.setState(anaProfile);
  storeSession(seconds);
  const reload = vi.fn<(address: string) => void>();
  const ended = vi.fn<() => void>();
  onTestFinished(onSignedOut(ended));
  onTestFinished(startSession(reload));
  return { reload, ended };
}

const getBearer = (headers: Headers | undefined) => headers?.get('authorization')?.replace('Bearer ', '');
const fetchNotifications = () => call(api.notifications.findNotifications, { query: {} });
const noNotifications = { docs: [], totalDocs: 0 };

it('the code that refreshes tokens is fetched before an update removes its file', async () => {
  start();
  expect(importClient).not.toHaveBeenCalled();
  prefetchLazyImports();
  await waitFor(() => expect(importClient).toHaveBeenCalled());
});

it('a stored profile signs in at once and is updated', async () => {
  mockEndpoint(api.auth.me, { user: ana, subscription: { ...activeSubscription, isActive: false } });
  start();
  expect(getSessionStatus()).toBe('signed-in');
  await waitFor(() => expect(useStoredProfile.getState().subscription?.isActive).toBe(false));
});

it('a stored token is sent without asking the identity provider', async () => {
  const identityRequests = mockIdentity();
  const requests = mockEndpoint(api.notifications.findNotifications, noNotifications);
  start();
  await fetchNotifications();
  expect(getBearer(requests[0]?.headers)).toBe(readToken('accessToken'));
  expect(identityRequests).toEqual([]);
});

const readToken = (name: string) =>
  localStorage.getItem(`CognitoIdentityServiceProvider.client1.user-1.${name}`);

it('[AUTH-10] expired tokens are refreshed once for concurrent calls', async () => {
  const identityRequests = mockIdentity();
  const requests = mockEndpoint(api.notifications.findNotifications, noNotifications);
  start({ seconds: -10 });
  await Promise.all([fetchNotifications(), fetchNotifications(), fetchNotifications()]);
  expect(identityRequests.map(({ operation }) => operation)).toEqual(['GetTokensFromRefreshToken']);
  expect(new Set(requests.map(({ headers }) => getBearer(headers)))).toEqual(
    new Set([readToken('accessToken')]),
  );
  expect(getSessionStatus()).toBe('signed-in');
});

it('[AUTH-10] refreshed tokens that cannot be stored are reported once', async () => {
  mockIdentity();
  mockEndpoint(api.notifications.findNotifications, noNotifications);
  start({ seconds: -10 });
  const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota is exceeded.', 'QuotaExceededError');
  });
  onTestFinished(() => {
    storage.mockRestore();
    clearTokens();
  });
  await fetchNotifications();
  const notice = { text: expect.stringMatching(/^This browser cannot store your sign-in/), kind: 'message' };
  expect(useToasts.getState().toasts).toMatchObject([notice]);
  useToasts.setState({ toasts: [] });
  await fetchNotifications();
  expect(useToasts.getState().toasts).toEqual([]);
});

it('[AUTH-10] a refused refresh clears the session', async () => {
  mockIdentity({
    GetTokensFromRefreshToken: rejectWith('NotAuthorizedException', 'Refresh Token has been revoked'),
  });
  const { ended, reload } = start({ seconds: -10 });
  await waitFor(() => expect(getSessionStatus()).toBe('signed-out'));
  expect(readToken('refreshToken')).toBeNull();
  expect(useStoredProfile.getState().user).toBeNull();
  expect(ended).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  expect(consumeSignOutNotice()).toBe('sessionEnded');
});

it('[AUTH-10] a refresh without network keeps the user signed in and the tokens', async () => {
  mockIdentity({ GetTokensFromRefreshToken: rejectWith('InternalErrorException', 'try again') });
  start({ seconds: -10 });
  await expect(fetchNotifications()).rejects.toMatchObject({ code: 'network' });
  expect(getSessionStatus()).toBe('signed-in');
  expect(readToken('refreshToken')).toBe('refresh-1');
});

it('[AUTH-10] a refresh whose response is lost ends in time, and the next call refreshes again', async () => {
  mockLocks();
  const requests = mockEndpoint(api.notifications.findNotifications, noNotifications);
  let isLost = true;
  const reply = () => (isLost ? new Promise<never>(() => undefined) : issueTokens());
  const identityRequests = mockIdentity({ GetTokensFromRefreshToken: reply });
  const timeout = new AbortController();
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  start({ seconds: -10 });
  const failure = expect(fetchNotifications()).rejects.toMatchObject({ code: 'network' });
  await waitFor(() => expect(identityRequests).toHaveLength(1));
  timeout.abort(new DOMException('The time is up.', 'TimeoutError'));
  await failure;
  timeouts.mockRestore();
  expect(getSessionStatus()).toBe('signed-in');
  expect(readToken('refreshToken')).toBe('refresh-1');
  isLost = false;
  expect((await fetchNotifications()).totalDocs).toBe(0);
  expect(getBearer(requests.at(-1)?.headers)).toBe(readToken('accessToken'));
});

it('[AUTH-10] a token that expired by the clock of the server only is refreshed', async () => {
  const identityRequests = mockIdentity();
  const { reload } = start();
  const requests = mockEndpoint(api.notifications.findNotifications, () =>
    identityRequests.length > 0 ? noNotifications : 'token_expired',
  );
  await Promise.all([fetchNotifications(), fetchNotifications()]);
  expect(identityRequests.map(({ operation }) => operation)).toEqual(['GetTokensFromRefreshToken']);
  expect(getBearer(requests.at(-1)?.headers)).toBe(readToken('accessToken'));
  expect(getSessionStatus()).toBe('signed-in');
  expect(reload).not.toHaveBeenCalled();
});

it('[AUTH-09] concurrent 401s of the API sign out once and reload at /auth', async () => {
  const identityRequests = mockIdentity();
  mockEndpoint(api.notifications.findNotifications, 'token_expired');
  const { reload, ended } = start();
  await Promise.all(
    [fetchNotifications(), fetchNotifications(), fetchNotifications()].map((call) =>
      expect(call).rejects.toMatchObject({ status: 401 }),
    ),
  );
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
  expect(identityRequests.filter(({ operation }) => operation === 'GlobalSignOut')).toHaveLength(1);
  expect(ended).toHaveBeenCalledOnce();
  expect(readToken('accessToken')).toBeNull();
  onTestFinished(startSession(reload));
  expect(consumeSignOutNotice()).toBe('sessionEnded');
});

it.each([
  ['an internal error', rejectWith('InternalErrorException', 'try again'), 3, 'signOutFailed'],
  [
    'a session that has ended already',
    rejectWith('NotAuthorizedException', 'Access Token has been revoked'),
    1,
    null,
  ],
])('[AUTH-11] sign-out answered with %s ends on this device', async (_title, reply, attempts, notice) => {
  const identityRequests = mockIdentity({ GlobalSignOut: reply });
  const { reload } = start();
  signOut();
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
  expect(identityRequests).toHaveLength(attempts);
  expect(readToken('accessToken')).toBeNull();
  // The next document reads it, once.
  onTestFinished(startSession(reload));
  expect([consumeSignOutNotice(), consumeSignOutNotice()]).toEqual([notice, null]);
});

it.each([
  ['', {}, null],
  [', if it has ended already,', 'unauthorized', null],
  [', unless the portal is away,', 'unavailable', 'signOutFailed'],
] as const)(
  '[AUTH-09] sign-out of a third party’s user%s ends the session at the portal',
  async (_, reply, notice) => {
    localStorage.setItem('jwtAccessToken', createToken(3600, { platform: 'entel' }));
    mockEndpoint(api.auth.me, { ...anaProfile, user: { ...ana, isExternal: true, platform: 'entel' } });
    const requests = mockEndpoint(api.auth.signOut, reply);
    const { reload } = start();
    signOut();
    await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
    expect(requests).toHaveLength(1);
    expect(localStorage.getItem('jwtAccessToken')).toBeNull();
    onTestFinished(startSession(reload));
    expect(consumeSignOutNotice()).toBe(notice);
  },
);

it('[SUB-02] an ended operator plan reloads at the operator’s screen', async () => {
  mockIdentity();
  mockEndpoint(api.notifications.findNotifications, 'operator_plan_ended');
  const profile = { ...anaProfile, user: { ...ana, isExternal: true, platform: 'bitel' } } as const;
  useStoredProfile.setState(profile);
  mockEndpoint(api.auth.me, profile);
  const { reload } = start({ hasProfile: false });
  await expect(fetchNotifications()).rejects.toMatchObject({ code: 'operator_plan_ended' });
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth-external?ended=bitel'));
});

it('[AUTH-09] an unauthorized call while signed out changes nothing', async () => {
  mockEndpoint(api.notifications.findNotifications, 'unauthorized');
  const reload = vi.fn();
  onTestFinished(startSession(reload));
  await expect(fetchNotifications()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(getSessionStatus()).toBe('signed-out');
  expect(reload).not.toHaveBeenCalled();
});

it('[AUTH-14] a stored third-party token takes precedence', async () => {
  const thirdPartyToken = createToken(3600, { platform: 'entel' });
  localStorage.setItem('jwtAccessToken', thirdPartyToken);
  mockEndpoint(api.auth.me, { ...anaProfile, user: { ...ana, isExternal: true } });
  const requests = mockEndpoint(api.notifications.findNotifications, noNotifications);
  start({ hasProfile: false });
  await waitFor(() => expect(useStoredProfile.getState().user?.isExternal).toBe(true));
  await fetchNotifications();
  expect(getBearer(requests[0]?.headers)).toBe(thirdPartyToken);
});

it('[AUTH-14] an expired third-party token is ignored', async () => {
  localStorage.setItem('jwtAccessToken', createToken(-1));
  mockEndpoint(api.auth.me, anaProfile);
  const requests = mockEndpoint(api.notifications.findNotifications, noNotifications);
  start();
  await fetchNotifications();
  expect(getBearer(requests[0]?.headers)).toBe(readToken('accessToken'));
});

it('other tabs follow a sign-out and a sign-in', async () => {
  const { ended, reload } = start();
  storeInOtherTab(null);
  expect(getSessionStatus()).toBe('signed-out');
  expect(ended).toHaveBeenCalledOnce();
  storeSession();
  storeInOtherTab(anaProfile);
  expect(getSessionStatus()).toBe('signed-in');
  expect(reload).not.toHaveBeenCalled();
});

it('a user replaced in another tab ends the session of the first', async () => {
  const { ended } = start();
  storeInOtherTab({ user: bea, subscription: activeSubscription });
  expect(ended).toHaveBeenCalledOnce();
  expect(useSessionState.getState().state).toMatchObject({ status: 'signed-in', profile: { user: bea } });
});

it('a page restored from the back/forward cache takes over the user of another tab', () => {
  const { ended } = start();
  const text = JSON.stringify({ state: { user: bea, subscription: activeSubscription }, version: 1 });
  localStorage.setItem('user-storage', text);
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  expect(ended).not.toHaveBeenCalled();
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(ended).toHaveBeenCalledOnce();
  expect(useSessionState.getState().state).toMatchObject({ status: 'signed-in', profile: { user: bea } });
});

it.each([
  ['garbage', 'not json'],
  ['an old shape', JSON.stringify({ state: { user: { name: 'Ana' } }, version: 0 })],
  ['nothing in it', JSON.stringify({ state: null })],
])('a user-storage with %s has no user', async (_title, text) => {
  localStorage.setItem('user-storage', text);
  await useStoredProfile.persist.rehydrate();
  expect(useStoredProfile.getState().user).toBeNull();
});
