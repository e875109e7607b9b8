import { act, fireEvent, render, screen } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LocationProvider, toStaticLocation } from '#shared/location.tsx';
import { getCurrentUrl } from '#testing/app.tsx';
import { SearchBox } from './search-box.tsx';

/** The search box on a page, which may be another one than that of the address. */
const BoxOnPage = ({ pathname }: { pathname: string }) => (
  <LocationProvider location={toStaticLocation(pathname)}>
    <SearchBox />
  </LocationProvider>
);

/** Types into a field without `act`, which would run the effects that are due. */
function typeWithoutEffects(field: HTMLInputElement, text: string): void {
  const { set: setValue } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  setValue?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

it('[SHELL-04] the box keeps what is typed as soon as it is shown', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const container = document.createElement('div');
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
    vi.unstubAllGlobals();
  });
  document.body.append(container);
  const shown = new Promise<HTMLInputElement>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      const box = screen.getByRole<HTMLInputElement>('searchbox');
      typeWithoutEffects(box, 'g');
      resolve(box);
    });
    observer.observe(container, { childList: true });
  });
  root.render(<BoxOnPage pathname="/library" />);
  const box = await shown;
  await screen.findByRole('button', { name: 'Clear the search' });
  expect(box).toHaveValue('g');
});

it('[SHELL-04] the box keeps what is typed while an earlier search loads', () => {
  vi.useFakeTimers();
  try {
    history.replaceState(null, '', '/library');
    const { rerender } = render(<BoxOnPage pathname="/library" />);
    const box = screen.getByRole('searchbox', { name: 'Search' });
    for (const value of ['gir', 'giraf']) {
      fireEvent.change(box, { target: { value } });
      act(() => vi.advanceTimersByTime(500));
    }
    expect(getCurrentUrl()).toBe('/articles/search/giraf');
    fireEvent.change(box, { target: { value: 'giraffe' } });
    rerender(<BoxOnPage pathname="/articles/search/gir" />);
    expect(box).toHaveValue('giraffe');
    act(() => vi.advanceTimersByTime(500));
    expect(getCurrentUrl()).toBe('/articles/search/giraffe');
  } finally {
    vi.useRealTimers();
  }
});
