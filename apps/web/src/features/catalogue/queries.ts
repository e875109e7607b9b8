import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { startProgressMerge } from '../player/player.ts';
import { rememberDiscover, rememberedDiscover } from './remembered.ts';

/**
 * Discover in one answer (CAT-02), as it was last seen until the answer is there. What the answer says of begun tracks goes
 * to the player, which knows what was heard since. In: the reader's id.
 */
export const discoverQuery = (reader: string) =>
  queryOptions({
    queryKey: ['discover', reader],
    queryFn: async ({ signal }) => {
      const learn = startProgressMerge(reader);
      const discover = await call(api.catalogue.discover, {}, { signal });
      learn(discover.continueListening);
      rememberDiscover(reader, discover, Date.now());
      return discover;
    },
    initialData: () => rememberedDiscover(reader, Date.now()),
    // Only to be looked at meanwhile: other devices may have gone on.
    initialDataUpdatedAt: 0,
  });
