import { api, limits } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

/** The newest ten (CAT-07); asked for again every five minutes while the page is looked at. */
export const notificationsQuery = (language: string) =>
  queryOptions({
    queryKey: ['notifications', language],
    queryFn: ({ signal }) =>
      call(
        api.notifications.findNotifications,
        {
          query: {
            page: 1,
            limit: limits.notifications.pageSize,
            sorter: JSON.stringify({ createdAt: -1 }),
          },
        },
        { signal },
      ),
    refetchInterval: 5 * 60_000,
  });
