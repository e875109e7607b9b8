import { describe, expect, it } from 'vitest';
import { buildBookmark, buildTrack, toId } from '../testing/fixtures.ts';
import { parseBookmarkStorage } from './bookmarks.ts';

const [early, late] = [buildBookmark(1, 10), buildBookmark(2, 50)];

describe('bookmarks-storage', () => {
  it.each([
    ['nothing', undefined, { owner: null, pending: {}, tracks: {} }],
    ['an invalid object', { waiting: 'x' }, { owner: null, pending: {}, tracks: {} }],
    [
      'added bookmarks with their tracks',
      { owner: 'a', waiting: { [early._id]: early }, tracks: { [early._id]: buildTrack(1) } },
      { owner: 'a', pending: { [early._id]: early }, tracks: { [early._id]: buildTrack(1) } },
    ],
    [
      'a valid queue without its invalid entries',
      {
        owner: 'a',
        waiting: { [early._id]: early, [late._id]: null, x: { note: 7 }, [toId(5)]: early },
      },
      { owner: 'a', pending: { [early._id]: early, [late._id]: null }, tracks: {} },
    ],
  ])('parses %s', (_, stored, expected) => {
    expect(parseBookmarkStorage(stored)).toEqual(expected);
  });
});
