import { api, type Track } from '@escucho/contracts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { updateHistory, updateStatistics } from '#features/history/queries.ts';
import { PlayerBar } from '#features/player/components/player-bar.tsx';
import { PlayerEffects } from '#features/player/effects/player-effects.tsx';
import { createHtmlAudio } from '#features/player/engine/html-audio.ts';
import { prefetchFirstSeconds } from '#features/player/engine/loader.ts';
import type { PlayerDeps } from '#features/player/engine/runner.ts';
import { startPlayer } from '#features/player/engine/runner.ts';
import {
  clearListening,
  startProgressMerge,
  switchListeningUser,
  TrackTools,
} from '#features/player/player.ts';
import { clearBookmarks } from '#features/player/sync/bookmarks.ts';
import { getUser, isSubscribed, onSignedOut } from '#features/session/session.ts';
import { openSubscribeModal, refreshSubscriptionStatus } from '#features/subscription/subscription.ts';
import { ApiError, call, ignoreMissing } from '#shared/api/client.ts';
import { toastError } from '#shared/ui/toast.tsx';
import { PlayerTools } from './track-tools.tsx';

/** Client errors that a retry can resolve: an expired session, a timeout, a rate limit. */
const RETRYABLE_STATUSES = [401, 408, 429];

const isPermanent = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !RETRYABLE_STATUSES.includes(error.status);

/** Shows what needs a subscription, after the server has refused a track because the subscription has ended. */
async function lockTracks(client: QueryClient): Promise<void> {
  // The lists have signed URLs of what the user might play when they were loaded.
  if (!(await refreshSubscriptionStatus())) await client.invalidateQueries();
}

async function getAudioUrl(
  { _id, playlist }: Track,
  client: QueryClient,
): ReturnType<PlayerDeps['getAudioUrl']> {
  try {
    const { url } = await call(api.listening.grantAudio, {
      params: { id: _id },
      query: playlist === null ? {} : { playlist },
    });
    return { url };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal';
    if (code === 'subscription_required') {
      void lockTracks(client);
      return { error: 'refused' };
    }
    return { error: code === 'network' ? 'network' : 'unavailable' };
  }
}

/** Merges the progress saved by other devices. Without a network, playback resumes from this device's. */
async function loadRemoteProgress(userId: string): Promise<void> {
  const merge = startProgressMerge(userId);
  try {
    merge((await call(api.listening.findContinueListening, { query: {} })).docs);
  } catch {
    // The next start tries again.
  }
}

/** Returns what the queue does with a request, and calls `onRejected` if no retry can succeed. */
async function toSendResult(
  request: Promise<unknown>,
  onRejected: (error: unknown) => void = () => undefined,
) {
  try {
    await request;
    return 'accepted';
  } catch (error) {
    if (!isPermanent(error)) return 'retryLater';
    onRejected(error);
    return 'rejected';
  }
}

const createSendProgress =
  (client: QueryClient): PlayerDeps['sendProgress'] =>
  async (entry, { keepalive }) => {
    const request = call(api.listening.saveProgress, { body: entry }, { keepalive });
    const result = await toSendResult(request);
    if (result !== 'accepted') return result;
    // A track that is skipped is not listed.
    if (entry.cause !== 'skip') updateHistory(client, entry.track);
    updateStatistics(client);
    const { progress: position, deviceKind } = await request;
    return deviceKind === undefined ? result : { position, deviceKind };
  };

const sendBookmark: PlayerDeps['sendBookmark'] = (id, bookmark) => {
  const params = { id };
  if (!bookmark) return toSendResult(call(api.bookmarks.deleteBookmark, { params }).catch(ignoreMissing));
  const { track, position, note, createdAt } = bookmark;
  const body = { track, position, note, createdAt };
  return toSendResult(call(api.bookmarks.saveBookmark, { params, body }), toastError);
};

/** Connects the player of a user to the API, the history, the subscription and the toasts. */
const createPlayerDeps = (userId: string, client: QueryClient): PlayerDeps => ({
  isSubscribed,
  getLearning: () => getUser()?.learning,
  getAudioUrl: (track) => getAudioUrl(track, client),
  prefetchStart: prefetchFirstSeconds,
  loadRemoteProgress: () => loadRemoteProgress(userId),
  sendProgress: createSendProgress(client),
  sendBookmark,
  onRefused: (_, retry) => openSubscribeModal(retry),
  logError: (message, error) => console.error(`${message}: ${error}`),
  // A change on screen that follows a press within 100 ms looks immediate.
  loadingDelay: 80,
});

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
      <TrackTools value={PlayerTools}>
        <PlayerBar />
      </TrackTools>
      <PlayerEffects />
    </>
  );
}
