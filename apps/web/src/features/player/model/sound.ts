import { limits, type Track } from '@escucho/contracts';
import { speedLadder } from './sentences.ts';
import { clampPosition, type Effect, type PlayerState, type Transition } from './state.ts';

/** Louder tracks are attenuated to this level: the reference of ReplayGain, and that of the demo content. */
const TARGET_LOUDNESS_LUFS = -18;
const MIN_GAIN = 0.25;
/** The volume fades out while this much is left on the sleep timer. */
const FADE_SECONDS = 10;
/** How many tracks have a speed of their own; the one chosen longest ago is dropped. */
const MAX_TRACK_SPEEDS = 200;

/** Returns the share of the volume (0.25 to 1) that makes tracks equally loud, from the track's loudness in LUFS. */
export function getGain(loudness: number | null | undefined): number {
  if (typeof loudness !== 'number' || !Number.isFinite(loudness)) return 1;
  return Math.min(Math.max(10 ** ((TARGET_LOUDNESS_LUFS - loudness) / 20), MIN_GAIN), 1);
}

/** Returns the element's volume, 0 to 1. */
export function getOutputVolume({ muted, volume, sleep, activeTrack }: PlayerState): number {
  const fade = typeof sleep === 'number' ? Math.min(sleep / FADE_SECONDS, 1) : 1;
  return muted ? 0 : volume * fade * getGain(activeTrack?.loudness);
}

/** Returns the element's speed: that of the speed ladder's round during its sentence, else the chosen one. */
export const getPlaybackRate = ({ speed, practice, spans }: PlayerState): number =>
  practice?.mode === 'speedLadder' && spans[practice.sentence]
    ? (speedLadder[practice.round] ?? speed)
    : speed;

/**
 * Moves the active track to the element's position. While it plays, the way there counts as played: a suspended machine or
 * a background tab with late timers counts what sounded.
 */
export function moveTo(state: PlayerState, track: Track, position: number): PlayerState {
  const progress = clampPosition(track, position);
  const advance = state.phase === 'playing' ? Math.max(progress - state.progress, 0) : 0;
  return { ...state, progress, secondsPlayed: state.secondsPlayed + advance / getPlaybackRate(state) };
}

/** Rounds a speed to the next step and limits it to the allowed range. */
function clampSpeed(speed: number): number {
  const { min, max, step } = limits.player.anySpeed;
  const limited = Math.min(Math.max(Number.isFinite(speed) ? speed : 1, min), max);
  return Number((Math.round(limited / step) * step).toFixed(2));
}

/** Sets the speed of the active track and of tracks without a speed of their own. */
export function setSpeed(state: PlayerState, requested: number): PlayerState {
  const speed = clampSpeed(requested);
  const id = state.activeTrack?._id;
  if (id === undefined) return { ...state, speed, usualSpeed: speed };
  const others = Object.entries(state.speeds).filter(([trackId]) => trackId !== id);
  const speeds = Object.fromEntries([...others, [id, speed] as const].slice(-MAX_TRACK_SPEEDS));
  return { ...state, speed, usualSpeed: speed, speeds };
}

/** Sets the next faster speed of 1, 1.5 and 2; after 2 it starts again at 1 (PLAY-06). */
export const cycleSpeed = (state: PlayerState): PlayerState =>
  setSpeed(state, limits.player.speeds.find((speed) => speed > state.speed) ?? limits.player.speeds[0]);

/** Sets the volume, limited to 0.01 to 1. */
export const setVolume = (state: PlayerState, volume: number, muted: boolean): PlayerState => ({
  ...state,
  volume: Math.min(Math.max(Number.isFinite(volume) ? volume : 1, 0.01), 1),
  muted,
});

/**
 * Completes a transition: another track has its own speed, no sentences yet and nothing to save, and changes of speed and
 * volume are sent to the element.
 */
export function applySoundSettings(before: PlayerState, { state, effects }: Transition): Transition {
  const id = state.activeTrack?._id;
  const after =
    id === before.activeTrack?._id
      ? state
      : {
          ...state,
          hasPlayed: false,
          secondsPlayed: 0,
          spans: [],
          practice: state.practice && { ...state.practice, sentence: -1, round: 0 },
          speed: (id === undefined ? undefined : state.speeds[id]) ?? state.usualSpeed,
        };
  const settings: Effect[] = [];
  const speed = getPlaybackRate(after);
  const volume = getOutputVolume(after);
  if (speed !== getPlaybackRate(before)) settings.push({ type: 'setSpeed', speed });
  if (volume !== getOutputVolume(before)) settings.push({ type: 'setVolume', volume });
  return { state: after, effects: settings.length > 0 ? [...effects, ...settings] : effects };
}
