import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { loadNamespace } from '#shared/i18n/i18n.ts';

// They come with the player's code.
await loadNamespace('player');

/** Draws a part of the player as the app would. Out: a pair of hands. */
export function renderPlayer(ui: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const hands = userEvent.setup();
  render(<QueryClientProvider client={client}>{ui}</QueryClientProvider>);
  return hands;
}
