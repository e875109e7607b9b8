import { api, limits } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

const REFETCH_INTERVAL_MS = 5 * 60_000;

/** Queries the newest ten notifications (CAT-07), again every five minutes while the page is visible. */
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
    refetchInterval: REFETCH_INTERVAL_MS,
  });
