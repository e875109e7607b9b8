import { api, type ProgressEntry, type Track } from '@escucho/contracts';
import type { PlayerWires } from '../../features/player/player.ts';
import { isSubscribed, openSubscribe } from '../../features/subscription/subscription.ts';
import { ApiError, call } from '../../shared/api/client.ts';

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

async function savePlace(entry: ProgressEntry, { keepalive }: { keepalive: boolean }) {
  try {
    await call(api.listening.saveProgress, { body: entry }, { keepalive });
    return 'taken';
  } catch (error) {
    return isHopeless(error) ? 'hopeless' : 'later';
  }
}

/** What the player is handed of the rest of the app. */
export const playerWires: PlayerWires = {
  isSubscribed,
  audioUrlFor,
  savePlace,
  onRefused: (_, again) => openSubscribe(again),
  log: (message, fault) => console.error(`${message}: ${fault}`),
};
