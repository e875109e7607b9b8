import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';

/** Queries the listening history, newest first. */
export const historyQuery = infiniteQueryOptions({
  queryKey: ['history'],
  queryFn: ({ pageParam: page, signal }) =>
    call(api.history.findHistory, { query: { page, limit: limits.pageSize.default } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: (_, pages) => getNextPage(pages),
});

/** Queries the listening statistics, by the days of this device's time zone. */
export const statisticsQuery = queryOptions({
  queryKey: ['statistics'],
  queryFn: ({ signal }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return call(api.history.findStatistics, { query: { timeZone } }, { signal });
  },
});
