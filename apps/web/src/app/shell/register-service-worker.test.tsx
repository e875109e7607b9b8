import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { loadNamespace } from '#shared/i18n/i18n.ts';
import { Toasts, useToasts } from '#shared/ui/toast.tsx';
import { registerServiceWorker } from './register-service-worker.ts';

/** A version of the service worker in a state of its installation. */
const buildWorker = (state: ServiceWorkerState) =>
  Object.assign(new EventTarget(), { state, postMessage() {} });
type Worker = ReturnType<typeof buildWorker>;

/** Opens a page of an installed app, whose registration has these workers. */
async function openPage(workers: { waiting?: Worker; installing?: Worker }) {
  const registration = Object.assign(new EventTarget(), { waiting: null, installing: null, ...workers });
  const serviceWorker = { controller: {}, register: async () => registration };
  vi.stubGlobal('navigator', { ...navigator, serviceWorker });
  render(<Toasts />);
  await registerServiceWorker();
}

const text = 'A new version of Escucho is ready.';

it('[CAT-09] offers a version that was installed while the page started', async () => {
  await openPage({ waiting: buildWorker('installed') });
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it('[CAT-09] offers a version whose installation began while the page started', async () => {
  const installing = buildWorker('installing');
  await openPage({ installing });
  expect(screen.queryByText(text)).not.toBeInTheDocument();
  installing.state = 'installed';
  installing.dispatchEvent(new Event('statechange'));
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it('[CAT-09] offers a version that is installed in a hidden tab once the tab is visible', async () => {
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await openPage({ waiting: buildWorker('installed') });
  await loadNamespace('auth');
  expect(useToasts.getState().toasts).toEqual([]);
  isHidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it('[CAT-09] the update reloads the page where another tab has activated the version', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  const waiting = buildWorker('installed');
  await openPage({ waiting });
  await screen.findByText(text);
  waiting.state = 'activated';
  fireEvent.click(screen.getByRole('button', { name: 'Update' }));
  expect(reload).toHaveBeenCalledOnce();
});
