import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { clearDiscoverCache } from '#features/catalogue/discover-cache.ts';
import { onSignedOut } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { makeQueryClient } from '../query-client.ts';
import { Header } from '../shell/header.tsx';
import { Navigation } from '../shell/navigation.tsx';
import { OfflineBanner } from '../shell/offline-banner.tsx';
import { usePageFocus } from '../shell/use-page-focus.ts';

// The page waits for neither.
const PlayerHost = lazyComponent(
  async () => (await import('../containers/player-host.tsx')).PlayerHost,
  'player',
);
const NavigationDrawer = lazyComponent(
  async () => (await import('../shell/navigation-drawer.tsx')).NavigationDrawer,
);

/** In the player's place when its code did not arrive, or broke: the page above goes on. */
function PlayerMissing() {
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

/** What surrounds every page for a signed-in reader (SHELL-01): header, sidebar, the page, the player. A reader's answers go when the reader goes. */
export function MainLayout() {
  const t = useT();
  const [client] = useState(makeQueryClient);
  const { key: place } = useLocation();
  const [open, setOpen] = useState(false);
  const main = usePageFocus();
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
        <div className="shell-top">
          <Header onNavigation={() => setOpen(true)} />
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
          <ErrorBoundary place={place}>
            <Outlet />
          </ErrorBoundary>
        </main>
        <div className="shell-foot">
          <ErrorBoundary place={place} instead={<PlayerMissing />}>
            <Suspense fallback={<div className="player-room" />}>
              <PlayerHost />
            </Suspense>
          </ErrorBoundary>
        </div>
      </div>
    </QueryClientProvider>
  );
}
