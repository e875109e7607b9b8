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
const begun: ContinueListeningState = { entries: [one, two], positions: {} };
const ids = ({ entries }: ContinueListeningState) => entries.map(({ _id }) => _id);

describe('continue listening', () => {
  it('[PLAY-05] pausing puts the track first, with its place', () => {
    const { entries } = recordProgress(begun, buildTrack(2), 55, 'pause');
    expect(entries).toEqual([{ ...two, progress: 55 }, one]);
  });

  it('[PLAY-05] a track never heard before comes in with what the card shows', () => {
    const { entries } = recordProgress(emptyContinueListening, buildTrack(7), 12, 'tick');
    expect(entries).toEqual([buildEntry(7, { progress: 12 })]);
  });

  it.each(['skip', 'ended'] as const)('[PLAY-05] %s takes the track out', (cause) => {
    expect(ids(recordProgress(begun, buildTrack(1), 80, cause))).toEqual([two._id]);
  });

  it.each([
    ['pause', 80, 80],
    ['skip', 80, 80],
    ['ended', 100, 0],
  ] as const)('after %s at %d the place is %d', (cause, position, place) => {
    const listening = recordProgress(begun, buildTrack(1), position, cause);
    expect(getSavedPosition(listening, { _id: one._id, progress: 3 })).toBe(place);
  });

  it('what was taken out comes back where it was', () => {
    const { entries } = restoreEntry(removeEntry(begun, one._id), one, 0);
    expect(entries).toEqual([one, two]);
  });

  it('the server’s list replaces what was here, but for places it cannot know yet', () => {
    const here: ContinueListeningState = {
      entries: [{ ...one, progress: 90 }, two],
      positions: { [one._id]: 90, [toId(3)]: 0 },
    };
    const { entries, positions: places } = mergeServerEntries(
      here,
      [three, { ...one, progress: 10 }, buildEntry(4)],
      {
        [one._id]: 90,
        [three._id]: 0,
      },
    );
    expect(entries).toEqual([{ ...one, progress: 90 }, buildEntry(4)]);
    expect(places).toEqual({ [one._id]: 90, [three._id]: 0 });
  });
});
