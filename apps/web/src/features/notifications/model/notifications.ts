import { type api, limits, type Notification, type ResponseBody } from '@escucho/contracts';

type Page = ResponseBody<typeof api.notifications.findNotifications>;

/** Returns the newest page with a notification in front; unchanged where the page has it already. */
export function addNotification(page: Page, notification: Notification): Page {
  if (page.docs.some(({ _id }) => _id === notification._id)) return page;
  return {
    docs: [notification, ...page.docs].slice(0, limits.notifications.pageSize),
    totalDocs: page.totalDocs + 1,
  };
}

const BASE_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/**
 * Returns the delay before the stream is opened again, in milliseconds: exponential backoff with jitter.
 *
 * @param failures - How often it failed in a row.
 * @param random - From 0 up to 1; spreads the reconnections of many users.
 */
export const getReconnectDelay = (failures: number, random: number): number =>
  Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** failures) * (0.5 + random / 2);
