import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { getNextPage } from '#shared/pagination.ts';

/** Queries the listening history, newest first. */
export const historyQuery = infiniteQueryOptions({
  queryKey: ['history'],
  queryFn: ({ pageParam: page, signal }) =>
    call(api.listening.findHistory, { query: { page, limit: limits.pageSize.default } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: (_, pages) => getNextPage(pages),
});

/** Requests the history again where it is loaded without a track that was listened to. */
export function updateHistory(client: QueryClient, track: string): void {
  const data = client.getQueryData(historyQuery.queryKey);
  const isMissing = data?.pages.every(({ docs }) => docs.every(({ _id }) => _id !== track));
  // Positions are saved more often than a slow network responds.
  if (isMissing) void client.invalidateQueries(historyQuery, { cancelRefetch: false });
}

/** Queries the listening statistics, by the days of this device's time zone. */
export const statisticsQuery = queryOptions({
  queryKey: ['statistics'],
  queryFn: ({ signal }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // Chromium's names for a machine whose TZ is `UTC-3` or `GMT+5`, which not every Intl accepts. The days are those of UTC.
    const query = /^(?:Etc\/Unknown$|[+-])/.test(timeZone) ? {} : { timeZone };
    return call(api.listening.findStatistics, { query }, { signal });
  },
});

/** Requests the statistics again where they are shown and a minute old, after something was listened to. */
export function updateStatistics(client: QueryClient): void {
  const shown = { queryKey: statisticsQuery.queryKey, type: 'active', stale: true } as const;
  void client.refetchQueries(shown, { cancelRefetch: false });
}
