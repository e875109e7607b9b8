import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { FavouriteService } from './service.ts';

export function favouriteRoutes(route: Route, favourites: FavouriteService): void {
  route(api.favourites.addFavourite).handledBy(({ reader, params }) => favourites.add(reader, params.id));
  route(api.favourites.removeFavourite).handledBy(({ reader, params }) =>
    favourites.remove(reader, params.id),
  );
}
