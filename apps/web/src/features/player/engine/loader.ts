import type { Track } from '@escucho/contracts';
import type { PlayerError } from '../model/state.ts';
import type { AudioPort } from './html-audio.ts';

/** Requests a signed URL of a track's audio. `refused`: the user may not play it. */
export type GetAudioUrl = (track: Track) => Promise<{ url: string } | { error: PlayerError | 'refused' }>;

interface LoaderDeps {
  audio: AudioPort;
  getAudioUrl: GetAudioUrl;
  loadRemoteProgress: () => Promise<void>;
  /** Returns whether to play, and from where (seconds), at the moment the URL is known. */
  getTarget: () => { isPlaying: boolean; progress: number };
  onUrl: (id: string, url: string) => void;
  onError: (error: PlayerError | 'refused') => void;
}

/**
 * Creates the loader of tracks into the audio element. A track whose URL is known is loaded synchronously, because
 * browsers allow playing only within the user's click.
 */
export function createLoader({
  audio,
  getAudioUrl,
  loadRemoteProgress,
  getTarget,
  onUrl,
  onError,
}: LoaderDeps) {
  let requestCount = 0;
  let isUrlPending = false;

  function loadUrl(url: string): void {
    isUrlPending = false;
    const { isPlaying, progress } = getTarget();
    audio.load(url, progress);
    if (isPlaying) audio.play();
  }

  async function requestUrl(track: Track, checkRemote: boolean): Promise<void> {
    const request = requestCount;
    isUrlPending = true;
    const [result] = await Promise.all([getAudioUrl(track), checkRemote && loadRemoteProgress()]);
    if (request !== requestCount) return;
    isUrlPending = false;
    if (!('url' in result)) return onError(result.error);
    onUrl(track._id, result.url);
    loadUrl(result.url);
  }

  return {
    /** Loads a track; the next `load` or `unload` cancels it. */
    load: (track: Track, refreshUrl: boolean, checkRemote: boolean): void => {
      requestCount += 1;
      audio.pause();
      if (!refreshUrl && track.url) loadUrl(track.url);
      else void requestUrl(track, checkRemote);
    },
    /** Plays, unless a URL is pending: then the load plays. */
    play: (): void => {
      if (!isUrlPending) audio.play();
    },
    unload: (): void => {
      requestCount += 1;
      isUrlPending = false;
      audio.unload();
    },
  };
}
