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
    /** Returns whether a URL is pending: what the audio reports is of the former track, or of the former URL. */
    isUrlPending: (): boolean => isUrlPending,
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
    /** Seeks, unless a URL is pending: the audio is that of the former track, and the load starts at the position. */
    seek: (position: number): void => {
      if (!isUrlPending) audio.seek(position);
    },
    unload: (): void => {
      requestCount += 1;
      isUrlPending = false;
      audio.unload();
    },
  };
}

/** More than the 20 seconds of speech that a slow network needs to catch up. */
const PREFETCH_BYTES = 256 * 1024;

function hasSaveData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return (
    typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
  );
}

/**
 * Fetches the first seconds of an audio into the browser's cache, from which the media element reads. With the browser's
 * data saver on, nothing is fetched.
 * @returns false when the URL does not work
 */
export async function prefetchFirstSeconds(url: string): Promise<boolean> {
  if (hasSaveData()) return true;
  try {
    const response = await fetch(url, { headers: { range: `bytes=0-${PREFETCH_BYTES - 1}` } });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

interface PreloaderDeps {
  getAudioUrl: GetAudioUrl;
  /** Fetches the beginning of an audio; resolves to false when the URL does not work. */
  prefetchStart: (url: string) => Promise<boolean>;
  onUrl: (id: string, url: string) => void;
}

/** Creates the function that prepares the next track, each track once; null prepares nothing. Errors are left to its load. */
export function createPreloader({ getAudioUrl, prefetchStart, onUrl }: PreloaderDeps) {
  let preparedId: string | undefined;

  async function prepareTrack(track: Track): Promise<void> {
    if (track.url !== null && (await prefetchStart(track.url))) return;
    const result = await getAudioUrl(track);
    if (!('url' in result)) return;
    onUrl(track._id, result.url);
    await prefetchStart(result.url);
  }

  return (track: Track | null): void => {
    if (!track || track._id === preparedId) return;
    preparedId = track._id;
    void prepareTrack(track);
  };
}
