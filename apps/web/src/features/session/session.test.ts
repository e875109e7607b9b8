import { api } from '@escucho/contracts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { call } from '#shared/api/client.ts';
import { ana, subscribed } from '#testing/app.tsx';
import { answerIdentity, aToken, refuse, storeSession } from '#testing/identity.ts';
import { answer, answerConfig } from '#testing/server.ts';
import { onSignedOut, sessionStatus, startSession } from './session.ts';
import { useKept, useSessionState } from './store.ts';

const bea = {
  ...ana,
  _id: '00000000-0000-4000-8000-000000000002',
  firstName: 'Bea',
  displayName: 'Bea Ruiz',
};
const known = { user: ana, subscription: subscribed };

beforeEach(() => {
  useSessionState.setState({ state: { at: 'starting' } });
  useKept.setState({ user: null, subscription: null });
  answerConfig();
  answer(api.auth.me, known);
});

/** Opens the session of a tab. In: how the reader was left. Out: where the tab was told to reload, and how often it was told that a session ended. */
function open({ keep = true, seconds = 3600 } = {}) {
  if (keep) useKept.setState(known);
  storeSession(seconds);
  const reload = vi.fn<(address: string) => void>();
  const ended = vi.fn<() => void>();
  onTestFinished(onSignedOut(ended));
  onTestFinished(startSession(reload));
  return { reload, ended };
}

const bearer = (headers: Headers | undefined) => headers?.get('authorization')?.replace('Bearer ', '');
const ask = () => call(api.notifications.findNotifications, { query: {} });
const nothing = { docs: [], totalDocs: 0 };

it('a reader who was in is in at once, and the kept profile is brought up to date', async () => {
  answer(api.auth.me, { user: ana, subscription: { ...subscribed, isActive: false } });
  open();
  expect(sessionStatus()).toBe('signed-in');
  await waitFor(() => expect(useKept.getState().subscription?.isActive).toBe(false));
});

it('a stored token is sent without asking the identity provider', async () => {
  const asked = answerIdentity();
  const heard = answer(api.notifications.findNotifications, nothing);
  open();
  await ask();
  expect(bearer(heard[0]?.headers)).toBe(aTokenFrom('accessToken'));
  expect(asked).toEqual([]);
});

const aTokenFrom = (name: string) =>
  localStorage.getItem(`CognitoIdentityServiceProvider.client1.reader-1.${name}`);

it('[AUTH-10] tokens that have ended are renewed once for all who ask at the same time', async () => {
  const asked = answerIdentity();
  const heard = answer(api.notifications.findNotifications, nothing);
  open({ seconds: -10 });
  await Promise.all([ask(), ask(), ask()]);
  expect(asked.map(({ operation }) => operation)).toEqual(['GetTokensFromRefreshToken']);
  expect(new Set(heard.map(({ headers }) => bearer(headers)))).toEqual(new Set([aTokenFrom('accessToken')]));
  expect(sessionStatus()).toBe('signed-in');
});

it('[AUTH-10] a refused renewal clears the session', async () => {
  answerIdentity({
    GetTokensFromRefreshToken: refuse('NotAuthorizedException', 'Refresh Token has been revoked'),
  });
  const { ended, reload } = open({ seconds: -10 });
  await waitFor(() => expect(sessionStatus()).toBe('signed-out'));
  expect(aTokenFrom('refreshToken')).toBeNull();
  expect(useKept.getState().user).toBeNull();
  expect(ended).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
});

it('[AUTH-10] without a network the session waits: the reader stays in and the tokens stay', async () => {
  answerIdentity({ GetTokensFromRefreshToken: refuse('InternalErrorException', 'try again') });
  open({ seconds: -10 });
  await expect(ask()).rejects.toMatchObject({ code: 'network' });
  expect(sessionStatus()).toBe('signed-in');
  expect(aTokenFrom('refreshToken')).toBe('refresh-1');
});

it('[AUTH-09] a 401 of the own API signs out once, goes to /auth and reloads, however many calls are refused', async () => {
  const asked = answerIdentity();
  answer(api.notifications.findNotifications, 'token_expired');
  const { reload, ended } = open();
  await Promise.all([ask(), ask(), ask()].map((call) => expect(call).rejects.toMatchObject({ status: 401 })));
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
  expect(asked.filter(({ operation }) => operation === 'GlobalSignOut')).toHaveLength(1);
  expect(ended).toHaveBeenCalledOnce();
  expect(aTokenFrom('accessToken')).toBeNull();
});

it('[AUTH-09] there is no loop: a refused call of somebody who is out changes nothing', async () => {
  answer(api.notifications.findNotifications, 'unauthorized');
  const reload = vi.fn();
  onTestFinished(startSession(reload));
  await expect(ask()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(sessionStatus()).toBe('signed-out');
  expect(reload).not.toHaveBeenCalled();
});

it('[AUTH-14] a stored third-party token is preferred', async () => {
  const foreign = aToken(3600, { platform: 'entel' });
  localStorage.setItem('jwtAccessToken', foreign);
  answer(api.auth.me, { ...known, user: { ...ana, isExternal: true } });
  const heard = answer(api.notifications.findNotifications, nothing);
  open({ keep: false });
  await waitFor(() => expect(useKept.getState().user?.isExternal).toBe(true));
  await ask();
  expect(bearer(heard[0]?.headers)).toBe(foreign);
});

it('[AUTH-14] one that has ended is not', async () => {
  localStorage.setItem('jwtAccessToken', aToken(-1));
  answer(api.auth.me, known);
  const heard = answer(api.notifications.findNotifications, nothing);
  open();
  await ask();
  expect(bearer(heard[0]?.headers)).toBe(aTokenFrom('accessToken'));
});

/** Another tab writes to the storage both share. */
function elsewhere(kept: { user: typeof ana | null; subscription: typeof subscribed | null }) {
  const text = JSON.stringify({ state: kept, version: 1 });
  localStorage.setItem('user-storage', text);
  window.dispatchEvent(new StorageEvent('storage', { key: 'user-storage', newValue: text }));
}

it('other tabs follow a sign-out and a sign-in', async () => {
  const { ended, reload } = open();
  elsewhere({ user: null, subscription: null });
  expect(sessionStatus()).toBe('signed-out');
  expect(ended).toHaveBeenCalledOnce();
  storeSession();
  elsewhere(known);
  expect(sessionStatus()).toBe('signed-in');
  expect(reload).not.toHaveBeenCalled();
});

it('a tab whose reader is replaced by another in another tab forgets the first', async () => {
  const { ended } = open();
  elsewhere({ user: bea, subscription: subscribed });
  expect(ended).toHaveBeenCalledOnce();
  expect(useSessionState.getState().state).toMatchObject({ at: 'signed-in', profile: { user: bea } });
});

it('a page that the browser kept as it was learns that another reader came meanwhile', () => {
  const { ended } = open();
  const text = JSON.stringify({ state: { user: bea, subscription: subscribed }, version: 1 });
  localStorage.setItem('user-storage', text);
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  expect(ended).not.toHaveBeenCalled();
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(ended).toHaveBeenCalledOnce();
  expect(useSessionState.getState().state).toMatchObject({ at: 'signed-in', profile: { user: bea } });
});

it.each([
  ['garbage', 'not json'],
  ['an old shape', JSON.stringify({ state: { user: { name: 'Ana' } }, version: 0 })],
  ['nothing in it', JSON.stringify({ state: null })],
])('a user-storage with %s is nobody', async (_title, text) => {
  localStorage.setItem('user-storage', text);
  await useKept.persist.rehydrate();
  expect(useKept.getState().user).toBeNull();
});
