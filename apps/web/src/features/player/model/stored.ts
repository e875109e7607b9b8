import { api, limits, type Track, track } from '@escucho/contracts';
import * as z from 'zod/mini';
import { type ContinueListeningState, emptyContinueListening } from './continue-listening.ts';
import { clampPosition, emptyPlayer, type PlayerState } from './state.ts';

/** Returns the persisted fields of the state (section 3), or null while another tab owns the storage. */
export function toPersistedPlayer(state: PlayerState) {
  if (state.isPlayingInOtherTab) return null;
  const { queue, activeTrack, volume, speed, isPlaying, progress, usualSpeed, speeds } = state;
  return { queue, activeTrack, volume, speed, isPlaying, progress, usualSpeed, speeds };
}

const entriesSchema = api.listening.findContinueListening.response.shape.docs;
const recordSchema = z.looseObject({});

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toRecord = (value: unknown): Record<string, unknown> => recordSchema.safeParse(value).data ?? {};
const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

const { min, max } = limits.player.anySpeed;
const speedOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : fallback;

const toNumbers = (value: unknown, isValid: (number: number) => boolean): Record<string, number> =>
  Object.fromEntries(
    Object.entries(toRecord(value)).flatMap(([id, number]) =>
      typeof number === 'number' && isValid(number) ? [[id, number] as const] : [],
    ),
  );

/** Parses player-storage (PLAY-01) and drops what is invalid. The player is paused and without signed URLs, which expire. */
export function parsePlayer(stored: unknown): Partial<PlayerState> {
  const fields = toRecord(stored);
  const tracks = toArray(fields.queue).flatMap((value) => track.safeParse(value).data ?? []);
  const queue: Track[] = tracks.map((valid) => ({ ...valid, url: null }));
  const activeId = toRecord(fields.activeTrack)._id;
  const active = queue.find(({ _id }) => _id === activeId);
  const volume = numberOr(fields.volume, 1);
  const speed = speedOr(fields.speed, 1);
  return {
    ...emptyPlayer,
    queue,
    activeTrack: active ?? queue[0] ?? null,
    volume: volume >= 0.01 && volume <= 1 ? volume : 1,
    speed,
    usualSpeed: speedOr(fields.usualSpeed, speed),
    speeds: toNumbers(fields.speeds, (value) => speedOr(value, 0) > 0),
    progress: active ? clampPosition(active, numberOr(fields.progress, 0)) : 0,
  };
}

/** Parses continue-listening-storage and drops what is invalid. */
export function parseContinueListening(stored: unknown): ContinueListeningState {
  const fields = toRecord(stored);
  const entries = toArray(fields.entries).flatMap((value) => entriesSchema.safeParse([value]).data ?? []);
  return {
    ...emptyContinueListening,
    entries,
    positions: toNumbers(fields.places, (position) => position >= 0),
  };
}
