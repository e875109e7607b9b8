import { useEffect } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Wordmark } from '#shared/ui/logo.tsx';
import { dismissErrors } from '#shared/ui/toast.ts';
import { getReturnUrl, isOAuthCallback } from '../auth-redirects.ts';
import { DemoNotice } from '../shell/demo-notice.tsx';
import { LanguageSwitch } from '../shell/language-switch.tsx';
import { LegalLinks } from '../shell/legal-links.tsx';
import { OfflineBanner } from '../shell/offline-banner.tsx';
import { usePageFocus } from '../shell/use-page-focus.ts';

const rings = Array.from({ length: 17 }, (_, index) => 60 + index * 46);
const bars = Array.from({ length: 72 }, (_, index) => {
  const swell = Math.sin(index / 3.1) * Math.sin(index / 11) * Math.cos(index / 5.3);
  return 14 + Math.abs(swell) * 190;
});

/** The decorative drawing behind the auth pages: sound waves and a line of text. */
const ListeningArt = () => (
  <svg
    aria-hidden="true"
    viewBox="0 0 1440 900"
    preserveAspectRatio="xMidYMid slice"
    className="absolute inset-0 size-full"
    fill="none"
  >
    <g className="art-rings" strokeWidth="1.5">
      {rings.map((radius, index) => (
        <circle
          key={radius}
          cx="250"
          cy="640"
          r={radius}
          opacity={Math.max(0.05, 0.62 - index * 0.036)}
          strokeDasharray={index % 3 === 1 ? `${radius * 0.7} ${radius * 0.16}` : undefined}
        />
      ))}
    </g>
    <circle cx="250" cy="640" r="26" className="fill-accent" />
    <g className="art-bars">
      {bars.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
          key={index}
          x={330 + index * 18}
          y={640 - height / 2}
          width="6"
          height={height}
          rx="3"
          opacity={Math.max(0.06, 0.5 - index * 0.007)}
        />
      ))}
    </g>
  </svg>
);

/** The backdrop of the auth pages, with logo and language switch (ROUTE-04). Redirects users who are signed in. */
export function AuthLayout() {
  const t = useT();
  const location = useLocation();
  const main = usePageFocus();
  const { status } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page's errors are dismissed when it is left
  useEffect(() => () => dismissErrors('bottom-center'), [location.pathname]);
  if (status === 'signed-in' && !isOAuthCallback(location))
    return <Navigate to={getReturnUrl(location)} replace />;
  return (
    <div className="backdrop">
      <ListeningArt />
      <DemoNotice />
      <OfflineBanner />
      <header className="relative mx-auto flex w-full max-w-[1950px] items-center justify-between p-4 sm:px-8 sm:py-6">
        <Link to={paths.signIn} aria-label={t('shell.home')} className="rounded-md">
          <Wordmark />
        </Link>
        <LanguageSwitch />
      </header>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="relative grid place-items-center px-4 pt-2 pb-10 outline-none"
      >
        <Outlet />
      </main>
      <footer className="relative px-4 pb-4 sm:px-8">
        <LegalLinks className="justify-center" />
      </footer>
    </div>
  );
}
