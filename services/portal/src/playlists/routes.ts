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
}
