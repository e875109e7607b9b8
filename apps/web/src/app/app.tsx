import { useLocation, useRoutes } from 'react-router';
import { Toasts } from '../shared/ui/toasts.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { CrashPage } from './pages/crash.tsx';
import { routes } from './routes.tsx';
import { useScroll } from './shell/use-scroll.ts';

const crash = (
  <main>
    <CrashPage />
  </main>
);

/** The page of the address, and the toasts over it. */
export function App() {
  const { key } = useLocation();
  const page = useRoutes(routes);
  useScroll();
  return (
    <>
      <ErrorBoundary place={key} instead={crash}>
        {page}
      </ErrorBoundary>
      <Toasts />
    </>
  );
}
