import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { PlaylistService } from './service.ts';

export function playlistRoutes(route: Route, playlists: PlaylistService): void {
  route(api.playlists.findPlaylist).handledBy(({ reader, params }) => playlists.find(reader, params.id));

  route(api.playlists.findPlaylists).handledBy(({ reader, query: { filter, sorter, ...paging } }) => {
    const name = filter?.name;
    return playlists.findPage(reader, {
      ...paging,
      origin: filter?.origin,
      notName: name && '$ne' in name ? name.$ne : undefined,
      nameContains: name && '$regex' in name ? name.$regex : undefined,
      oldestFirst: sorter?._created_at === 1,
    });
  });

  route(api.playlists.findPlaylistContent).handledBy(({ reader, params, query }) =>
    playlists.findContent(reader, params.id, query),
  );

  route(api.playlists.createPlaylist).handledBy(({ reader, body }) =>
    playlists.create(reader, {
      name: body.name,
      active: body.active ?? true,
      added: body['articles.added'] ?? [],
    }),
  );

  route(api.playlists.changePlaylist).handledBy(async ({ reader, body }) => {
    await playlists.change(reader, body._id, {
      name: body.name,
      active: body.active,
      added: body['articles.added'],
      removed: body['articles.removed'],
      moved: body['articles.moved'],
    });
    return playlists.find(reader, body._id);
  });

  route(api.playlists.deletePlaylist).handledBy(({ reader, params }) => playlists.remove(reader, params.id));
}
