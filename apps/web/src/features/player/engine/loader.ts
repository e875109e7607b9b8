import type { Track } from '@escucho/contracts';
import type { PlayerError } from '../model/state.ts';
import type { AudioPort } from './audio-port.ts';

/** A fresh signed address of a track's audio; `refused` when the reader may not play it, otherwise why there is none. */
export type GetAudioUrl = (track: Track) => Promise<{ url: string } | { error: PlayerError | 'refused' }>;

interface Needs {
  audio: AudioPort;
  getAudioUrl: GetAudioUrl;
  loadRemoteProgress: () => Promise<void>;
  /** Whether sound is wanted, and from where, once the address is there. */
  wanted: () => { isPlaying: boolean; progress: number };
  /** The track has another address. */
  onAddress: (id: string, url: string) => void;
  onError: (error: PlayerError | 'refused') => void;
}

/** Brings audio into the element: at once where the address is known, so that the browser counts it to the reader's click. */
export function createLoader({ audio, getAudioUrl, loadRemoteProgress, wanted, onAddress, onError }: Needs) {
  let loads = 0;
  let isAwaited = false;

  function begin(url: string): void {
    isAwaited = false;
    const { isPlaying, progress } = wanted();
    audio.load(url, progress);
    // A loaded element is paused, whatever it did before.
    if (isPlaying) audio.play();
  }

  async function renew(track: Track, isInterrupted: boolean): Promise<void> {
    const mine = loads;
    isAwaited = true;
    const [answer] = await Promise.all([getAudioUrl(track), isInterrupted && loadRemoteProgress()]);
    if (mine !== loads) return;
    isAwaited = false;
    if (!('url' in answer)) return onError(answer.error);
    onAddress(track._id, answer.url);
    begin(answer.url);
  }

  return {
    /** Loads a track, by a fresh address if asked to; what was cut off also learns what other devices have done. A later load or unload overtakes it. */
    load: (track: Track, fresh: boolean, isInterrupted: boolean): void => {
      loads += 1;
      audio.pause();
      if (!fresh && track.url) begin(track.url);
      else void renew(track, isInterrupted);
    },
    /** Sounds, unless the address is still awaited: then the load itself does. */
    play: (): void => {
      if (!isAwaited) audio.play();
    },
    unload: (): void => {
      loads += 1;
      isAwaited = false;
      audio.unload();
    },
  };
}
