import type { ReactElement } from 'react';
import { BrowserRouter } from 'react-router';
import { getSessionStatus, startSession } from '../features/session/session.ts';
import { initLanguage } from '../shared/i18n/i18n.ts';
import { App } from './app.tsx';
import { getInitialRedirect } from './auth-redirects.ts';

/**
 * Gets everything ready that must be known before the first page is drawn: who is signed in, the address to open,
 * the language. In: how to load an address anew. Out: the app to draw, and how to close it again.
 */
export async function createApp(
  loadAnew: (address: string) => void,
): Promise<{ app: ReactElement; close: () => void }> {
  const close = startSession(loadAnew);
  const redirect = getInitialRedirect(location, getSessionStatus());
  if (redirect) history.replaceState(null, '', redirect);
  await initLanguage();
  const app = (
    <BrowserRouter>
      <App />
    </BrowserRouter>
  );
  return { app, close };
}
