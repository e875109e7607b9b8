import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, send, createUser, articleId, playlistId, tableChecksums } = await startPortal();
const { addFavourite, removeFavourite } = api.playlists;
const { findPlaylists, findPlaylistContent } = api.playlists;

/** Creates a user with the calls that change favourites. */
async function createUserWithFavourites() {
  const { token } = await createUser({ subscribed: true });
  const like = (slug: string) => call(addFavourite, token, { params: { id: articleId(slug) } });
  const unlike = (slug: string) => call(removeFavourite, token, { params: { id: articleId(slug) } });
  const lists = async () => {
    const { docs } = await call(findPlaylists, token, {
      query: { filter: JSON.stringify({ origin: 'auto' }) },
    });
    return docs;
  };
  const tracksOf = async (id: string) => {
    const { docs } = await call(findPlaylistContent, token, { params: { id }, query: {} });
    return docs;
  };
  const favourites = async () => {
    const [list] = await lists();
    return list ? (await tracksOf(list._id)).map(({ _id }) => _id) : undefined;
  };
  return { token, like, unlike, lists, tracksOf, favourites };
}

describe('favourites', () => {
  it('[CAT-08] are a playlist named default of origin auto, created with the first', async () => {
    const { like, lists, favourites } = await createUserWithFavourites();
    expect(await lists()).toEqual([]);
    expect(await like('el-gato')).toEqual({ _id: articleId('el-gato'), like: true });
    expect(await lists()).toMatchObject([{ name: 'default', origin: 'auto', active: true, totalTracks: 1 }]);
    expect(await favourites()).toEqual([articleId('el-gato')]);
  });

  it('[CAT-08] have the latest at the top; a repeated one counts once', async () => {
    const { like, unlike, favourites } = await createUserWithFavourites();
    for (const slug of ['el-gato', 'long-walk', 'night-ferry', 'el-gato']) await like(slug);
    expect(await favourites()).toEqual(['night-ferry', 'long-walk', 'el-gato'].map(articleId));
    for (const _again of [1, 2]) {
      expect(await unlike('long-walk')).toEqual({ _id: articleId('long-walk'), like: false });
      expect(await favourites()).toEqual(['night-ferry', 'el-gato'].map(articleId));
    }
    await like('long-walk');
    expect(await favourites()).toEqual(['long-walk', 'night-ferry', 'el-gato'].map(articleId));
  });

  it('[CAT-08] are created once by concurrent requests', async () => {
    const { like, lists, favourites } = await createUserWithFavourites();
    const slugs = ['el-gato', 'long-walk', 'night-ferry', 'green-door', 'el-gato', 'long-walk'];
    await Promise.all(slugs.map(like));
    expect(await lists()).toMatchObject([{ totalTracks: 4 }]);
    expect(new Set(await favourites())).toEqual(new Set(slugs.map(articleId)));
  });

  it('[CAT-08] removing one that is none creates no playlist', async () => {
    const { unlike, lists } = await createUserWithFavourites();
    expect(await unlike('el-gato')).toEqual({ _id: articleId('el-gato'), like: false });
    expect(await lists()).toEqual([]);
  });

  it('[CAT-08] are flagged in every list, for this user only', async () => {
    const [one, two] = [await createUserWithFavourites(), await createUserWithFavourites()];
    const progress = { device: randomUUID(), sequence: 1, position: 10, cause: 'pause' } as const;
    for (const { token } of [one, two]) {
      await call(api.listening.saveProgress, token, { body: { ...progress, track: articleId('el-gato') } });
    }
    const hearts = async ({ token, tracksOf, lists }: typeof one) => {
      const { rows, continueListening } = await call(api.catalogue.discover, token, {});
      const inRows = rows.flatMap(({ tracks }) => tracks);
      const [favourites] = await lists();
      const listed = [
        ...(await tracksOf(playlistId('latest'))),
        ...(favourites ? await tracksOf(favourites._id) : []),
      ];
      const of = [...inRows, ...listed, ...continueListening].filter(
        ({ _id }) => _id === articleId('el-gato'),
      );
      return of.map(({ like }) => like);
    };
    await one.like('el-gato');
    expect(await hearts(one)).toEqual([true, true, true, true]);
    expect(await hearts(two)).toEqual([false, false, false]);
    await one.unlike('el-gato');
    expect(await hearts(one)).toEqual([false, false, false]);
  });

  it.each([addFavourite, removeFavourite])(
    '[LIST-07] $method of an unknown track is not found',
    async (target) => {
      const { token } = await createUserWithFavourites();
      const before = await tableChecksums();
      const response = await send(target, { token, params: { id: randomUUID() } });
      expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
      expect(await tableChecksums()).toEqual(before);
    },
  );
});
