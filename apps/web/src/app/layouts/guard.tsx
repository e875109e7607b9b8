import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Spinner } from '#shared/ui/spinner.tsx';
import { wayIn } from '../doors.ts';

/** Lets signed-in readers through; all others to the way in (ROUTE-03). */
export function Guard() {
  const t = useT();
  const location = useLocation();
  const { status } = useSession();
  if (status === 'signed-in') return <Outlet />;
  if (status === 'signed-out') return <Navigate to={wayIn(location)} replace />;
  return (
    <div role="status" className="grid min-h-dvh place-content-center justify-items-center gap-4 text-muted">
      <Spinner className="size-6 text-accent-text" />
      {t('common.loading')}
    </div>
  );
}
