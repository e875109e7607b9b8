import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { lazyImport, prefetchLazyImports } from './lazy.ts';

it('[SHELL-01] parts come when they are wanted, all of them once the browser rests, and parts of late parts then too', async () => {
  const inner = vi.fn(async () => 'inner');
  const outer = vi.fn(async () => lazyImport(inner));
  const lost = vi.fn(() => Promise.reject(new Error('no network')));
  const load = lazyImport(outer);
  lazyImport(lost);
  expect(outer).not.toHaveBeenCalled();
  await load();
  expect(inner).not.toHaveBeenCalled();
  prefetchLazyImports();
  await waitFor(() => expect(inner).toHaveBeenCalled());
  expect(lost).toHaveBeenCalledOnce();
  const late = vi.fn(async () => 'late');
  lazyImport(late);
  expect(late).toHaveBeenCalledOnce();
});
