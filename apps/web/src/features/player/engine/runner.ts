import type { Learning, Track } from '@escucho/contracts';
import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.tsx';
import { setSavedPosition } from '../model/continue-listening.ts';
import { createGate, getRetryEvent } from '../model/gate.ts';
import {
  findTrackToPreload,
  hasElementPosition,
  isPlayingOrBuffering,
  isSeek,
  transition,
} from '../model/machine.ts';
import { getTabPosition, getTabSignal } from '../model/remote-progress.ts';
import { getSentenceEnd } from '../model/sentences.ts';
import { getOutputVolume, getPlaybackRate } from '../model/sound.ts';
import type { Effect, Effects, PlayerError, PlayerEvent, TabPosition } from '../model/state.ts';
import { type SendBookmark, startBookmarkSync } from '../sync/bookmarks.ts';
import { isLatestEntry, type SendProgress, saveProgress, startProgressSync } from '../sync/progress-sync.ts';
import { connectTabs, getDeviceKind } from './devices.ts';
import type { AudioPort } from './html-audio.ts';
import { createLoader, createPreloader, type GetAudioUrl } from './loader.ts';
import { createPublisher, updateStores } from './publisher.ts';
import { createPositionTimer, createRecoveryMonitor, createTicker, getSecondsSince } from './recovery.ts';
import {
  dispatch,
  setPositionSource,
  subscribe,
  useContinueListeningStore,
  usePlayback,
  usePlayer,
} from './store.ts';

/** What the player needs from the rest of the app. */
export interface PlayerDeps {
  isSubscribed: () => boolean;
  /** Returns what the user learns, if the user has chosen something. */
  getLearning: () => Learning | undefined;
  getAudioUrl: GetAudioUrl;
  /** Fetches the beginning of an audio; resolves to false when the URL does not work. */
  prefetchStart: (url: string) => Promise<boolean>;
  /** Loads the progress of other devices and dispatches it as `remotePositionsReceived`. Never rejects. */
  loadRemoteProgress: () => Promise<void>;
  sendProgress: SendProgress;
  sendBookmark: SendBookmark;
  /** Called when the user may not play a track (PLAY-04); `retry` repeats the request, once they have subscribed. */
  onRefused: (track: Track, retry: () => void) => void;
  logError: (message: string, error: PlayerError) => void;
  /** How long the stores wait for the sound of a track that loads; milliseconds. */
  loadingDelay: number;
}

/** Shows a toast that the position changed, with a button to go back (PLAY-05). */
function showPositionChange({ track, from, to, reason }: Effects['positionChanged']): void {
  const t = getT();
  const format = getFormat();
  // "On a phone" does not identify the other device to the user of a phone.
  const device = reason === 'otherDevice' || reason === getDeviceKind() ? 'elsewhere' : reason;
  const times = { from: format.time(from), to: format.time(to) };
  toast(t(`tools.left_${device}`, times), 'message', 'top-right', {
    label: t('tools.backTo', { time: times.from }),
    run: () => {
      if (usePlayer.getState().activeTrack?._id === track._id) dispatch({ type: 'seek', position: from });
    },
  });
}

type EffectHandlers = { [Type in keyof Effects]: (effect: Effects[Type], event: PlayerEvent) => void };

/** Progress sent within this time still follows a device that is further ahead; seconds. */
const REMOTE_FOLLOW_LIMIT_SECONDS = 30;

/**
 * Runs the player on an audio port. One player runs at a time.
 * @returns a function that pauses, saves the progress and stops the player
 */
