import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { lazyImport, prefetchLazyImports } from './lazy.ts';

it('[SHELL-01] imports load on demand; prefetching loads all, and nested ones, too', async () => {
  const inner = vi.fn(async () => 'inner');
  const outer = vi.fn(async () => lazyImport(inner));
  const failing = vi.fn(() => Promise.reject(new Error('no network')));
  const load = lazyImport(outer);
  lazyImport(failing);
  expect(outer).not.toHaveBeenCalled();
  await load();
  expect(inner).not.toHaveBeenCalled();
  prefetchLazyImports();
  await waitFor(() => expect(inner).toHaveBeenCalled());
  expect(failing).toHaveBeenCalledOnce();
  const late = vi.fn(async () => 'late');
  lazyImport(late);
  expect(late).toHaveBeenCalledOnce();
});
