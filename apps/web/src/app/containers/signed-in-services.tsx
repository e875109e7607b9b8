import { api } from '@escucho/contracts';
import { useEffect } from 'react';
import { clearRecentSearches } from '#features/articles/recent-searches.ts';
import { closePlaylistPicker, PlaylistPicker } from '#features/playlists/components/track-tools.tsx';
import { onSignedOut, syncEmail, useSession } from '#features/session/session.ts';
import { call } from '#shared/api/client.ts';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { readStorage, writeStorage } from '#shared/storage.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { dismissToasts } from '#shared/ui/toast.tsx';
import { PlayerContainer } from './player-container.tsx';
import { SubscriptionContainer } from './subscription-container.tsx';

const Onboarding = lazyComponent(
  async () => (await import('#features/profile/components/onboarding.tsx')).Onboarding,
  'settings',
);

/** The id of the user whose appearance settings this device has applied. */
const STORAGE_KEY = 'look-of';

/**
 * Applies the theme and language of a user's settings when the user first signs in on this device. Values chosen on this
 * device win over the account's (SHELL-08).
 */
export function useAccountAppearance(userId: string | undefined): void {
  useEffect(() => {
    if (userId === undefined || readStorage(STORAGE_KEY) === userId) return;
    const controller = new AbortController();
    const { signal } = controller;
    void call(api.settings.findSettings, {}, { signal })
      .then(async ({ settings: { theme, language } }) => {
        writeStorage(STORAGE_KEY, userId);
        const { hasChosenColorMode, hasChosenLanguage } = usePreferences.getState();
        if (theme && !hasChosenColorMode) setColorMode(theme, false);
        if (language && !hasChosenLanguage) await setLanguage(language, false);
      })
      // The next visit tries again.
      .catch(() => undefined);
    return () => controller.abort();
  }, [userId]);
}

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
