import type { Track } from '@escucho/contracts';
import type { GetAudioUrl } from './loader.ts';

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
