import { fireEvent, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { lazyImport, prefetchLazyImports } from './lazy.ts';

it('[SHELL-01] imports load on demand; prefetching loads all, and nested ones, too', async () => {
  const inner = vi.fn(async () => 'inner');
  const outer = vi.fn(async () => lazyImport(inner));
  const importOuter = lazyImport(outer);
  expect(outer).not.toHaveBeenCalled();
  await importOuter();
  expect(inner).not.toHaveBeenCalled();
  prefetchLazyImports();
  await waitFor(() => expect(inner).toHaveBeenCalled());
  const late = vi.fn(async () => 'late');
  lazyImport(late);
  await waitFor(() => expect(late).toHaveBeenCalledOnce());
});

it('[SHELL-01] a failed prefetch ends the others, which go on once the browser is online', async () => {
  const failing = vi.fn(() => Promise.reject(new Error('no network')));
  for (let number = 0; number < 10; number += 1) lazyImport(failing);
  const last = vi.fn(async () => 'last');
  lazyImport(last);
  prefetchLazyImports();
  await waitFor(() => expect(failing).toHaveBeenCalled());
  expect(last).not.toHaveBeenCalled();
  await waitFor(() => {
    fireEvent(window, new Event('online'));
    expect(last).toHaveBeenCalledOnce();
  });
  expect(failing).toHaveBeenCalledTimes(10);
});

it.each([
  ['is not begun while the server cannot be reached', false, 0],
  ['is begun where the browser is offline, but the server is on this machine', true, 1],
])('[CAT-09] an import %s', async (_, isReachable, expected) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', () =>
    isReachable ? Promise.resolve(new Response()) : Promise.reject(new TypeError('Failed to fetch')),
  );
  const importCode = vi.fn(async () => 'code');
  await lazyImport(importCode)().catch(() => undefined);
  expect(importCode).toHaveBeenCalledTimes(expected);
});
