import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Redirect, useLocation } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { LanguageSwitch } from '#shared/ui/language-switch.tsx';
import { Wordmark } from '#shared/ui/logo.tsx';
import { dismissToasts, type Toast } from '#shared/ui/toast.tsx';
import { getReturnUrl, isOAuthCallback } from '../auth-redirects.ts';
import { usePageFocus } from '../shell/focus-and-scroll.ts';
import { ListeningArt } from '../shell/listening-art.tsx';
import { DemoNotice, LegalLinks, OfflineBanner } from '../shell/notices.tsx';

const isSignInError = ({ kind, position }: Toast) => kind === 'error' && position === 'bottom-center';

/** The backdrop of the auth pages, with logo and language switch (ROUTE-04). Redirects users who are signed in. */
export function AuthLayout({ children }: { children: ReactNode }) {
  const t = useT();
  const location = useLocation();
  const main = usePageFocus();
  const { status } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page's errors are dismissed when it is left
  useEffect(() => () => dismissToasts(isSignInError), [location.pathname]);
  if (status === 'signed-in' && !isOAuthCallback(location)) return <Redirect to={getReturnUrl(location)} />;
  return (
    <div className="backdrop">
      <ListeningArt />
      <DemoNotice />
      <OfflineBanner />
      <header className="relative mx-auto flex w-full max-w-[1950px] flex-wrap items-center justify-between gap-x-3 p-4 sm:px-8 sm:py-6">
        <Link to={paths.signIn} aria-label={t('shell.home')} className="rounded-md">
          <Wordmark />
        </Link>
        <div className="flex grow items-center justify-end gap-3">
          <Link to={paths.welcome} className="link inline-flex min-h-11 items-center text-sm">
            {t('session.whatIsEscucho')}
          </Link>
          <LanguageSwitch />
        </div>
      </header>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="relative grid items-start justify-items-center px-4 pt-2 pb-10 outline-none sm:items-center"
      >
        {children}
      </main>
      <footer className="relative px-4 pb-4 sm:px-8">
        <LegalLinks className="justify-center" />
      </footer>
    </div>
  );
}
