import type { ProgressEntry } from '@escucho/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isFromOtherDevice,
  mergeProgress,
  type Progress,
} from '../../../services/portal/src/listening/policy.ts';
import { createGate } from '../../web/src/features/player/model/gate.ts';
import { transition } from '../../web/src/features/player/model/machine.ts';
import {
  emptyPlayer,
  type PlayerEvent,
  type PlayerState,
} from '../../web/src/features/player/model/state.ts';
import { buildTrack, listSource } from '../../web/src/features/player/testing/fixtures.ts';

// The player's state machine of three devices of one user, and the server's merge rule between them.

const FAR_SECONDS = 30;
const SAME_SECONDS = 5;
const tracks = [1, 2, 3].map((number) => buildTrack(number, { duration: 200 }));
const gate = createGate(true);

type Action =
  | { type: 'playFrom' | 'skipTo' | 'remove'; index: number }
  | { type: 'listen'; seconds: number }
  | { type: 'seek'; seconds: number }
  | { type: 'reload' }
  | { type: 'toggle' | 'next' | 'skip' | 'previous' | 'hide' | 'refresh' };

function createServer() {
  const saved = new Map<string, Progress>();
  const sequences = new Map<string, number>();
  const getProgress = (track: string): Progress =>
    saved.get(track) ?? { position: 0, inContinueListening: false, device: null, deviceKind: null };
  return {
    getPositions: () => Object.fromEntries([...saved].map(([track, { position }]) => [track, position])),
    save(entry: ProgressEntry) {
      const before = getProgress(entry.track);
      const lastSequence = sequences.get(`${entry.device} ${entry.track}`) ?? null;
      const context = { lastSequence, duration: 200, unchangedForSeconds: 60 };
      const after = mergeProgress(before, entry, context) ?? before;
      sequences.set(`${entry.device} ${entry.track}`, entry.sequence);
      saved.set(entry.track, after);
      return { before, after, isRemote: isFromOtherDevice(after, entry) };
    },
  };
}

/** Runs the actions of a user who listens on one device at a time, and checks every entry that the server receives. */
function runDevices(steps: readonly { device: number; action: Action }[]): void {
  const server = createServer();
  const devices: PlayerState[] = [0, 1, 2].map(() => emptyPlayer);
  /** The tracks a device has played, or seeked in, since another device saved them. */
  const used = [0, 1, 2].map(() => new Set<string>());
  let sequence = 0;

  function save(
    device: number,
    { track, position, cause }: Pick<ProgressEntry, 'track' | 'position' | 'cause'>,
  ) {
    const entry = { track, device: String(device), sequence: ++sequence, position, cause };
    const { before, after, isRemote } = server.save(entry);
    const wasUsed = used[device]?.has(track);
    if (cause !== 'play' && cause !== 'skip') expect(wasUsed, `${cause} of an unused track`).toBe(true);
    const isSetBack = before.position > FAR_SECONDS && after.position < before.position - SAME_SECONDS;
    if (isSetBack)
      expect(['seek', 'ended', ...(wasUsed ? ['tick', 'pause', 'hide', 'skip'] : [])]).toContain(cause);
    if (after.device === String(device))
      for (const other of [0, 1, 2]) if (other !== device) used[other]?.delete(track);
    if (isRemote)
      dispatch(device, { type: 'remoteIsAhead', id: track, position: after.position, deviceKind: null });
  }

  function dispatch(device: number, event: PlayerEvent): void {
    const { state, effects } = transition(devices[device] ?? emptyPlayer, event, gate);
    devices[device] = state;
    const id = state.activeTrack?._id;
    const isSeek = event.type === 'seek' || event.type === 'remoteIsAhead';
    if (id !== undefined && (isSeek || (event.type === 'started' && state.phase === 'playing')))
      used[device]?.add(id);
    for (const effect of effects)
      if (effect.type === 'saveProgress') save(device, { ...effect, track: effect.track._id });
  }

  function toEvent(action: Exclude<Action, { type: 'listen' | 'reload' }>): PlayerEvent {
    switch (action.type) {
      case 'playFrom':
        return { ...action, type: 'playFrom', source: listSource, tracks };
      case 'remove':
        return { type: 'remove', id: tracks[action.index]?._id ?? '' };
      case 'skipTo':
        return { type: 'skipTo', index: action.index };
      case 'seek':
        return { type: 'seek', position: action.seconds };
      case 'next':
      case 'skip':
        return { type: 'next', removeFromContinue: action.type === 'skip' };
      case 'hide':
        return { type: 'pageHidden' };
      case 'refresh':
        return { type: 'remotePositionsReceived', positions: server.getPositions() };
      default:
        return { type: action.type };
    }
  }

  function act(device: number, action: Action): void {
    if (action.type === 'reload') {
      dispatch(device, { type: 'pageHidden' });
      const { queue, activeTrack, progress } = devices[device] ?? emptyPlayer;
      devices[device] = { ...emptyPlayer, queue, activeTrack, progress };
    } else if (action.type === 'listen') {
      for (let second = 0; second < action.seconds && devices[device]?.phase === 'playing'; second += 1) {
        const position = devices[device].progress + 1;
        dispatch(device, position < 200 ? { type: 'tick', position, seconds: 1 } : { type: 'ended' });
      }
    } else dispatch(device, toEvent(action));
  }

  for (const { device, action } of steps) {
    for (const other of [0, 1, 2]) if (other !== device) dispatch(other, { type: 'pause' });
    act(device, action);
    if (action.type === 'toggle' && devices[device]?.phase === 'loading') continue;
    dispatch(device, { type: 'ready' });
    dispatch(device, { type: 'started' });
  }
}

const index = fc.nat(2);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constantFrom('playFrom' as const, 'skipTo' as const, 'remove' as const), index }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('listen' as const), seconds: fc.nat(90) }) },
  fc.record({ type: fc.constant('seek' as const), seconds: fc.nat(199) }),
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('toggle', 'next', 'skip', 'previous', 'hide', 'refresh', 'reload')
      .map((type) => ({ type }) as Action),
  },
);
const steps = fc.array(fc.record({ device: fc.nat(2), action }), { maxLength: 40 });

it('[PLAY-05] three devices set a saved position back only after a play or a seek of the user', () => {
  fc.assert(fc.property(steps, runDevices), { numRuns: 500 });
});
