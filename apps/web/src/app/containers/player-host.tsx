import { useEffect } from 'react';
import { clearRecentSearches } from '#features/articles/recent-searches.ts';
import { PlayerBar } from '#features/player/components/player-bar.tsx';
import { PlayerEffects } from '#features/player/effects/player-effects.tsx';
import { createHtmlAudio } from '#features/player/engine/html-audio.ts';
import { startPlayer } from '#features/player/engine/runner.ts';
import { clearListening, switchListeningUser } from '#features/player/player.ts';
import { clearBookmarks } from '#features/player/sync/bookmarks.ts';
import { closePlaylistPicker, PlaylistPicker } from '#features/playlists/components/playlist-picker.tsx';
import { clearLikes } from '#features/playlists/favourites.ts';
import { useAccountAppearance } from '#features/profile/use-account-appearance.ts';
import { onSignedOut, useSession } from '#features/session/session.ts';
import { setSubscription } from '#features/subscription/subscription.ts';
import { BillingHost } from './billing-host.tsx';
import { OperatorHost } from './operator-host.tsx';
import { PlayerTools } from './player-tools.tsx';
import { playerWires } from './player-wires.ts';

/** The player and the subscribe modal in the page, tied to who is signed in; what else follows the reader does so here. */
export function PlayerHost() {
  const { user, subscription } = useSession();
  const reader = user?._id;
  useAccountAppearance(reader);
  useEffect(() => setSubscription(subscription), [subscription]);
  useEffect(() => onSignedOut(clearListening), []);
  useEffect(() => onSignedOut(clearBookmarks), []);
  useEffect(() => onSignedOut(clearLikes), []);
  useEffect(() => onSignedOut(closePlaylistPicker), []);
  useEffect(() => onSignedOut(clearRecentSearches), []);
  useEffect(() => {
    if (reader === undefined) return;
    switchListeningUser(reader);
    return startPlayer(createHtmlAudio(), playerWires(reader));
  }, [reader]);
  return (
    <>
      <PlayerBar Tools={PlayerTools} />
      <PlayerEffects />
      {user?.platform ? <OperatorHost platform={user.platform} /> : user && <BillingHost user={user} />}
      <PlaylistPicker />
    </>
  );
}
