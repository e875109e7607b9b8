import { api, type Track } from '@escucho/contracts';
import { prefetchFirstSeconds } from '#features/player/engine/preloader.ts';
import type { PlayerDeps } from '#features/player/engine/runner.ts';
import { startProgressMerge } from '#features/player/player.ts';
import { isSubscribed, openSubscribeModal } from '#features/subscription/subscription.ts';
import { ApiError, call } from '#shared/api/client.ts';
import { toastError } from '#shared/ui/toast.ts';

/** Answers that a later try can change: not signed in just now, too slow, too many. */
const passing = [401, 408, 429];

const isHopeless = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !passing.includes(error.status);

async function getAudioUrl({ _id, playlist }: Track): ReturnType<PlayerDeps['getAudioUrl']> {
  try {
    const { url } = await call(api.listening.grantAudio, {
      params: { id: _id },
      query: playlist === null ? {} : { playlist },
    });
    return { url };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal';
    if (code === 'subscription_required') return { error: 'refused' };
    return { error: code === 'network' ? 'network' : 'unavailable' };
  }
}

/** Learns where other devices have gone on; without a network they are not known. */
async function loadRemoteProgress(reader: string): Promise<void> {
  const learn = startProgressMerge(reader);
  try {
    learn((await call(api.listening.findContinueListening, { query: {} })).docs);
  } catch {
    // Sound comes back where it was.
  }
}

/** What became of something that was to be told. In: the telling, and what is done where it is hopeless. */
async function told(telling: Promise<unknown>, onHopeless: (error: unknown) => void = () => undefined) {
  try {
    await telling;
    return 'accepted';
  } catch (error) {
    if (!isHopeless(error)) return 'retryLater';
    onHopeless(error);
    return 'rejected';
  }
}

const sendProgress: PlayerDeps['sendProgress'] = async (entry, { keepalive }) => {
  const telling = call(api.listening.saveProgress, { body: entry }, { keepalive });
  const sent = await told(telling);
  if (sent !== 'accepted') return sent;
  const { progress: position, heardOn } = await telling;
  return heardOn === undefined ? sent : { position, deviceKind: heardOn };
};

const sendBookmark: PlayerDeps['sendBookmark'] = (id, bookmark) => {
  const params = { id };
  if (!bookmark) return told(call(api.bookmarks.deleteBookmark, { params }));
  const { track, position, note } = bookmark;
  return told(call(api.bookmarks.saveBookmark, { params, body: { track, position, note } }), toastError);
};

/** What the player is handed of the rest of the app. In: the reader's id. */
export const playerWires = (reader: string): PlayerDeps => ({
  isSubscribed,
  getAudioUrl,
  prefetchStart: prefetchFirstSeconds,
  loadRemoteProgress: () => loadRemoteProgress(reader),
  sendProgress,
  sendBookmark,
  onRefused: (_, again) => openSubscribeModal(again),
  logError: (message, error) => console.error(`${message}: ${error}`),
});
