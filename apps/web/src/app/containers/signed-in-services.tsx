import { type RefObject, useEffect } from 'react';
import { clearRecentSearches } from '#features/articles/recent-searches.ts';
import { closePlaylistPicker, PlaylistPicker } from '#features/playlists/components/playlist-picker.tsx';
import { clearLikes } from '#features/playlists/favourites.ts';
import { useAccountAppearance } from '#features/profile/use-account-appearance.ts';
import { onSignedOut, useSession } from '#features/session/session.ts';
import { useEmailSync } from '#features/session/use-email-sync.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { useFocusRecovery } from '../shell/use-focus-recovery.ts';
import { PlayerContainer } from './player-container.tsx';
import { SubscriptionContainer } from './subscription-container.tsx';

const Onboarding = lazyComponent(
  async () => (await import('#features/profile/components/onboarding.tsx')).Onboarding,
  'settings',
);

/**
 * What the page renders without at first: the player, the subscription dialogs and the playlist picker of the signed-in
 * user, and what follows presses of controls. Sign-out clears the user's data.
 *
 * @param main the main element, in which the focus is recovered
 */
export function SignedInServices({ main }: { main: RefObject<HTMLElement | null> }) {
  const { user } = useSession();
  useFocusRecovery(main);
  useAccountAppearance(user?._id);
  useEmailSync(user?.email);
  useEffect(() => onSignedOut(clearLikes), []);
  useEffect(() => onSignedOut(closePlaylistPicker), []);
  useEffect(() => onSignedOut(clearRecentSearches), []);
  return (
    <>
      <SubscriptionContainer />
      <PlayerContainer userId={user?._id} />
      <PlaylistPicker />
      <LazyBoundary>{user?.needsOnboarding && <Onboarding />}</LazyBoundary>
    </>
  );
}
