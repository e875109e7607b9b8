import { limits } from '@escucho/contracts';
import { speedLadder } from './practice.ts';
import type { Effect, PlayerState, Transition } from './state.ts';

/** Louder tracks are turned down to this, in LUFS: ReplayGain's reference, and what our own narration has. */
const evenLoudness = -18;
/** No track is turned down further than to this share, however loud it says it is. */
const leastGain = 0.25;
/** Sound fades while this much is left until sleep; seconds. */
const fade = 10;
/** Tracks that keep a speed of their own; beyond it the one chosen longest ago goes. */
const rememberedSpeeds = 200;

/** The share of its volume that a track is played with, so that all are equally loud: 0.25 to 1. In: LUFS, if known. */
export function getGain(loudness: number | null | undefined): number {
  if (typeof loudness !== 'number' || !Number.isFinite(loudness)) return 1;
  return Math.min(Math.max(10 ** ((evenLoudness - loudness) / 20), leastGain), 1);
}

/** The element's volume, 0 to 1. */
export function getOutputVolume({ muted, volume, sleep, activeTrack }: PlayerState): number {
  const left = typeof sleep === 'number' ? Math.min(sleep / fade, 1) : 1;
  return muted ? 0 : volume * left * getGain(activeTrack?.loudness);
}

/** The element's speed: the chosen one, or that of the ladder's rung. */
export const getPlaybackRate = ({ speed, practice, spans }: PlayerState): number =>
  practice?.mode === 'ladder' && spans.length > 0 ? (speedLadder[practice.round] ?? speed) : speed;

/** A speed between the slowest and the fastest, on the grid of steps. */
export function clampSpeed(speed: number): number {
  const { min, max, step } = limits.player.anySpeed;
  const bounded = Math.min(Math.max(Number.isFinite(speed) ? speed : 1, min), max);
  return Number((Math.round(bounded / step) * step).toFixed(2));
}

/** Chooses a speed, for the active track and for those that have none of their own. */
export function setSpeed(state: PlayerState, wanted: number): PlayerState {
  const speed = clampSpeed(wanted);
  const id = state.activeTrack?._id;
  if (id === undefined) return { ...state, speed, usualSpeed: speed };
  const others = Object.entries(state.speeds).filter(([known]) => known !== id);
  const speeds = Object.fromEntries([...others, [id, speed] as const].slice(-rememberedSpeeds));
  return { ...state, speed, usualSpeed: speed, speeds };
}

/** PLAY-06: 1, 1.5, 2, then 1; from any other speed the next faster of these. */
export const cycleSpeed = (state: PlayerState): PlayerState =>
  setSpeed(state, limits.player.speeds.find((speed) => speed > state.speed) ?? limits.player.speeds[0]);

/** Sets the volume, 0.01 to 1. */
export const setVolume = (state: PlayerState, volume: number, muted: boolean): PlayerState => ({
  ...state,
  volume: Math.min(Math.max(Number.isFinite(volume) ? volume : 1, 0.01), 1),
  muted,
});

/**
 * What follows from a step whatever it was: another track has its own speed and no known text yet, and the element hears
 * of every change of volume and speed.
 */
export function applySoundSettings(before: PlayerState, { state, effects }: Transition): Transition {
  const id = state.activeTrack?._id;
  const after =
    id === before.activeTrack?._id
      ? state
      : {
          ...state,
          spans: [],
          practice: state.practice && { ...state.practice, sentence: -1, round: 0 },
          speed: (id === undefined ? undefined : state.speeds[id]) ?? state.usualSpeed,
        };
  const settings: Effect[] = [];
  const [speed, volume] = [getPlaybackRate(after), getOutputVolume(after)];
  if (speed !== getPlaybackRate(before)) settings.push({ type: 'setSpeed', speed });
  if (volume !== getOutputVolume(before)) settings.push({ type: 'setVolume', volume });
  return { state: after, effects: settings.length > 0 ? [...effects, ...settings] : effects };
}
