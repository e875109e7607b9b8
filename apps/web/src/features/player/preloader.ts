import type { Track } from '@escucho/contracts';
import type { AudioUrlFor } from './loader.ts';

/** Fetches an audio's beginning before it is wanted. Out: whether the address is good, as far as is known. */
export type FetchStart = (url: string) => Promise<boolean>;

interface Needs {
  audioUrlFor: AudioUrlFor;
  fetchStart: FetchStart;
  /** The track has another address. */
  onAddress: (id: string, url: string) => void;
}

/** Makes the next track ready to sound, once. Where that fails it is loaded in its turn. In: the track, null for none yet. */
export function createPreloader({ audioUrlFor, fetchStart, onAddress }: Needs) {
  let prepared: string | undefined;

  async function prepare(track: Track): Promise<void> {
    if (track.url !== null && (await fetchStart(track.url))) return;
    const answer = await audioUrlFor(track);
    if (!('url' in answer)) return;
    onAddress(track._id, answer.url);
    await fetchStart(answer.url);
  }

  return (track: Track | null): void => {
    if (!track || track._id === prepared) return;
    prepared = track._id;
    void prepare(track);
  };
}
