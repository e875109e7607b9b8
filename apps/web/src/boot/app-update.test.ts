import { expect, it, vi } from 'vitest';
import { activateWaitingUpdate } from './app-update.ts';

/** Stubs a service worker registration with or without a waiting version. */
function stubServiceWorker(waiting: boolean | 'no workers') {
  const container = new EventTarget();
  const postMessage = vi.fn(() => container.dispatchEvent(new Event('controllerchange')));
  const registration = { waiting: waiting ? { state: 'installed', postMessage } : null };
  const serviceWorker = Object.assign(container, { getRegistration: async () => registration });
  vi.stubGlobal('navigator', waiting === 'no workers' ? {} : { serviceWorker });
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  return { postMessage, reload };
}

it('[CAT-09] activates a waiting version at the start and reloads the page', async () => {
  const { postMessage, reload } = stubServiceWorker(true);
  await activateWaitingUpdate();
  expect(postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' });
  expect(reload).toHaveBeenCalledOnce();
});

it.each([[false], ['no workers'] as const])(
  'does nothing without a waiting version (%s)',
  async (waiting) => {
    const { reload } = stubServiceWorker(waiting);
    await activateWaitingUpdate();
    expect(reload).not.toHaveBeenCalled();
  },
);
