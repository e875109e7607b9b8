import { afterEach, expect, it, vi } from 'vitest';
import { takeWaitingVersion } from './new-version.ts';

/** The browser's side: a registration with or without a version that waits. */
function browserWith(waiting: boolean | 'no workers') {
  const container = new EventTarget();
  const postMessage = vi.fn(() => container.dispatchEvent(new Event('controllerchange')));
  const registration = { waiting: waiting ? { postMessage } : null };
  const serviceWorker = Object.assign(container, { getRegistration: async () => registration });
  vi.stubGlobal('navigator', waiting === 'no workers' ? {} : { serviceWorker });
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  return { postMessage, reload };
}

afterEach(() => vi.unstubAllGlobals());

it('[CAT-09] a version that waited is taken at the start, and the page loads again with it', async () => {
  const { postMessage, reload } = browserWith(true);
  await takeWaitingVersion();
  expect(postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' });
  expect(reload).toHaveBeenCalledOnce();
});

it.each([[false], ['no workers'] as const])('nothing happens where none waits (%s)', async (waiting) => {
  const { reload } = browserWith(waiting);
  await takeWaitingVersion();
  expect(reload).not.toHaveBeenCalled();
});
