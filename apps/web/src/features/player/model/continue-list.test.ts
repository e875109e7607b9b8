import { describe, expect, it } from 'vitest';
import { anEntry, aTrack, idOf } from '../testing/fixtures.ts';
import {
  adopted,
  dropped,
  keepPlace,
  type Listening,
  nothingBegun,
  placeIn,
  restored,
} from './continue-list.ts';

const [one, two, three] = [anEntry(1), anEntry(2), anEntry(3)];
const begun: Listening = { entries: [one, two], places: {} };
const ids = ({ entries }: Listening) => entries.map(({ _id }) => _id);

describe('continue listening', () => {
  it('[PLAY-05] pausing puts the track first, with its place', () => {
    const { entries } = keepPlace(begun, aTrack(2), 55, 'pause');
    expect(entries).toEqual([{ ...two, progress: 55 }, one]);
  });

  it('[PLAY-05] a track never heard before comes in with what the card shows', () => {
    const { entries } = keepPlace(nothingBegun, aTrack(7), 12, 'tick');
    expect(entries).toEqual([anEntry(7, { progress: 12 })]);
  });

  it.each(['skip', 'ended'] as const)('[PLAY-05] %s takes the track out', (cause) => {
    expect(ids(keepPlace(begun, aTrack(1), 80, cause))).toEqual([two._id]);
  });

  it.each([
    ['pause', 80, 80],
    ['skip', 80, 80],
    ['ended', 100, 0],
  ] as const)('after %s at %d the place is %d', (cause, position, place) => {
    const listening = keepPlace(begun, aTrack(1), position, cause);
    expect(placeIn(listening, { _id: one._id, progress: 3 })).toBe(place);
  });

  it('what was taken out comes back where it was', () => {
    const { entries } = restored(dropped(begun, one._id), one, 0);
    expect(entries).toEqual([one, two]);
  });

  it('the server’s list replaces what was here, but for places it cannot know yet', () => {
    const here: Listening = {
      entries: [{ ...one, progress: 90 }, two],
      places: { [one._id]: 90, [idOf(3)]: 0 },
    };
    const { entries, places } = adopted(here, [three, { ...one, progress: 10 }, anEntry(4)], {
      [one._id]: 90,
      [three._id]: 0,
    });
    expect(entries).toEqual([{ ...one, progress: 90 }, anEntry(4)]);
    expect(places).toEqual({ [one._id]: 90, [three._id]: 0 });
  });
});
