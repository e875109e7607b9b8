import { limits } from '@escucho/contracts';
import { useEffect } from 'react';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';
import { getPlaybackRate } from '../model/sound.ts';
import { useReadingPreferences } from '../reading-preferences.ts';

const { skipSeconds } = limits.player;

const session = (): MediaSession | null => ('mediaSession' in navigator ? navigator.mediaSession : null);

/** To the track after or before; by sentences where the reader wants that and there is a text (PLAY-08). */
function goOn(way: 1 | -1): void {
  const isBySentence =
    useReadingPreferences.getState().hasSentenceKeys && usePlayer.getState().spans.length > 0;
  if (isBySentence) dispatch({ type: 'stepSentence', way });
  else if (way > 0) dispatch({ type: 'next', removeFromContinue: true });
  else dispatch({ type: 'previous' });
}

const handlers: readonly (readonly [MediaSessionAction, MediaSessionActionHandler])[] = [
  ['play', () => dispatch({ type: 'play' })],
  ['pause', () => dispatch({ type: 'pause' })],
  ['stop', () => dispatch({ type: 'pause' })],
  ['nexttrack', () => goOn(1)],
  ['previoustrack', () => goOn(-1)],
  ['seekbackward', ({ seekOffset }) => dispatch({ type: 'skipBy', seconds: -(seekOffset ?? skipSeconds) })],
  ['seekforward', ({ seekOffset }) => dispatch({ type: 'skipBy', seconds: seekOffset ?? skipSeconds })],
  [
    'seekto',
    ({ seekTime }) => {
      if (seekTime !== undefined) dispatch({ type: 'seek', position: seekTime });
    },
  ],
];

function setHandlers(media: MediaSession, isOn: boolean): void {
  for (const [action, handler] of handlers) {
    try {
      media.setActionHandler(action, isOn ? handler : null);
    } catch {
      // A browser that does not know the action goes without its button.
    }
  }
}

/** What the lock screen, the headphones and the keyboard's media keys show and do (PLAY-07). */
export function useMediaSession(): void {
  const track = usePlayer((player) => player.activeTrack);
  const isPlaying = usePlayer((player) => player.isPlaying);
  const speed = usePlayer(getPlaybackRate);

  useEffect(() => {
    const media = session();
    if (!media) return;
    setHandlers(media, true);
    return () => setHandlers(media, false);
  }, []);

  const { title, artist, artwork, image } = track ?? {};
  useEffect(() => {
    const media = session();
    if (!media || typeof MediaMetadata === 'undefined') return;
    const pictures = [artwork, image].flatMap((src) =>
      src ? [{ src: new URL(src, location.href).href }] : [],
    );
    media.metadata =
      title === undefined ? null : new MediaMetadata({ title, artist: artist ?? '', artwork: pictures });
  }, [title, artist, artwork, image]);

  useEffect(() => {
    const media = session();
    if (media) media.playbackState = !track ? 'none' : isPlaying ? 'playing' : 'paused';
  }, [track, isPlaying]);

  const duration = track?.duration;
  useEffect(() => {
    const media = session();
    if (!media || !duration) return;
    // It counts on by itself; every change and save of the player puts it right.
    const tell = ({ progress }: { progress: number }) =>
      media.setPositionState?.({ duration, playbackRate: speed, position: Math.min(progress, duration) });
    tell(usePlayer.getState());
    return usePlayer.subscribe(tell);
  }, [duration, speed]);
}
