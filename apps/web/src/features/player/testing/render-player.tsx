import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { loadNamespace } from '#shared/i18n/i18n.ts';

// Loaded with the player's code in the app.
await loadNamespace('player');

/** Renders components of the player. Returns a user to interact with them. */
export function renderPlayer(ui: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const user = userEvent.setup();
  render(<QueryClientProvider client={client}>{ui}</QueryClientProvider>);
  return user;
}
