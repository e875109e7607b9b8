import type { ReactElement } from 'react';
import { BrowserRouter, useLocation, useRoutes } from 'react-router';
import { getSessionStatus, startSession } from '../features/session/session.ts';
import { initLanguage } from '../shared/i18n/i18n.ts';
import { Toasts } from '../shared/ui/toasts.tsx';
import { getInitialRedirect } from './auth-redirects.ts';
import { CrashPage, ErrorBoundary } from './error-boundary.tsx';
import { routes } from './routes.tsx';
import { useScrollRestoration } from './shell/use-scroll-restoration.ts';

const crash = (
  <main>
    <CrashPage />
  </main>
);

/** The page of the current URL, and the toasts. */
function App() {
  const { key } = useLocation();
  const page = useRoutes(routes);
  useScrollRestoration();
  return (
    <>
      <ErrorBoundary resetKey={key} fallback={crash}>
        {page}
      </ErrorBoundary>
      <Toasts />
    </>
  );
}

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
