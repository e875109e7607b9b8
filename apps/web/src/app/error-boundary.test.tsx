import { render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

const Broken = () => {
  throw new Error('broken');
};

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

it('[SHELL-11] replaces a page that throws by the fallback, and keeps the rest', () => {
  render(
    <>
      <p>The player</p>
      <ErrorBoundary resetKey="/a">
        <Broken />
      </ErrorBoundary>
    </>,
  );
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeInTheDocument();
  expect(screen.getByText('The player')).toBeInTheDocument();
});

it('[SHELL-11] renders the children again when the key changes', () => {
  const { rerender } = render(
    <ErrorBoundary resetKey="/a">
      <Broken />
    </ErrorBoundary>,
  );
  rerender(
    <ErrorBoundary resetKey="/b">
      <p>Another page</p>
    </ErrorBoundary>,
  );
  expect(screen.getByText('Another page')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('[SHELL-11] renders the given fallback', () => {
  render(
    <ErrorBoundary resetKey="/a" fallback={<p>No player</p>}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByText('No player')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('[CAT-09] shows a network error while the browser is offline', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  render(
    <ErrorBoundary resetKey="/a">
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This did not load' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('Check your connection');
});
