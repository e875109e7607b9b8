import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';

/** What the reader heard, last heard first. */
export const historyQuery = infiniteQueryOptions({
  queryKey: ['history'],
  queryFn: ({ pageParam: page, signal }) =>
    call(api.history.findHistory, { query: { page, limit: limits.pageSize.default } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: (_, pages) => getNextPage(pages),
});

/** Listening in figures, by the days of this device's time zone. */
export const figuresQuery = queryOptions({
  queryKey: ['figures'],
  queryFn: ({ signal }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return call(api.history.findStatistics, { query: { timeZone } }, { signal });
  },
});
