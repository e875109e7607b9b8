import type { Track } from '@escucho/contracts';
import { lazyImport } from '#shared/lazy.ts';
import type { AudioPort } from './audio/audio-port.ts';
import { type SendBookmark, sendBookmarksBy } from './bookmark-keeper.ts';
import { deviceKind } from './device.ts';
import { hear } from './dispatch.ts';
import { type AudioUrlFor, createLoader } from './loader.ts';
import { keepPlace } from './model/continue-list.ts';
import { afterRefusal, gateFor } from './model/gate.ts';
import { isSeek, step, tickEvery } from './model/player-machine.ts';
import type { Effect, Fault, Phase, PlayerEvent, PlayerState, Step, TabPlace } from './model/player-state.ts';
import { boundaryOf } from './model/practice.ts';
import { comesNext } from './model/preload.ts';
import { isSlept } from './model/rescue.ts';
import { speedOf, volumeOf } from './model/sound.ts';
import { placeToTabs, wordToTabs } from './model/tabs.ts';
import { isLast, keep, type SendPlace, sendPlacesBy } from './place-keeper.ts';
import { createPreloader, type FetchStart } from './preloader.ts';
import { createRescuer, secondsSince } from './rescuer.ts';
import { readSoundBy } from './sound-clock.ts';
import { useListening, usePlayer, useProgress } from './store.ts';
import { joinTabs } from './tabs.ts';

const loadPlaceLeft = lazyImport(() => import('./place-left.ts'));

/** What the player needs of the rest of the app; `app/hosts` hands it in. */
export interface PlayerWires {
  isSubscribed: () => boolean;
  audioUrlFor: AudioUrlFor;
  fetchStart: FetchStart;
  /** Asks where other devices have gone on; the answer comes as `placesLearned`. Never rejects. */
  learnPlaces: () => Promise<void>;
  savePlace: SendPlace;
  saveBookmark: SendBookmark;
  /** The gate was closed: the reader may subscribe (PLAY-04). `again` asks for the same once more. */
  onRefused: (track: Track, again: () => void) => void;
  log: (message: string, fault: Fault) => void;
}

const wide = [
  ...(['phase', 'isPlaying', 'volume', 'muted', 'speed', 'queue', 'activeTrack', 'fault'] as const),
  ...(['spans', 'practice', 'isElsewhere'] as const),
];

/** Tells the stores: the wide one only of what is more than the passing of time, or of a place to be kept. */
function publish(before: PlayerState, { state: after, effects }: Step, event: PlayerEvent): void {
  const isOther = before.activeTrack?._id !== after.activeTrack?._id;
  const isJump = isOther || isSeek(event);
  if (isJump || before.progress !== after.progress || before.sleep !== after.sleep) {
    const { progress: position, sleep } = after;
    useProgress.setState(({ buffered, jumps }) => ({
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
      if (isSlept(away, position - before.position)) happened({ type: 'woke', seconds: away });
      else happened({ type: 'tick', position, seconds: (last.at - before.at) / 1000 });
    }, tickEvery);
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
function keepPlaceOf({ id, position }: TabPlace): void {
  useListening.setState(({ places }) => ({ places: { ...places, [id]: position } }));
}

/** How effects are carried out. */
function createPerformer(
  audio: AudioPort,
  wires: PlayerWires,
  loader: ReturnType<typeof createLoader>,
  askAgain: (event: PlayerEvent, track: Track) => void,
) {
  return (effect: Effect, event: PlayerEvent): void => {
    switch (effect.type) {
      case 'load':
        loader.load(effect.track, effect.fresh, effect.isCutOff);
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
        useListening.setState((listening) => keepPlace(listening, track, position, cause));
        keep({ track: track._id, position, cause });
        break;
      }
      case 'refused':
        wires.onRefused(effect.track, () => askAgain(event, effect.track));
        break;
      case 'placeLeft':
        void loadPlaceLeft().then(({ sayPlaceLeft }) => sayPlaceLeft(effect));
        break;
      case 'notifyError':
        wires.log(`"${effect.track.title}" does not play`, effect.fault);
        break;
    }
  };
}

/** Who began no longer ago than this goes where another device has gone on meanwhile; seconds. */
const fresh = 30;

const isHeard: readonly Phase[] = ['playing', 'buffering', 'paused'];

/** Runs the player on an audio port. Out: pauses, saves the place and stops. One player runs at a time. */
export function startPlayer(audio: AudioPort, wires: PlayerWires): () => void {
  let state = usePlayer.getState();
  const ticker = createTicker(audio, (event) => happened(event));
  const rescuer = createRescuer((event) => happened(event));
  const watch = createWatch(() => happened({ type: 'time', position: audio.position() }));
  const loader = createLoader({
    audio,
    audioUrlFor: wires.audioUrlFor,
    learnPlaces: wires.learnPlaces,
    wanted: () => state,
    onAddress: (id, url) => happened({ type: 'addressLearned', id, url }),
    onFault: (fault) =>
      happened(fault === 'refused' ? { type: 'refusedByServer' } : { type: 'failed', fault }),
  });
  const preload = createPreloader({
    audioUrlFor: wires.audioUrlFor,
    fetchStart: wires.fetchStart,
    onAddress: (id, url) => happened({ type: 'addressLearned', id, url }),
  });
  const tabs = joinTabs(
    (word) => happened({ type: 'heardElsewhere', word }),
    (place) => {
      keepPlaceOf(place);
      happened({ type: 'movedElsewhere', ...place });
    },
  );
  const perform = createPerformer(audio, wires, loader, (event, track) =>
    happened(afterRefusal(event, track, state)),
  );

  function happened(event: PlayerEvent): void {
    const before = state;
    const gate = gateFor(wires.isSubscribed());
    const next = step(before, event, gate);
    const { state: after, effects } = next;
    state = after;
    publish(before, next, event);
    const word = wordToTabs(before, next);
    if (word) tabs.say(word);
    const place = placeToTabs(before, next);
    if (place) tabs.say(place);
    ticker(after.phase === 'playing');
    for (const effect of effects) perform(effect, event);
    rescuer.look(after);
    preload(comesNext(after, useProgress.getState().buffered, gate));
    const boundary = after.phase === 'playing' ? boundaryOf(after) : null;
    watch(boundary === null ? null : (boundary - audio.position()) / speedOf(after));
  }

  const deafen = audio.listen((report) => {
    if (report.type !== 'buffered') return happened(report);
    useProgress.setState({ buffered: report.to });
    rescuer.look(state);
  });
  audio.setSpeed(speedOf(state));
  audio.setVolume(volumeOf(state));
  const readNoMore = readSoundBy(() => (isHeard.includes(state.phase) ? audio.position() : state.progress));
  const sendPlace: SendPlace = async (entry, options) => {
    const waited = entry.at === undefined ? 0 : Math.max(secondsSince(Date.parse(entry.at)), 0);
    const sent = await wires.savePlace({ ...entry, deviceKind: deviceKind(), waited }, options);
    // What was said since says more, unless it goes on from a place that has just proved wrong.
    if (typeof sent === 'object' && (waited < fresh || isLast(entry)))
      happened({ type: 'goneOn', id: entry.track, ...sent });
    return sent;
  };
  const sendNoMore = [sendPlacesBy(sendPlace), sendBookmarksBy(wires.saveBookmark)];
  const hearNoMore = hear(happened);

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
    usePlayer.setState({ phase: 'idle', fault: null });
  };
}
