import { api, limits, type Track, track } from '@escucho/contracts';
import * as z from 'zod/mini';
import type { ProgressQueue } from '../sync/progress-queue.ts';
import { type ContinueListeningState, emptyContinueListening } from './continue-listening.ts';
import { clampPosition, emptyPlayer, type PlayerState } from './state.ts';

/** What player-storage keeps (section 3), and the speeds chosen by track; null where another tab keeps it. */
export const toPersistedPlayer = (state: PlayerState) => {
  if (state.isPlayingInOtherTab) return null;
  const { queue, activeTrack, volume, speed, isPlaying, progress, usualSpeed, speeds } = state;
  return { queue, activeTrack, volume, speed, isPlaying, progress, usualSpeed, speeds };
};

const entriesOnWire = api.listening.findContinueListening.response.shape.docs;
const entriesToSend = z.array(api.listening.saveProgress.body);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const shape = z.looseObject({});
const fieldsOf = (value: unknown): Record<string, unknown> => shape.safeParse(value).data ?? {};
const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

const { min, max } = limits.player.anySpeed;
const speedOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : fallback;

const numbersOf = (value: unknown, isSound: (number: number) => boolean): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).flatMap(([id, number]) =>
      typeof number === 'number' && isSound(number) ? [[id, number] as const] : [],
    ),
  );

/**
 * The player as player-storage left it (PLAY-01): paused, with whatever is sound of it. In: anything.
 * Signed addresses do not outlive a visit: they are asked for anew.
 */
export function parsePlayer(stored: unknown): Partial<PlayerState> {
  const found = fieldsOf(stored);
  const sound = list(found.queue).flatMap((one) => track.safeParse(one).data ?? []);
  const queue: Track[] = sound.map((track) => ({ ...track, url: null }));
  const activeId = fieldsOf(found.activeTrack)._id;
  const known = queue.find(({ _id }) => _id === activeId);
  const activeTrack = known ?? queue[0] ?? null;
  const volume = numberOr(found.volume, 1);
  const speed = speedOr(found.speed, 1);
  return {
    ...emptyPlayer,
    queue,
    activeTrack,
    volume: volume >= 0.01 && volume <= 1 ? volume : 1,
    speed,
    usualSpeed: speedOr(found.usualSpeed, speed),
    speeds: numbersOf(found.speeds, (value) => speedOr(value, 0) > 0),
    progress: known ? clampPosition(known, numberOr(found.progress, 0)) : 0,
  };
}

/** What continue-listening-storage left: whatever is sound of it. In: anything. */
export function parseContinueListening(stored: unknown): ContinueListeningState {
  const found = fieldsOf(stored);
  const entries = list(found.entries).flatMap((one) => entriesOnWire.safeParse([one]).data ?? []);
  return { ...emptyContinueListening, entries, positions: numbersOf(found.places, (place) => place >= 0) };
}

/** The outbox as it was left. In: anything, and how a new device's id is made when there is none yet. */
export function parseProgressQueue(stored: unknown, newDevice: () => string): ProgressQueue {
  const found = fieldsOf(stored);
  const entries = list(found.entries).flatMap((one) => entriesToSend.safeParse([one]).data ?? []);
  const device =
    typeof found.device === 'string' && /^[0-9a-f-]{36}$/.test(found.device) ? found.device : null;
  if (!device) return { device: newDevice(), sequence: 0, entries: [] };
  const used = Math.max(0, ...entries.map(({ sequence }) => sequence));
  return { device, sequence: Math.max(used, Math.trunc(numberOr(found.sequence, 0))), entries };
}
