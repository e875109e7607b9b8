import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { lazyComponent } from '../lazy.ts';
import { LazySection } from './lazy-section.tsx';

/** Renders a page with a section whose code loads at the second attempt. */
function renderPage(): void {
  // React logs what a boundary catches.
  vi.spyOn(console, 'error').mockReturnValue();
  const load = vi.fn<() => Promise<() => string>>();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const Section = lazyComponent(load.mockResolvedValue(() => 'The section'));
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
  renderPage();
  expect(screen.getByText('Loading')).toBeInTheDocument();
  expect(await screen.findByRole('alert')).toHaveTextContent('This did not load');
  expect(screen.getByRole('heading', { name: 'The page' })).toBeInTheDocument();
  await vi.waitFor(async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The section')).toBeInTheDocument();
  });
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('[CAT-09] gives the reason when offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  renderPage();
  expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
});
