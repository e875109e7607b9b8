import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { startProgressMerge } from '#features/player/player.ts';
import { call } from '#shared/api/client.ts';
import { cacheDiscover, readCachedDiscover } from './discover-cache.ts';

/** The request for Discover. */
export const discoverRequest = () => [api.catalogue.discover, {}] as const;

/**
 * Queries Discover (CAT-02), with the stored response of the last visit until it is loaded. The continue-listening entries
 * go to the player, which merges them with what was played since the request.
 */
export const discoverQuery = (userId: string) =>
  queryOptions({
    queryKey: ['discover', userId],
    queryFn: async ({ signal }) => {
      const mergeProgress = startProgressMerge(userId);
      const discover = await call(...discoverRequest(), { signal });
      mergeProgress(discover.continueListening);
      cacheDiscover(userId, discover, Date.now());
      return discover;
    },
    initialData: () => readCachedDiscover(userId, Date.now()),
    // The stored response is shown but always outdated: other devices may have played since.
    initialDataUpdatedAt: 0,
  });
