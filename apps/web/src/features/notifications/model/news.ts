import { type api, limits, type Notification, type ResponseBody } from '@escucho/contracts';

type Page = ResponseBody<typeof api.notifications.findNotifications>;

/** The newest page with one that has just come; as it was where it is there already. */
export function withNews(page: Page, news: Notification): Page {
  if (page.docs.some(({ _id }) => _id === news._id)) return page;
  return {
    docs: [news, ...page.docs].slice(0, limits.notifications.pageSize),
    totalDocs: page.totalDocs + 1,
  };
}

const shortest = 1000;
const longest = 60_000;

/** Milliseconds to wait before listening again. In: how often it failed since it last went well, and dice (0 up to 1) that keep readers from coming all at once. */
export const waitBefore = (failures: number, dice: number): number =>
  Math.min(longest, shortest * 2 ** failures) * (0.5 + dice / 2);
