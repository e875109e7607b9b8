import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { PlaylistService } from './service.ts';

export function registerPlaylistRoutes(route: Route, playlists: PlaylistService): void {
  route(api.playlists.findPlaylist).handle(({ user, params }) => playlists.find(user, params.id));

  route(api.playlists.findPlaylists).handle(({ user, query: { filter, sorter, ...paging } }) => {
    const name = filter?.name;
    return playlists.findPage(user, {
      ...paging,
      origin: filter?.origin,
      notName: name && '$ne' in name ? name.$ne : undefined,
      nameContains: name && '$regex' in name ? name.$regex : undefined,
      oldestFirst: sorter?._created_at === 1,
    });
  });

  route(api.playlists.findPlaylistContent).handle(({ user, params, query }) =>
    playlists.findContent(user, params.id, query),
  );

  route(api.playlists.createPlaylist).handle(({ user, body }) =>
    playlists.create(user, {
      name: body.name,
      active: body.active ?? true,
      added: body['articles.added'] ?? [],
    }),
  );

  route(api.playlists.changePlaylist).handle(async ({ user, body }) => {
    await playlists.change(user, body._id, {
      name: body.name,
      active: body.active,
      added: body['articles.added'],
      removed: body['articles.removed'],
      moved: body['articles.moved'],
    });
    return playlists.find(user, body._id);
  });

  route(api.playlists.deletePlaylist).handle(({ user, params }) => playlists.remove(user, params.id));
  route(api.playlists.restorePlaylist).handle(({ user, params }) => playlists.restore(user, params.id));

  route(api.favourites.addFavourite).handle(({ user, params }) => playlists.addFavourite(user, params.id));
  route(api.favourites.removeFavourite).handle(({ user, params }) =>
    playlists.removeFavourite(user, params.id),
  );
}
