import type { Readable } from 'node:stream';
import type { Language } from '@escucho/service-kit';
import type { Reader } from '../accounts/service.ts';
import { type Paging, windowOf } from '../paging.ts';
import type { Announcements } from './announcements.ts';
import { toNotification } from './presenter.ts';
import type { NotificationRepository } from './repository.ts';
import type { EventStreams } from './streams.ts';

interface Ports {
  notifications: NotificationRepository;
  announcements: Pick<Announcements, 'start'>;
  streams: Pick<EventStreams<Language>, 'open'>;
}

/** Notifications in the reader's language (CAT-07). */
export function notificationService({ notifications, announcements, streams }: Ports) {
  return {
    /** Newest first. */
    async findPage(paging: Paging, language: Language) {
      const { rows, total } = await notifications.findPage(windowOf(paging));
      return { docs: rows.map((row) => toNotification(row, language)), totalDocs: total };
    },

    /** Those that are written from now on, as server-sent events. Throws `too_many_requests`, `unavailable`. */
    async stream(reader: Reader, language: Language): Promise<Readable> {
      await announcements.start();
      return streams.open(reader.id, language);
    },
  };
}

export type NotificationService = ReturnType<typeof notificationService>;
