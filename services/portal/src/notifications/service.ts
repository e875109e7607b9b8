import type { Readable } from 'node:stream';
import type { Language } from '@escucho/service-kit';
import type { CurrentUser } from '../accounts/service.ts';
import { type Paging, toWindow } from '../paging.ts';
import type { NotificationListener } from './listener.ts';
import { toNotification } from './presenter.ts';
import type { NotificationRepository } from './repository.ts';
import type { EventStreams } from './streams.ts';

interface NotificationServiceDeps {
  notifications: NotificationRepository;
  announcements: Pick<NotificationListener, 'start'>;
  streams: Pick<EventStreams<Language>, 'open'>;
}

/** Notifications in the reader's language (CAT-07). */
export function createNotificationService({
  notifications,
  announcements,
  streams,
}: NotificationServiceDeps) {
  return {
    /** Newest first. */
    async findPage(paging: Paging, language: Language) {
      const { rows, total } = await notifications.findPage(toWindow(paging));
      return { docs: rows.map((row) => toNotification(row, language)), totalDocs: total };
    },

    /** Those that are written from now on, as server-sent events. Throws `too_many_requests`, `unavailable`. */
    async stream(reader: CurrentUser, language: Language): Promise<Readable> {
      await announcements.start();
      return streams.open(reader.id, language);
    },
  };
}

export type NotificationService = ReturnType<typeof createNotificationService>;
