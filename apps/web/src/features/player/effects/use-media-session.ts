import { limits } from '@escucho/contracts';
import { useEffect } from 'react';
import { useReadingPreferences } from '#shared/reading-preferences.ts';
import { dispatch, usePlayer } from '../engine/store.ts';
import { getPlaybackRate } from '../model/sound.ts';

const { skipSeconds } = limits.player;

const getMediaSession = (): MediaSession | null =>
  'mediaSession' in navigator ? navigator.mediaSession : null;

/** Goes to the next or previous track, or sentence if the user prefers that and the track has text (PLAY-08). */
function step(direction: 1 | -1): void {
  const isBySentence =
    useReadingPreferences.getState().hasSentenceKeys && usePlayer.getState().spans.length > 0;
  if (isBySentence) dispatch({ type: 'stepSentence', direction });
  else if (direction > 0) dispatch({ type: 'next', removeFromContinue: true });
  else dispatch({ type: 'previous' });
}

const handlers: readonly (readonly [MediaSessionAction, MediaSessionActionHandler])[] = [
  ['play', () => dispatch({ type: 'play' })],
  ['pause', () => dispatch({ type: 'pause' })],
  ['stop', () => dispatch({ type: 'pause' })],
  ['nexttrack', () => step(1)],
  ['previoustrack', () => step(-1)],
  ['seekbackward', ({ seekOffset }) => dispatch({ type: 'skipBy', seconds: -(seekOffset ?? skipSeconds) })],
  ['seekforward', ({ seekOffset }) => dispatch({ type: 'skipBy', seconds: seekOffset ?? skipSeconds })],
  [
    'seekto',
    ({ seekTime }) => {
      if (seekTime !== undefined) dispatch({ type: 'seek', position: seekTime });
    },
  ],
];

function setHandlers(session: MediaSession, isOn: boolean): void {
  for (const [action, handler] of handlers) {
    try {
      session.setActionHandler(action, isOn ? handler : null);
    } catch {
      // The browser does not support the action.
    }
  }
}

/** Connects the player to the lock screen, headphones and media keys (PLAY-07). */
export function useMediaSession(): void {
  const track = usePlayer((player) => player.activeTrack);
  const isPlaying = usePlayer((player) => player.isPlaying);
  const speed = usePlayer(getPlaybackRate);

  useEffect(() => {
    const session = getMediaSession();
    if (!session) return;
    setHandlers(session, true);
    return () => setHandlers(session, false);
  }, []);

  const { title, artist, artwork, image } = track ?? {};
  useEffect(() => {
    const session = getMediaSession();
    if (!session || typeof MediaMetadata === 'undefined') return;
    const images = [artwork, image].flatMap((src) =>
      src ? [{ src: new URL(src, location.href).href }] : [],
    );
    session.metadata =
      title === undefined ? null : new MediaMetadata({ title, artist: artist ?? '', artwork: images });
  }, [title, artist, artwork, image]);

  useEffect(() => {
    const session = getMediaSession();
    if (session) session.playbackState = !track ? 'none' : isPlaying ? 'playing' : 'paused';
  }, [track, isPlaying]);

  const duration = track?.duration;
  useEffect(() => {
    const session = getMediaSession();
    if (!session || !duration) return;
    // The browser extrapolates the position; changes and saves of the player correct it.
    const updatePosition = ({ progress }: { progress: number }) =>
      session.setPositionState?.({ duration, playbackRate: speed, position: Math.min(progress, duration) });
    updatePosition(usePlayer.getState());
    return usePlayer.subscribe(updatePosition);
  }, [duration, speed]);
}
