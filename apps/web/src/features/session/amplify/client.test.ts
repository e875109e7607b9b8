import { expect, it, onTestFinished, vi } from 'vitest';
import { mockLocks } from '#testing/locks.ts';
import { withRefreshLock } from './client.ts';

it('[AUTH-10] an action fails, and is not run, where another tab does not release the lock', async () => {
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

it('[AUTH-10] an action runs without a lock where the browser refuses storage and locks', async () => {
  const request = () => Promise.reject(new DOMException('Access is denied.', 'SecurityError'));
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  expect(await withRefreshLock(async () => 'done')).toBe('done');
});
