import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { FavouriteService } from './service.ts';

export function registerFavouriteRoutes(route: Route, favourites: FavouriteService): void {
  route(api.favourites.addFavourite).handle(({ user, params }) => favourites.add(user, params.id));
  route(api.favourites.removeFavourite).handle(({ user, params }) => favourites.remove(user, params.id));
}
