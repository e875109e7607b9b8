import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { id } from '../fields.ts';

const liked = z.object({ _id: id, like: z.boolean() });

/** Favourites (CAT-08) are the user's playlist named `default`, origin `auto`, created with the first like. */
export const addFavourite = endpoint({
  method: 'PUT',
  path: '/favourites/:id',
  summary: 'Puts a track at the top of the favourites; one that is there stays where it is',
  params: z.object({ id }),
  response: liked,
  errors: ['not_found', 'limit_reached'],
});

export const removeFavourite = endpoint({
  method: 'DELETE',
  path: '/favourites/:id',
  summary: 'Removes a track from the favourites, if it is there',
  params: z.object({ id }),
  response: liked,
  errors: ['not_found'],
});