export function startPlayer(audio: AudioPort, deps: PlayerDeps): () => void {
  let state = usePlayer.getState();
  /** How far the active track is loaded; seconds. */
  let buffered = 0;
  const { getAudioUrl, prefetchStart, loadRemoteProgress } = deps;
  const onUrl = (id: string, url: string) => handleEvent({ type: 'urlReceived', id, url });
  const publisher = createPublisher(deps.loadingDelay);
  /** Saves the position of a track that another tab or device has played, so that it starts there. */
  const saveOtherPosition = ({ id, position }: TabPosition) =>
    publisher.publish(() =>
      useContinueListeningStore.setState((list) => setSavedPosition(list, id, position)),
    );
  const setTicking = createTicker(audio, handleEvent);
  const recovery = createRecoveryMonitor(handleEvent);
  const setSentenceTimer = createPositionTimer(() =>
    handleEvent({ type: 'time', position: audio.position() }),
  );
  const loader = createLoader({
    audio,
    getAudioUrl,
    loadRemoteProgress,
    getTarget: () => state,
    onUrl,
    onError: (error) =>
      handleEvent(error === 'refused' ? { type: 'refusedByServer' } : { type: 'failed', error }),
  });
  const preload = createPreloader({ getAudioUrl, prefetchStart, onUrl });
  const tabs = connectTabs(
    (signal) => handleEvent({ type: 'otherTabPlaying', signal }),
    (position) => {
      saveOtherPosition(position);
      handleEvent({ type: 'otherTabMoved', ...position });
    },
  );
  const effectHandlers: EffectHandlers = {
    load: ({ track, refreshUrl, checkRemote }) => loader.load(track, refreshUrl, checkRemote),
    play: loader.play,
    pause: audio.pause,
    unload: loader.unload,
    seek: ({ position }) => loader.seek(position),
    setSpeed: ({ speed }) => audio.setSpeed(speed),
    setVolume: ({ volume }) => audio.setVolume(volume),
    saveProgress: ({ track, position, cause, secondsPlayed }) =>
      saveProgress({ track: track._id, position, cause, secondsPlayed }),
    refused: ({ track }, event) =>
      deps.onRefused(track, () => handleEvent(getRetryEvent(event, track, state))),
    positionChanged: showPositionChange,
    notifyError: ({ track, error }) => deps.logError(`"${track.title}" does not play`, error),
  };
  const runEffect = <Type extends keyof Effects>(effect: Effect<Type>, event: PlayerEvent) =>
    effectHandlers[effect.type](effect, event);

  function handleEvent(event: PlayerEvent): void {
    const before = state;
    const gate = createGate(deps.isSubscribed());
    const next = transition(before, event, gate);
    const { state: after, effects } = next;
    state = after;
    if (before.activeTrack?._id !== after.activeTrack?._id) buffered = 0;
    // A position that the user has chosen is shown at once.
    const mayWait = after.phase === 'loading' && !isSeek(event);
    publisher.publish(() => updateStores(before, next, event), mayWait);
    const signal = getTabSignal(before, next);
    if (signal) tabs.post(signal);
    const position = getTabPosition(before, next);
    if (position) tabs.post(position);
    // In a stall, too: the machine may be suspended in one, or stall when it resumes.
    setTicking(isPlayingOrBuffering(after));
    for (const effect of effects) runEffect(effect, event);
    // A tick brings no audio, so it does not restart the timeout.
    if (event.type !== 'tick') recovery.update(after);
    preload(findTrackToPreload(after, buffered, gate));
    const end = after.phase === 'playing' ? getSentenceEnd(after) : null;
    setSentenceTimer(end === null ? null : (end - audio.position()) / getPlaybackRate(after));
  }

  const stopListening = audio.listen((report) => {
    if (loader.isUrlPending()) return;
    if (report.type !== 'buffered') return handleEvent(report);
    buffered = report.to;
    publisher.publish(() => usePlayback.setState({ buffered: report.to }));
    recovery.update(state);
  });
  audio.setSpeed(getPlaybackRate(state));
  audio.setVolume(getOutputVolume(state));

  const sendProgress: SendProgress = async (entry, options) => {
    const waited = entry.at === undefined ? 0 : Math.max(getSecondsSince(Date.parse(entry.at)), 0);
    const result = await deps.sendProgress({ ...entry, deviceKind: getDeviceKind(), waited }, options);
    // An entry queued since is newer than the position of the other device, unless it continues an outdated one.
    if (typeof result === 'object' && (waited < REMOTE_FOLLOW_LIMIT_SECONDS || isLatestEntry(entry))) {
      const id = entry.track;
      if (id !== state.activeTrack?._id) saveOtherPosition({ id, position: result.position });
      handleEvent({ type: 'remoteIsAhead', id, ...result });
    }
    return result;
  };
  const stops = [
    setPositionSource(() => (hasElementPosition(state) ? audio.position() : state.progress)),
    startProgressSync(sendProgress),
    startBookmarkSync(deps.sendBookmark),
  ];
  const unsubscribe = subscribe((event) => {
    publisher.flush();
    handleEvent(event.type === 'playFrom' ? { ...event, learning: deps.getLearning() } : event);
  });

  return () => {
    handleEvent({ type: 'pause' });
    publisher.flush();
    unsubscribe();
    tabs.close();
    setTicking(false);
    setSentenceTimer(null);
    recovery.stop();
    stopListening();
    loader.unload();
    for (const stop of stops) stop();
    usePlayer.setState({ phase: 'idle', error: null });
  };
}
