import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentType, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { lazyComponent } from '../lazy.ts';
import { LazyBoundary, LazySection } from './lazy-boundary.tsx';
import { Toasts } from './toast.tsx';

const load = vi.fn<() => Promise<() => string>>();
const offline = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

/** A page with a button that opens a dialog, and a menu that is always shown. */
function Page({ Dialog, Menu }: { Dialog: ComponentType; Menu: ComponentType }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <LazyBoundary onFailed={() => setOpen(false)}>{isOpen && <Dialog />}</LazyBoundary>
      <LazyBoundary fallback="Placeholder">
        <Menu />
      </LazyBoundary>
      <Toasts />
    </>
  );
}

const renderPage = () => render(<Page Dialog={lazyComponent(load)} Menu={lazyComponent(offline)} />);
const openDialog = () => userEvent.click(screen.getByRole('button', { name: 'Open' }));

// React logs what a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

it('[SHELL-11] a dialog that did not load leaves the page, and loads when opened again', async () => {
  load.mockImplementationOnce(offline).mockResolvedValueOnce(() => 'The dialog');
  renderPage();
  await openDialog();
  expect(await screen.findByText('This did not load')).toBeInTheDocument();
  expect(await screen.findByText(/Placeholder/)).toBeInTheDocument();
  await waitFor(async () => {
    await openDialog();
    expect(screen.getByText(/The dialog/)).toBeInTheDocument();
  });
  expect(load).toHaveBeenCalledTimes(2);
});

it('[SHELL-11] what did not load is loaded once the browser is online again', async () => {
  const loadMenu = vi.fn<() => Promise<() => string>>();
  const Menu = lazyComponent(loadMenu.mockImplementationOnce(offline).mockResolvedValue(() => 'The menu'));
  render(
    <LazyBoundary fallback="Placeholder">
      <Menu />
    </LazyBoundary>,
  );
  expect(await screen.findByText('Placeholder')).toBeInTheDocument();
  await vi.waitFor(
    () => {
      fireEvent(window, new Event('online'));
      expect(screen.getByText('The menu')).toBeInTheDocument();
    },
    { timeout: 20_000 },
  );
});

it('[CAT-09] gives the reason when offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  load.mockImplementationOnce(offline);
  renderPage();
  await openDialog();
  expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
});

/** Renders a page with a section whose code loads at the second attempt. */
function renderSection(): void {
  const loadSection = vi.fn<() => Promise<() => string>>();
  const Section = lazyComponent(
    loadSection.mockImplementationOnce(offline).mockResolvedValue(() => 'The section'),
  );
  render(
    <>
      <h1>The page</h1>
      <LazySection fallback="Loading">
        <Section />
      </LazySection>
    </>,
  );
}

it('[SHELL-11] a section that did not load leaves the page, and loads on retry', async () => {
  renderSection();
  expect(screen.getByText('Loading')).toBeInTheDocument();
  expect(await screen.findByRole('alert')).toHaveTextContent('This did not load');
  expect(screen.getByRole('heading', { name: 'The page' })).toBeInTheDocument();
  await vi.waitFor(
    async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
      expect(await screen.findByText('The section')).toBeInTheDocument();
    },
    { timeout: 20_000 },
  );
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('[CAT-09] a section gives the reason when offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  renderSection();
  expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
});
