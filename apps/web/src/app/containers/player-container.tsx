import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PlayerBar } from '#features/player/components/player-bar.tsx';
import { PlayerEffects } from '#features/player/effects/player-effects.tsx';
import { createHtmlAudio } from '#features/player/engine/html-audio.ts';
import { startPlayer } from '#features/player/engine/runner.ts';
import { clearListening, switchListeningUser } from '#features/player/player.ts';
import { clearBookmarks } from '#features/player/sync/bookmarks.ts';
import { onSignedOut } from '#features/session/session.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { createPlayerDeps } from './create-player-deps.ts';
import { PlayerTools } from './track-tools.tsx';

const Suggestion = lazyComponent(async () => (await import('./suggestion.tsx')).Suggestion, 'player');

/** Runs the player for the signed-in user and renders its bar. */
export function PlayerContainer({ userId }: { userId: string | undefined }) {
  const client = useQueryClient();
  useEffect(() => onSignedOut(clearListening), []);
  useEffect(() => onSignedOut(clearBookmarks), []);
  useEffect(() => {
    if (userId === undefined) return;
    switchListeningUser(userId);
    return startPlayer(createHtmlAudio(), createPlayerDeps(userId, client));
  }, [userId, client]);
  return (
    <>
      <PlayerBar Tools={PlayerTools} Next={Suggestion} />
      <PlayerEffects />
    </>
  );
}
