import type { ReactElement } from 'react';
import { BrowserRouter } from 'react-router';
import { getSessionStatus, startSession } from '../features/session/session.ts';
import { initLanguage } from '../shared/i18n/i18n.ts';
import { App } from './app.tsx';
import { getInitialRedirect } from './auth-redirects.ts';

/**
 * Starts the session and sets the URL and the language, which the first render needs.
 *
 * @param loadDocument loads a URL as a new document
 * @returns the app to render, and a function that stops the session
 */
export async function createApp(
  loadDocument: (url: string) => void,
): Promise<{ app: ReactElement; close: () => void }> {
  const close = startSession(loadDocument);
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
