import { useLocation, useRoutes } from 'react-router';
import { Toasts } from '../shared/ui/toasts.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { CrashPage } from './pages/crash.tsx';
import { routes } from './routes.tsx';
import { useScrollRestoration } from './shell/use-scroll-restoration.ts';

const crash = (
  <main>
    <CrashPage />
  </main>
);

/** The page of the current URL, and the toasts. */
export function App() {
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
