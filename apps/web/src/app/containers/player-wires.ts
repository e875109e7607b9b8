import { api, type Track } from '@escucho/contracts';
import { fetchFirstSeconds } from '#features/player/audio/first-seconds.ts';
import type { PlayerWires } from '#features/player/engine.ts';
import { expectPlaces } from '#features/player/player.ts';
import { isSubscribed, openSubscribe } from '#features/subscription/subscription.ts';
import { ApiError, call } from '#shared/api/client.ts';
import { toastError } from '#shared/ui/toast.ts';

/** Answers that a later try can change: not signed in just now, too slow, too many. */
const passing = [401, 408, 429];

const isHopeless = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !passing.includes(error.status);

async function audioUrlFor({ _id, playlist }: Track): ReturnType<PlayerWires['audioUrlFor']> {
  try {
    const { url } = await call(api.listening.grantAudio, {
      params: { id: _id },
      query: playlist === null ? {} : { playlist },
    });
    return { url };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal';
    if (code === 'subscription_required') return { fault: 'refused' };
    return { fault: code === 'network' ? 'network' : 'unavailable' };
  }
}

/** Learns where other devices have gone on; without a network they are not known. */
async function learnPlaces(reader: string): Promise<void> {
  const learn = expectPlaces(reader);
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
    return 'taken';
  } catch (error) {
    if (!isHopeless(error)) return 'later';
    onHopeless(error);
    return 'hopeless';
  }
}

const savePlace: PlayerWires['savePlace'] = async (entry, { keepalive }) => {
  const telling = call(api.listening.saveProgress, { body: entry }, { keepalive });
  const sent = await told(telling);
  if (sent !== 'taken') return sent;
  const { progress: position, heardOn } = await telling;
  return heardOn === undefined ? sent : { position, heardOn };
};

const saveBookmark: PlayerWires['saveBookmark'] = (id, bookmark) => {
  const params = { id };
  if (!bookmark) return told(call(api.bookmarks.deleteBookmark, { params }));
  const { track, position, note } = bookmark;
  return told(call(api.bookmarks.saveBookmark, { params, body: { track, position, note } }), toastError);
};

/** What the player is handed of the rest of the app. In: the reader's id. */
export const playerWires = (reader: string): PlayerWires => ({
  isSubscribed,
  audioUrlFor,
  fetchStart: fetchFirstSeconds,
  learnPlaces: () => learnPlaces(reader),
  savePlace,
  saveBookmark,
  onRefused: (_, again) => openSubscribe(again),
  log: (message, fault) => console.error(`${message}: ${fault}`),
});
