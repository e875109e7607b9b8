import { api, limits } from '@escucho/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** What the reader heard, last heard first. */
export const historyQuery = infiniteQueryOptions({
  queryKey: ['history'],
  queryFn: ({ pageParam: page, signal }) =>
    call(api.history.findHistory, { query: { page, limit: limits.pageSize.default } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: (last, pages) => {
    const loaded = pages.reduce((sum, { docs }) => sum + docs.length, 0);
    return last.docs.length > 0 && loaded < last.totalDocs ? pages.length + 1 : undefined;
  },
});
