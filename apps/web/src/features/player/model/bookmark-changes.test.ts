import { describe, expect, it } from 'vitest';
import { buildBookmark, buildTrack, toId } from '../testing/fixtures.ts';
import { applyChanges, mergeBookmarks, parseBookmarkStorage } from './bookmark-changes.ts';

const [early, late] = [buildBookmark(1, 10), buildBookmark(2, 50)];
const ids = (bookmarks: { _id: string }[]) => bookmarks.map(({ _id }) => _id);

describe('mergeBookmarks', () => {
  it.each([
    ['returns those of the server by position', [late, early], {}, [early, late]],
    ['adds a pending one', [early], { [late._id]: late }, [early, late]],
    ['removes one deleted on this device', [early, late], { [early._id]: null }, [late]],
    [
      'ignores those of another track',
      [early],
      { [toId(3)]: { ...buildBookmark(3, 5), track: toId(9) } },
      [early],
    ],
  ])('[PLAY-05] %s', (_, fromServer, changes, expected) => {
    expect(ids(mergeBookmarks(toId(1), fromServer, changes))).toEqual(ids(expected));
  });

  it('[PLAY-05] applies the last of several changes', () => {
    const changes = [{ [early._id]: { ...early, note: 'a' } }, { [early._id]: { ...early, note: 'b' } }];
    expect(mergeBookmarks(toId(1), [early], ...changes)).toMatchObject([{ note: 'b' }]);
  });
});

describe('applyChanges', () => {
  const entries = [late, early].map((bookmark) => ({ bookmark, track: buildTrack(1), sentence: null }));

  it.each([
    ['keeps the order without changes', [], ['', '']],
    ['leaves out a deleted one', [{ [late._id]: null }], ['']],
    ['shows a changed note', [{ [late._id]: { ...late, note: 'a' } }], ['a', '']],
    ['applies the last change', [{ [late._id]: null }, { [late._id]: { ...late, note: 'b' } }], ['b', '']],
  ])('[PLAY-05] %s', (_, changes, notes) => {
    expect(applyChanges(entries, ...changes).map(({ bookmark }) => bookmark.note)).toEqual(notes);
  });
});

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
