import { api, type RequestInput } from '@escucho/contracts';
import { expect } from 'vitest';
import { startPortal } from './portal.ts';

const { createPlaylist, changePlaylist, findPlaylistContent } = api.playlists;

/** Starts a portal with two users, and returns functions to change playlists and to look at them. */
export async function startPlaylistTest() {
  const portal = await startPortal();
  const { call, send, createUser, articleId, tableChecksums } = portal;

  const me = await createUser();
  const other = await createUser();
  const [nightFerry, greenDoor, elGato, longWalk] = ['night-ferry', 'green-door', 'el-gato', 'long-walk'].map(
    articleId,
  );
  const slugById = new Map(
    ['night-ferry', 'green-door', 'el-gato', 'long-walk', 'picture-book'].map((slug) => [
      articleId(slug),
      slug,
    ]),
  );

  const create = (body: RequestInput<typeof createPlaylist>['body'], token = me.token) =>
    call(createPlaylist, token, { body });
  const change = (
    id: string,
    body: Omit<RequestInput<typeof changePlaylist>['body'], '_id'>,
    token = me.token,
  ) => call(changePlaylist, token, { body: { _id: id, ...body } });
  const findTracks = async (id: string, token = me.token) => {
    const { docs, totalDocs } = await call(findPlaylistContent, token, {
      params: { id },
      query: { limit: 100 },
    });
    expect(totalDocs).toBe(docs.length);
    return docs.map(({ _id }) => slugById.get(_id) ?? _id);
  };

  /** Sends an invalid change, expects that nothing changed, and returns status, code, and path and message of the first field. */
  async function findRefusal(target: typeof createPlaylist | typeof changePlaylist, body: object) {
    const before = await tableChecksums();
    const response = await send(target, { token: me.token, body });
    expect(await tableChecksums()).toEqual(before);
    const { code, fields } = response.json().error;
    return [response.statusCode, code, fields?.[0]?.path, fields?.[0]?.message];
  }

  return {
    ...portal,
    me,
    other,
    tracks: { nightFerry, greenDoor, elGato, longWalk },
    create,
    change,
    findTracks,
    findRefusal,
  };
}
