import { describe, expect, it } from 'vitest';
import { buildBookmark, toId } from '../testing/fixtures.ts';
import { mergeBookmarks, parseBookmarkStorage } from './bookmarks.ts';

const [early, late] = [buildBookmark(1, 10), buildBookmark(2, 50)];
const ids = (bookmarks: { _id: string }[]) => bookmarks.map(({ _id }) => _id);

describe('bookmarks', () => {
  it.each([
    ['as the server told them, in order', [late, early], {}, [early, late]],
    ['with one made here', [early], { [late._id]: late }, [early, late]],
    ['without one deleted here', [early, late], { [early._id]: null }, [late]],
    [
      'without those of another track',
      [early],
      { [toId(3)]: { ...buildBookmark(3, 5), track: toId(9) } },
      [early],
    ],
  ])('[PLAY-05] %s', (_, told, said, expected) => {
    expect(ids(mergeBookmarks(toId(1), told, said))).toEqual(ids(expected));
  });

  it('[PLAY-05] as they were last changed', () => {
    const said = [{ [early._id]: { ...early, note: 'a' } }, { [early._id]: { ...early, note: 'b' } }];
    expect(mergeBookmarks(toId(1), [early], ...said)).toMatchObject([{ note: 'b' }]);
  });
});

describe('bookmarks-storage', () => {
  it.each([
    ['nothing', undefined, { owner: null, pending: {} }],
    ['something else', { waiting: 'x' }, { owner: null, pending: {} }],
    [
      'what is sound of it',
      {
        owner: 'a',
        waiting: { [early._id]: early, [late._id]: null, x: { note: 7 }, [toId(5)]: early },
      },
      { owner: 'a', pending: { [early._id]: early, [late._id]: null } },
    ],
  ])('reads %s', (_, stored, expected) => {
    expect(parseBookmarkStorage(stored)).toEqual(expected);
  });
});
