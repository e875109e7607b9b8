import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { clearDiscoverCache } from '#features/catalogue/discover-cache.ts';
import { NextTrack } from '#features/player/player.ts';
import { onSignedOut } from '#features/session/session.ts';
import { createQueryClient } from '#shared/api/query-client.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { useLocation } from '#shared/location.tsx';
import { Button } from '#shared/ui/button.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { usePageFocus } from '../shell/focus-and-scroll.ts';
import { NavigationDrawer } from '../shell/navigation.tsx';
import { PageSearchBox } from '../shell/search-box.tsx';
import { Shell } from '../shell/shell.tsx';

// The page renders before these are loaded.
const Suggestion = lazyComponent(
  async () => (await import('../containers/suggestion.tsx')).Suggestion,
  'player',
);
const SignedInServices = lazyComponent(
  async () => (await import('../containers/signed-in-services.tsx')).SignedInServices,
  'player',
);
const FocusRecovery = lazyComponent(async () => (await import('../shell/focus-recovery.ts')).FocusRecovery);

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

/** The layout of every page for signed-in users: the shell with its data. Sign-out clears the query cache. */
export function MainLayout({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  const { key } = useLocation();
  const [open, setOpen] = useState(false);
  const main = usePageFocus();
  useEffect(() => onSignedOut(() => client.clear()), [client]);
  useEffect(() => onSignedOut(clearDiscoverCache), []);
  return (
    <QueryClientProvider client={client}>
      <NextTrack value={Suggestion}>
        <Shell
          main={main}
          onNavigation={() => setOpen(true)}
          player={
            <ErrorBoundary resetKey={key} fallback={<PlayerError />}>
              <Suspense fallback={<div className="player-room" />}>
                <SignedInServices />
              </Suspense>
            </ErrorBoundary>
          }
        >
          <PageSearchBox />
          <ErrorBoundary resetKey={key}>{children}</ErrorBoundary>
        </Shell>
      </NextTrack>
      <LazyBoundary>
        <FocusRecovery main={main} />
      </LazyBoundary>
      <LazyBoundary onFailed={() => setOpen(false)}>
        {open && <NavigationDrawer onClose={() => setOpen(false)} />}
      </LazyBoundary>
    </QueryClientProvider>
  );
}
