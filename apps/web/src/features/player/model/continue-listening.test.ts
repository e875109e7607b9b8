import { describe, expect, it } from 'vitest';
import { buildEntry, buildTrack, toId } from '../testing/fixtures.ts';
import {
  type ContinueListeningState,
  emptyContinueListening,
  getSavedPosition,
  mergeServerEntries,
  recordProgress,
  removeEntry,
  restoreEntry,
} from './continue-listening.ts';

const [one, two, three] = [buildEntry(1), buildEntry(2), buildEntry(3)];
const initial: ContinueListeningState = { entries: [one, two], positions: {} };
const ids = ({ entries }: ContinueListeningState) => entries.map(({ _id }) => _id);

describe('continue listening', () => {
  it('[PLAY-05] pausing moves the track to the front with its position', () => {
    const { entries } = recordProgress(initial, buildTrack(2), 55, 'pause');
    expect(entries).toEqual([{ ...two, progress: 55 }, one]);
  });

  it('[PLAY-05] adds a new track with the fields its card shows', () => {
    const { entries } = recordProgress(emptyContinueListening, buildTrack(7), 12, 'tick');
    expect(entries).toEqual([buildEntry(7, { progress: 12 })]);
  });

  it.each(['skip', 'ended'] as const)('[PLAY-05] %s removes the track', (cause) => {
    expect(ids(recordProgress(initial, buildTrack(1), 80, cause))).toEqual([two._id]);
  });

  it.each([
    ['pause', 80, 80],
    ['skip', 80, 80],
    ['ended', 100, 0],
  ] as const)('after %s at %d the saved position is %d', (cause, position, expected) => {
    const listening = recordProgress(initial, buildTrack(1), position, cause);
    expect(getSavedPosition(listening, { _id: one._id, progress: 3 })).toBe(expected);
  });

  it('restoreEntry inserts a removed entry at its index', () => {
    const { entries } = restoreEntry(removeEntry(initial, one._id), one, 0);
    expect(entries).toEqual([one, two]);
  });

  it('the server’s list replaces the entries except for unsent positions', () => {
    const local: ContinueListeningState = {
      entries: [{ ...one, progress: 90 }, two],
      positions: { [one._id]: 90, [toId(3)]: 0 },
    };
    const { entries, positions } = mergeServerEntries(
      local,
      [three, { ...one, progress: 10 }, buildEntry(4)],
      {
        [one._id]: 90,
        [three._id]: 0,
      },
    );
    expect(entries).toEqual([{ ...one, progress: 90 }, buildEntry(4)]);
    expect(positions).toEqual({ [one._id]: 90, [three._id]: 0 });
  });

  it('[PLAY-05] a position stays known to lists that were loaded before it was sent', () => {
    const played = recordProgress(initial, buildTrack(2), 55, 'pause');
    const merged = mergeServerEntries(
      played,
      [
        { ...two, progress: 70 },
        { ...one, progress: 10 },
      ],
      {},
    );
    const getPosition = (id: string) => getSavedPosition(merged, { _id: id, progress: 3 });
    expect([two._id, one._id].map(getPosition)).toEqual([70, 3]);
  });

  it.each([
    ['an ended track', 'from the beginning', 'ended', [], 0],
    ['an ended track', 'where another device has left it', 'ended', [{ ...one, progress: 70 }], 70],
    ['a skipped track', 'where it was skipped', 'skip', [], 80],
    ['a skipped track', 'where another device has left it', 'skip', [{ ...one, progress: 70 }], 70],
  ] as const)(
    '[PLAY-05] %s in a list that was loaded before starts %s',
    (...[, , cause, fromServer, expected]) => {
      const removed = recordProgress(initial, buildTrack(1), 80, cause);
      const merged = mergeServerEntries(mergeServerEntries(removed, [two], {}), [two, ...fromServer], {});
      expect(getSavedPosition(merged, { _id: one._id, progress: 50 })).toBe(expected);
    },
  );

  it('[PLAY-05] a track that another device has removed starts at the position of the list', () => {
    const played = recordProgress(initial, buildTrack(1), 80, 'pause');
    const merged = mergeServerEntries(played, [two], {});
    expect(getSavedPosition(merged, { _id: one._id, progress: 50 })).toBe(50);
  });

  it('remembers the last 200 removed tracks', () => {
    const positions = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [toId(index), index % 2]));
    const merged = mergeServerEntries({ entries: [], positions }, [], {});
    expect(Object.keys(merged.positions)).toEqual(Object.keys(positions).slice(1));
  });
});
