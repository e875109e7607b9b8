import { useEffect } from 'react';
import { clearRecentSearches } from '#features/articles/recent-searches.ts';
import { closePlaylistPicker, PlaylistPicker } from '#features/playlists/components/playlist-picker.tsx';
import { useAccountAppearance } from '#features/profile/use-account-appearance.ts';
import { onSignedOut, syncEmail, useSession } from '#features/session/session.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { dismissToasts } from '#shared/ui/toast.tsx';
import { PlayerContainer } from './player-container.tsx';
import { SubscriptionContainer } from './subscription-container.tsx';

const Onboarding = lazyComponent(
  async () => (await import('#features/profile/components/onboarding.tsx')).Onboarding,
  'settings',
);

/** The player, the subscription dialogs and the playlist picker of the signed-in user; sign-out clears the user's data. */
export function SignedInServices() {
  const { user } = useSession();
  const userId = user?._id;
  const email = user?.email;
  useAccountAppearance(userId);
  useEffect(() => {
    // The next visit tries again.
    if (email) void syncEmail(email).catch(() => undefined);
  }, [email]);
  useEffect(() => onSignedOut(closePlaylistPicker), []);
  useEffect(() => onSignedOut(clearRecentSearches), []);
  // Another user would undo what this one did.
  useEffect(() => onSignedOut(() => dismissToasts(({ action }) => action !== undefined)), []);
  return (
    <>
      <SubscriptionContainer />
      <PlayerContainer userId={userId} />
      <PlaylistPicker />
      <LazyBoundary>{user?.needsOnboarding && <Onboarding />}</LazyBoundary>
    </>
  );
}
