import { waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mockIdentity } from '#testing/identity.ts';
import { mockLocks } from '#testing/locks.ts';
import { mockConfig } from '#testing/server.ts';
import { startSession } from '../session.ts';
import { useSessionState } from '../store.ts';
import { loadGuestCredentials } from '../tokens.ts';
import { withRefreshLock } from './client.ts';

it('[AUTH-10] an action is refused while another tab has the lock', async () => {
  const { lockInOtherTab } = mockLocks();
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
  const release = lockInOtherTab('session-refresh');
  const action = vi.fn(async () => 'done');
  const result = expect(withRefreshLock(action)).rejects.toMatchObject({ code: 'network' });
  timeout.abort();
  await result;
  release();
  expect(await withRefreshLock(async () => 'next')).toBe('next');
  expect(action).not.toHaveBeenCalled();
});

it('[AUTH-10] an action runs without a lock where the browser has none', async () => {
  expect(await withRefreshLock(async () => 'done')).toBe('done');
});

it('[AUTH-10] runs an action without a lock where storage is refused too', async () => {
  const request = () => Promise.reject(new DOMException('Access is denied.', 'SecurityError'));
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  expect(await withRefreshLock(async () => 'done')).toBe('done');
});

const MINUTE_MS = 60_000;

it('[AUTH-12] a guest gets an id and credentials, cached for 50 minutes', async () => {
  useSessionState.setState({ state: { status: 'starting' } });
  mockConfig({ guestAccess: true, identityPoolId: 'local:12345678-1234-1234-1234-123456789012' });
  const requests = mockIdentity();
  const { setTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (run: () => void, delay: number) =>
    setTimeout(run, delay === 10_000 ? 0 : delay),
  );
  onTestFinished(startSession(() => undefined));
  const operations = () => requests.map(({ operation }) => operation);
  await waitFor(() => expect(operations()).toEqual(['GetId', 'GetCredentialsForIdentity']));
  expect(requests[1]?.body).toEqual({ IdentityId: 'local:guest-1' });
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 49 * MINUTE_MS });
  await loadGuestCredentials();
  expect(requests).toHaveLength(2);
  vi.setSystemTime(now + 51 * MINUTE_MS);
  await loadGuestCredentials();
  expect(operations().slice(2)).toEqual(['GetCredentialsForIdentity']);
});
