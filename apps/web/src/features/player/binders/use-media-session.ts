import { limits } from '@escucho/contracts';
import { useEffect } from 'react';
import { dispatch } from '../dispatch.ts';
import { usePlayer } from '../store.ts';

const { skipSeconds } = limits.player;

const session = (): MediaSession | null => ('mediaSession' in navigator ? navigator.mediaSession : null);

const handlers: readonly (readonly [MediaSessionAction, MediaSessionActionHandler])[] = [
  ['play', () => dispatch({ type: 'play' })],
  ['pause', () => dispatch({ type: 'pause' })],
  ['stop', () => dispatch({ type: 'pause' })],
  ['nexttrack', () => dispatch({ type: 'next', removeFromContinue: true })],
  ['previoustrack', () => dispatch({ type: 'previous' })],
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
  const speed = usePlayer((player) => player.speed);

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
