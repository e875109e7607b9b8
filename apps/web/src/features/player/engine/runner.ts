import type { Track } from '@escucho/contracts';
import { lazyImport } from '#shared/lazy.ts';
import { recordProgress } from '../model/continue-listening.ts';
import { afterRefusal, gateFor } from '../model/gate.ts';
import { isSeek, TICK_INTERVAL_MS, transition } from '../model/machine.ts';
import { getSentenceEnd } from '../model/practice.ts';
import { findTrackToPreload } from '../model/preload.ts';
import { wasSuspended } from '../model/recovery.ts';
import { getOutputVolume, getPlaybackRate } from '../model/sound.ts';
import type {
  Effect,
  Phase,
  PlayerError,
  PlayerEvent,
  PlayerState,
  TabPosition,
  Transition,
} from '../model/state.ts';
import { getTabPosition, getTabSignal } from '../model/tabs.ts';
import { type SendBookmark, startBookmarkSync } from '../sync/bookmarks.ts';
import { getDeviceKind } from '../sync/device.ts';
import { isLatestEntry, type SendProgress, saveProgress, startProgressSync } from '../sync/progress-sync.ts';
import type { AudioPort } from './audio-port.ts';
import { subscribe } from './events.ts';
import { createLoader, type GetAudioUrl } from './loader.ts';
import { setPositionSource } from './position-source.ts';
import { createPreloader, type PrefetchStart } from './preloader.ts';
import { createRecoveryMonitor, secondsSince } from './recovery.ts';
import { useContinueListeningStore, usePlayback, usePlayer } from './store.ts';
import { connectTabs } from './tabs.ts';

const loadPlaceLeft = lazyImport(() => import('./position-notice.ts'));

/** What the player needs of the rest of the app; `app/hosts` hands it in. */
export interface PlayerDeps {
  isSubscribed: () => boolean;
  getAudioUrl: GetAudioUrl;
  prefetchStart: PrefetchStart;
  /** Asks where other devices have gone on; the answer comes as `remotePositionsReceived`. Never rejects. */
  loadRemoteProgress: () => Promise<void>;
  sendProgress: SendProgress;
  sendBookmark: SendBookmark;
  /** The gate was closed: the reader may subscribe (PLAY-04). `again` asks for the same once more. */
  onRefused: (track: Track, again: () => void) => void;
  logError: (message: string, error: PlayerError) => void;
}

const wide = [
  ...(['phase', 'isPlaying', 'volume', 'muted', 'speed', 'queue', 'activeTrack', 'error'] as const),
  ...(['spans', 'practice', 'isPlayingInOtherTab'] as const),
];

/** Tells the stores: the wide one only of what is more than the passing of time, or of a place to be kept. */
function publish(before: PlayerState, { state: after, effects }: Transition, event: PlayerEvent): void {
  const isOther = before.activeTrack?._id !== after.activeTrack?._id;
  const isJump = isOther || isSeek(event);
  if (isJump || before.progress !== after.progress || before.sleep !== after.sleep) {
    const { progress: position, sleep } = after;
    usePlayback.setState(({ buffered, jumps }) => ({
      ...{ position, sleep },
      buffered: isOther ? 0 : buffered,
      jumps: isJump ? jumps + 1 : jumps,
    }));
  }
  const isWide = wide.some((name) => before[name] !== after[name]);
  if (isWide || effects.some(({ type }) => type === 'saveProgress' || type === 'seek'))
    usePlayer.setState(after);
}

/** Ticks each second of playing, and notices when the machine slept over one. In: the audio, whom to tell. Out: turns it on and off. */
function createTicker(audio: AudioPort, happened: (event: PlayerEvent) => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  return (isOn: boolean): void => {
    if (!isOn) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    if (timer) return;
    let last = { at: performance.now(), moment: Date.now(), position: audio.position() };
    timer = setInterval(() => {
      const before = last;
      last = { at: performance.now(), moment: Date.now(), position: audio.position() };
      const { position } = last;
      const away = secondsSince(before.moment);
      if (wasSuspended(away, position - before.position)) happened({ type: 'systemResumed', seconds: away });
      else happened({ type: 'tick', position, seconds: (last.at - before.at) / 1000 });
    }, TICK_INTERVAL_MS);
  };
}

const leastWait = 10;

/** A place that is to be heard of when it is reached, not up to a quarter of a second later. In: what to do then. */
function createWatch(reached: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (seconds: number | null): void => {
    clearTimeout(timer);
    if (seconds !== null) timer = setTimeout(reached, Math.max(leastWait, seconds * 1000));
  };
}

/** Where a track was left by another tab is where it is begun here. */
function keepPlaceOf({ id, position }: TabPosition): void {
  useContinueListeningStore.setState(({ positions: places }) => ({
    positions: { ...places, [id]: position },
  }));
}

