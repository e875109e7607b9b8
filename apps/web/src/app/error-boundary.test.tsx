import { render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

const Broken = () => {
  throw new Error('broken');
};

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

it('[SHELL-11] a page that breaks is replaced by the fallback, and what is around it stays', () => {
  render(
    <>
      <p>The player</p>
      <ErrorBoundary place="/a">
        <Broken />
      </ErrorBoundary>
    </>,
  );
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy();
  expect(screen.getByText('The player')).toBeTruthy();
});

it('[SHELL-11] going elsewhere is a new start', () => {
  const { rerender } = render(
    <ErrorBoundary place="/a">
      <Broken />
    </ErrorBoundary>,
  );
  rerender(
    <ErrorBoundary place="/b">
      <p>Another page</p>
    </ErrorBoundary>,
  );
  expect(screen.getByText('Another page')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('[SHELL-11] a part of the shell that breaks leaves room for its own word', () => {
  render(
    <ErrorBoundary place="/a" instead={<p>No player</p>}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByText('No player')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('[CAT-09] without a network a page whose code is not there says that, not that something broke', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  render(
    <ErrorBoundary place="/a">
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This did not load' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('Check your connection');
});
