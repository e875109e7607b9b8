import { clsx } from 'clsx';
import { FlaskConical, WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';

/** Shows on every page that demo mode is on, where others than its operator can reach it. */
export function DemoNotice() {
  const t = useT();
  if (!useConfig()?.publicDemo) return null;
  return (
    <aside
      aria-label={t('common.demo')}
      className="relative flex items-start justify-center gap-2 bg-overlay px-4 py-2 text-sm"
    >
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
      <p>
        <strong className="font-semibold">{t('common.demo')}.</strong> {t('common.demoText')}
      </p>
    </aside>
  );
}

function subscribe(listener: () => void) {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** A banner while the browser is offline (CAT-09). */
export function OfflineBanner() {
  const t = useT();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-overlay px-4 py-2 text-sm text-pretty">
          <WifiOff aria-hidden className="size-4 shrink-0 text-accent-text" />
          {t('common.offline')}
        </p>
      )}
    </div>
  );
}

/** The links to the terms of use and to the privacy notice. */
export function LegalLinks({ className }: { className?: string }) {
  const t = useT();
  return (
    <ul className={clsx('flex flex-wrap gap-x-5 text-sm', className)}>
      {[
        { to: paths.termsOfUse, text: t('shell.termsOfUse') },
        { to: paths.privacy, text: t('shell.privacy') },
      ].map(({ to, text }) => (
        <li key={to}>
          <Link to={to} className="link inline-flex min-h-11 items-center">
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
