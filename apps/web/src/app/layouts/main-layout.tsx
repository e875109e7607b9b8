import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { clearDiscoverCache } from '#features/catalogue/discover-cache.ts';
import { onSignedOut } from '#features/session/session.ts';
import { createQueryClient } from '#shared/api/query-client.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { useMediaQuery } from '#shared/use-media-query.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { BottomNavigation } from '../shell/bottom-navigation.tsx';
import { DemoNotice } from '../shell/demo-notice.tsx';
import { Header } from '../shell/header.tsx';
import { Navigation } from '../shell/navigation.tsx';
import { OfflineBanner } from '../shell/offline-banner.tsx';
import { PageSearchBox } from '../shell/search-box.tsx';
import { usePageFocus } from '../shell/use-page-focus.ts';

// The page renders before both are loaded.
const SignedInServices = lazyComponent(
  async () => (await import('../containers/signed-in-services.tsx')).SignedInServices,
  'player',
);
const NavigationDrawer = lazyComponent(
  async () => (await import('../shell/navigation-drawer.tsx')).NavigationDrawer,
);

/** Replaces the player when its code did not load or threw. The page above keeps working. */
function PlayerError() {
  const t = useT();
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-2 border-t border-line bg-surface px-4 py-3 text-sm"
    >
      {t('shell.playerMissing')}
      <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
    </div>
  );
}

/** The layout of every page for signed-in users (SHELL-01): header, sidebar, page and player. Sign-out clears the query cache. */
export function MainLayout() {
  const t = useT();
  const [client] = useState(createQueryClient);
  const { key } = useLocation();
  const [open, setOpen] = useState(false);
  const main = usePageFocus();
  const isPhone = useMediaQuery('(width < 48rem)');
  useEffect(
    () =>
      onSignedOut(() => {
        client.clear();
        clearDiscoverCache();
      }),
    [client],
  );
  return (
    <QueryClientProvider client={client}>
      <div className="shell">
        <a href="#main" className="skip-link">
          {t('shell.skip')}
        </a>
        <a href="#player" className="skip-link">
          {t('shell.skipToPlayer')}
        </a>
        <div className="shell-top">
          <Header onNavigation={() => setOpen(true)} />
          <DemoNotice />
          <OfflineBanner />
        </div>
        <div className="shell-side max-md:hidden">
          <Navigation compact />
        </div>
        <Suspense>{open && <NavigationDrawer onClose={() => setOpen(false)} />}</Suspense>
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="min-w-0 px-4 pt-6 pb-12 outline-none sm:px-8 lg:pt-8"
        >
          <PageSearchBox />
          <ErrorBoundary resetKey={key}>
            <Outlet />
          </ErrorBoundary>
        </main>
        <div className="shell-foot">
          <ErrorBoundary resetKey={key} fallback={<PlayerError />}>
            <Suspense fallback={<div className="player-room" />}>
              <SignedInServices />
            </Suspense>
          </ErrorBoundary>
          {isPhone && <BottomNavigation />}
        </div>
      </div>
    </QueryClientProvider>
  );
}
