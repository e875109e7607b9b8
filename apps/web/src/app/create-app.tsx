import { memo, type ReactElement, useEffect, useLayoutEffect } from 'react';
import { getSessionStatus, startSession } from '../features/session/session.ts';
import type { Language } from '../shared/choices.ts';
import { useIsHydrated } from '../shared/document.ts';
import { initLanguage } from '../shared/i18n/i18n.ts';
import {
  BrowserLocationProvider,
  type Location,
  LocationProvider,
  useLocation,
} from '../shared/location.tsx';
import { Toasts } from '../shared/ui/toast.tsx';
import { getInitialRedirect } from './auth-redirects.ts';
import { CrashPage, ErrorBoundary } from './error-boundary.tsx';
import { Routes } from './routes.tsx';
import { useScrollRestoration } from './shell/focus-and-scroll.ts';

const crash = (
  <main>
    <CrashPage />
  </main>
);

const isPlain = ({ search, hash, state }: Location) => search === '' && hash === '' && state === null;

/** The page of a location. Rendered again only for another location. */
const Page = memo(({ location }: { location: Location }) => (
  <LocationProvider location={location}>
    <Routes />
  </LocationProvider>
));

/** The page of the current URL, and the toasts. */
export function App() {
  const isHydrated = useIsHydrated();
  const current = useLocation();
  // The page was rendered without a query.
  const location =
    isHydrated || isPlain(current) ? current : { ...current, search: '', hash: '', state: null };
  useScrollRestoration();
  // What the boot script hides until the app is rendered.
  useLayoutEffect(() => void delete document.documentElement.dataset.boot, []);
  // Forms have taken over what was typed only in the render after hydration.
  useEffect(() => {
    if (isHydrated) window.__repeatEarlyEvent?.();
  }, [isHydrated]);
  return (
    <>
      <ErrorBoundary resetKey={location.key} fallback={crash}>
        <Page location={location} />
      </ErrorBoundary>
      <Toasts />
    </>
  );
}

/**
 * Starts the session and sets the URL and the language, which the first render needs.
 *
 * @param loadDocument loads a URL as a new document
 * @param prerendered the language of a prerendered page, which is hydrated
 * @returns the app to render, and a function that stops the session
 */
export async function createApp(
  loadDocument: (url: string) => void,
  prerendered: Language | null = null,
): Promise<{ app: ReactElement; close: () => void }> {
  const close = startSession(loadDocument);
  const redirect = getInitialRedirect(location, getSessionStatus());
  if (redirect) history.replaceState(null, '', redirect);
  await initLanguage(prerendered);
  const app = (
    <BrowserLocationProvider>
      <App />
    </BrowserLocationProvider>
  );
  return { app, close };
}