/** How effects are carried out. */
function createPerformer(
  audio: AudioPort,
  deps: PlayerDeps,
  loader: ReturnType<typeof createLoader>,
  askAgain: (event: PlayerEvent, track: Track) => void,
) {
  return (effect: Effect, event: PlayerEvent): void => {
    switch (effect.type) {
      case 'load':
        loader.load(effect.track, effect.fresh, effect.isInterrupted);
        break;
      case 'play':
        loader.play();
        break;
      case 'pause':
        audio.pause();
        break;
      case 'unload':
        loader.unload();
        break;
      case 'seek':
        audio.seek(effect.position);
        break;
      case 'setSpeed':
        audio.setSpeed(effect.speed);
        break;
      case 'setVolume':
        audio.setVolume(effect.volume);
        break;
      case 'saveProgress': {
        const { track, position, cause } = effect;
        useContinueListeningStore.setState((listening) => recordProgress(listening, track, position, cause));
        saveProgress({ track: track._id, position, cause });
        break;
      }
      case 'refused':
        deps.onRefused(effect.track, () => askAgain(event, effect.track));
        break;
      case 'positionChanged':
        void loadPlaceLeft().then(({ showPositionChange: sayPlaceLeft }) => sayPlaceLeft(effect));
        break;
      case 'notifyError':
        deps.logError(`"${effect.track.title}" does not play`, effect.error);
        break;
    }
  };
}

/** Who began no longer ago than this goes where another device has gone on meanwhile; seconds. */
const fresh = 30;

const isHeard: readonly Phase[] = ['playing', 'buffering', 'paused'];

/** Runs the player on an audio port. Out: pauses, saves the place and stops. One player runs at a time. */
export function startPlayer(audio: AudioPort, deps: PlayerDeps): () => void {
  let state = usePlayer.getState();
  const ticker = createTicker(audio, (event) => happened(event));
  const rescuer = createRecoveryMonitor((event) => happened(event));
  const watch = createWatch(() => happened({ type: 'time', position: audio.position() }));
  const loader = createLoader({
    audio,
    getAudioUrl: deps.getAudioUrl,
    loadRemoteProgress: deps.loadRemoteProgress,
    wanted: () => state,
    onAddress: (id, url) => happened({ type: 'urlReceived', id, url }),
    onError: (error) =>
      happened(error === 'refused' ? { type: 'refusedByServer' } : { type: 'failed', error }),
  });
  const preload = createPreloader({
    getAudioUrl: deps.getAudioUrl,
    prefetchStart: deps.prefetchStart,
    onAddress: (id, url) => happened({ type: 'urlReceived', id, url }),
  });
  const tabs = connectTabs(
    (word) => happened({ type: 'otherTabPlaying', word }),
    (place) => {
      keepPlaceOf(place);
      happened({ type: 'otherTabMoved', ...place });
    },
  );
  const perform = createPerformer(audio, deps, loader, (event, track) =>
    happened(afterRefusal(event, track, state)),
  );

  function happened(event: PlayerEvent): void {
    const before = state;
    const gate = gateFor(deps.isSubscribed());
    const next = transition(before, event, gate);
    const { state: after, effects } = next;
    state = after;
    publish(before, next, event);
    const word = getTabSignal(before, next);
    if (word) tabs.say(word);
    const place = getTabPosition(before, next);
    if (place) tabs.say(place);
    ticker(after.phase === 'playing');
    for (const effect of effects) perform(effect, event);
    rescuer.look(after);
    preload(findTrackToPreload(after, usePlayback.getState().buffered, gate));
    const boundary = after.phase === 'playing' ? getSentenceEnd(after) : null;
    watch(boundary === null ? null : (boundary - audio.position()) / getPlaybackRate(after));
  }

  const deafen = audio.listen((report) => {
    if (report.type !== 'buffered') return happened(report);
    usePlayback.setState({ buffered: report.to });
    rescuer.look(state);
  });
  audio.setSpeed(getPlaybackRate(state));
  audio.setVolume(getOutputVolume(state));
  const readNoMore = setPositionSource(() =>
    isHeard.includes(state.phase) ? audio.position() : state.progress,
  );
  const sendPlace: SendProgress = async (entry, options) => {
    const waited = entry.at === undefined ? 0 : Math.max(secondsSince(Date.parse(entry.at)), 0);
    const sent = await deps.sendProgress({ ...entry, deviceKind: getDeviceKind(), waited }, options);
    // What was said since says more, unless it goes on from a place that has just proved wrong.
    if (typeof sent === 'object' && (waited < fresh || isLatestEntry(entry)))
      happened({ type: 'remoteIsAhead', id: entry.track, ...sent });
    return sent;
  };
  const sendNoMore = [startProgressSync(sendPlace), startBookmarkSync(deps.sendBookmark)];
  const hearNoMore = subscribe(happened);

  return () => {
    happened({ type: 'pause' });
    hearNoMore();
    tabs.leave();
    ticker(false);
    watch(null);
    rescuer.stop();
    readNoMore();
    deafen();
    loader.unload();
    for (const stop of sendNoMore) stop();
    usePlayer.setState({ phase: 'idle', error: null });
  };
}
