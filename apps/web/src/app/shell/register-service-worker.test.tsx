import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useToasts } from '#shared/ui/toast.ts';
import { Toasts } from '#shared/ui/toasts.tsx';
import { registerServiceWorker } from './register-service-worker.ts';

/** A version of the service worker in a state of its installation. */
const buildWorker = (state: ServiceWorkerState) => Object.assign(new EventTarget(), { state });
type Worker = ReturnType<typeof buildWorker>;

/** Opens a page of an installed app, whose registration has these workers. */
async function openPage(workers: { waiting?: Worker; installing?: Worker }) {
  const registration = Object.assign(new EventTarget(), { waiting: null, installing: null, ...workers });
  const serviceWorker = { controller: {}, register: async () => registration };
  vi.stubGlobal('navigator', { ...navigator, serviceWorker });
  useToasts.setState({ toasts: [] });
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
