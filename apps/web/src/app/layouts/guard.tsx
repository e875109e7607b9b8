import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Spinner } from '#shared/ui/spinner.tsx';
import { getSignInUrl } from '../auth-redirects.ts';

/** Shows the page to signed-in users and redirects all others to sign-in (ROUTE-03). */
export function Guard() {
  const t = useT();
  const location = useLocation();
  const { status } = useSession();
  if (status === 'signed-in') return <Outlet />;
  if (status === 'signed-out') return <Navigate to={getSignInUrl(location)} replace />;
  return (
    <div role="status" className="grid min-h-dvh place-content-center justify-items-center gap-4 text-muted">
      <Spinner className="size-6 text-accent-text" />
      {t('common.loading')}
    </div>
  );
}
