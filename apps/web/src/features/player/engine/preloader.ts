import type { Track } from '@escucho/contracts';
import type { GetAudioUrl } from './loader.ts';

/** Fetches an audio's beginning before it is wanted. Out: whether the address is good, as far as is known. */
export type PrefetchStart = (url: string) => Promise<boolean>;

interface Needs {
  getAudioUrl: GetAudioUrl;
  prefetchStart: PrefetchStart;
  /** The track has another address. */
  onAddress: (id: string, url: string) => void;
}

/** Makes the next track ready to sound, once. Where that fails it is loaded in its turn. In: the track, null for none yet. */
export function createPreloader({ getAudioUrl, prefetchStart, onAddress }: Needs) {
  let prepared: string | undefined;

  async function prepare(track: Track): Promise<void> {
    if (track.url !== null && (await prefetchStart(track.url))) return;
    const answer = await getAudioUrl(track);
    if (!('url' in answer)) return;
    onAddress(track._id, answer.url);
    await prefetchStart(answer.url);
  }

  return (track: Track | null): void => {
    if (!track || track._id === prepared) return;
    prepared = track._id;
    void prepare(track);
  };
}
