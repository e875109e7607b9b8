import type { Readable } from 'node:stream';
import { api, type Notification, singleLineText } from '@escucho/contracts';
import { type Language, negotiateLanguage } from '@escucho/service-kit';
import * as z from 'zod/mini';
import type { CurrentUser, Route } from '../accounts/user.ts';
import type { Pagination } from '../pagination.ts';
import type { NotificationRepository, NotificationRow } from './repository.ts';
import {
  createEventStreams,
  createNotificationListener,
  type NotificationListenerDeps,
  STREAM_LIMITS,
  type StreamLimits,
} from './streams.ts';

const title = singleLineText(120).check(z.trim(), z.minLength(1));
const body = singleLineText(500).check(z.trim(), z.minLength(1));
const textSchema = z.object({ titleEn: title, bodyEn: body, titleEs: title, bodyEs: body });

/** The text of a notification as it was entered. */
export type NotificationText = { [Name in keyof z.infer<typeof textSchema>]: string | undefined };

/**
 * Checks that a notification has a title and a body in both languages, one line each.
 *
 * @throws Error when it has not; its message is for the author.
 */
export function parseNotificationText(text: NotificationText): z.infer<typeof textSchema> {
  const result = textSchema.safeParse(text);
  if (result.success) return result.data;
  const invalid = [...new Set(result.error.issues.map(({ path }) => path.join('.')))].join(', ');
  throw new Error(
    `A notification needs titles (one line, 120 characters at most) and bodies (500) in both languages. Look at: ${invalid}.`,
  );
}

const toNotification = (row: NotificationRow, language: Language): Notification => ({
  _id: row.id,
  title: row[`title_${language}`],
  body: row[`body_${language}`],
  createdAt: row.created_at.toISOString(),
});

interface NotificationServiceDeps extends Omit<NotificationListenerDeps, 'onNew'> {
  notifications: NotificationRepository;
  limits: StreamLimits | undefined;
}

/** Notifications in the user's language (CAT-07). */
export function createNotificationService({ limits = STREAM_LIMITS, ...deps }: NotificationServiceDeps) {
  const { notifications } = deps;
  const streams = createEventStreams(limits);
  const listener = createNotificationListener({
    ...deps,
    onNew: (row) => streams.send(row.id, (language) => toNotification(row, language)),
  });
  return {
    /** Returns a page of the notifications by time of publication. */
    async findPage(pagination: Pagination, direction: 'asc' | 'desc', language: Language) {
      const { rows, total } = await notifications.findPage(pagination, direction);
      return { docs: rows.map((row) => toNotification(row, language)), totalDocs: total };
    },

    /**
     * Opens a stream of server-sent events with the notifications published from now on.
     *
     * @throws AppError `too_many_requests`, `unavailable`
     */
    async stream(user: CurrentUser, language: Language): Promise<Readable> {
      await listener.start();
      return streams.open(user.id, language);
    },

    /** Ends all streams and refuses new ones. */
    async close(): Promise<void> {
      streams.close();
      await listener.close();
    },
  };
}

type NotificationService = ReturnType<typeof createNotificationService>;

/** Registers the endpoints of notifications. */
export function registerNotifications(route: Route, notifications: NotificationService): void {
  route(api.notifications.findNotifications).handle(({ query: { sorter, ...pagination }, request }) => {
    const isAscending = sorter?.createdAt === 1 || sorter?.createdAt === 'asc';
    const language = negotiateLanguage(request.headers['accept-language']);
    return notifications.findPage(pagination, isAscending ? 'asc' : 'desc', language);
  });
  route(api.notifications.streamNotifications).stream(({ user, request }) =>
    notifications.stream(user, negotiateLanguage(request.headers['accept-language'])),
  );
}
