import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { testConfig } from '#testing/server.ts';
import { useConfig } from './config.ts';

const fetchMock = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>();
beforeEach(() => {
  fetchMock.mockReset().mockImplementation(async () => new Response(null, { status: 503 }));
  vi.stubGlobal('fetch', fetchMock);
  vi.useFakeTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Waits, and returns how many requests that has caused. */
async function countRequests(ms: number): Promise<number> {
  const before = fetchMock.mock.calls.length;
  await wait(ms);
  return fetchMock.mock.calls.length - before;
}

it('stops loading a configuration that nothing shows any more', async () => {
  const { unmount } = renderHook(useConfig);
  await wait(0);
  unmount();
  expect(await countRequests(120_000)).toBe(0);
});

it('gives up a request for the configuration without a response after 30 seconds', async () => {
  const limit = new AbortController();
  const setLimit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  fetchMock.mockImplementation(
    (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(limit.signal))),
  );
  const { unmount } = renderHook(useConfig);
  expect(setLimit).toHaveBeenCalledExactlyOnceWith(30_000);
  limit.abort();
  fetchMock.mockImplementation(async () => new Response(null, { status: 503 }));
  await wait(0);
  expect(await countRequests(5000)).toBe(1);
  unmount();
});

it('loads the configuration again after failures, less and less often', async () => {
  const { result } = renderHook(useConfig);
  await wait(0);
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    expect(await countRequests(seconds * 1000 - 1)).toBe(0);
    expect(await countRequests(1)).toBe(1);
  }
  expect(result.current).toBeUndefined();
  fetchMock.mockImplementation(async () => Response.json(testConfig));
  await wait(60_000);
  expect(result.current).toEqual(testConfig);
  expect(await countRequests(120_000)).toBe(0);
});

it('loads the configuration at once when the network is back', async () => {
  vi.resetModules();
  const fresh = await import('./config.ts');
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
  const { result } = renderHook(fresh.useConfig);
  await wait(0);
  expect(result.current).toBeUndefined();
  fetchMock.mockImplementation(async () => Response.json(testConfig));
  window.dispatchEvent(new Event('online'));
  await wait(0);
  expect(result.current).toEqual(testConfig);
});
