import { describe, expect, it } from 'vitest';
import { aBookmark, idOf } from '../testing/fixtures.ts';
import { bookmarksOf } from './bookmarks.ts';
import { readSaid } from './stored-bookmarks.ts';

const [early, late] = [aBookmark(1, 10), aBookmark(2, 50)];
const ids = (bookmarks: { _id: string }[]) => bookmarks.map(({ _id }) => _id);

describe('bookmarks', () => {
  it.each([
    ['as the server told them, in order', [late, early], {}, [early, late]],
    ['with one made here', [early], { [late._id]: late }, [early, late]],
    ['without one deleted here', [early, late], { [early._id]: null }, [late]],
    [
      'without those of another track',
      [early],
      { [idOf(3)]: { ...aBookmark(3, 5), track: idOf(9) } },
      [early],
    ],
  ])('[PLAY-05] %s', (_, told, said, expected) => {
    expect(ids(bookmarksOf(idOf(1), told, said))).toEqual(ids(expected));
  });

  it('[PLAY-05] as they were last changed', () => {
    const said = [{ [early._id]: { ...early, note: 'a' } }, { [early._id]: { ...early, note: 'b' } }];
    expect(bookmarksOf(idOf(1), [early], ...said)).toMatchObject([{ note: 'b' }]);
  });
});

describe('bookmarks-storage', () => {
  it.each([
    ['nothing', undefined, { owner: null, waiting: {} }],
    ['something else', { waiting: 'x' }, { owner: null, waiting: {} }],
    [
      'what is sound of it',
      {
        owner: 'a',
        waiting: { [early._id]: early, [late._id]: null, x: { note: 7 }, [idOf(5)]: early },
      },
      { owner: 'a', waiting: { [early._id]: early, [late._id]: null } },
    ],
  ])('reads %s', (_, stored, expected) => {
    expect(readSaid(stored)).toEqual(expected);
  });
});
