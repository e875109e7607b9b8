import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { expectPlaces } from '../player/player.ts';

/** Discover in one answer (CAT-02). What it says of begun tracks goes to the player, which knows what was heard since. In: the reader's id. */
export const discoverQuery = (reader: string) =>
  queryOptions({
    queryKey: ['discover', reader],
    queryFn: async ({ signal }) => {
      const learn = expectPlaces(reader);
      const discover = await call(api.catalogue.discover, {}, { signal });
      learn(discover.continueListening);
      return discover;
    },
  });
