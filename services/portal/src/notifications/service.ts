import type { Language } from '@escucho/service-kit';
import { type Paging, windowOf } from '../paging.ts';
import { toNotification } from './presenter.ts';
import type { NotificationRepository } from './repository.ts';

export function notificationService({ notifications }: { notifications: NotificationRepository }) {
  return {
    /** Notifications in the reader's language, newest first (CAT-07). */
    async findPage(paging: Paging, language: Language) {
      const { rows, total } = await notifications.findPage(windowOf(paging));
      return { docs: rows.map((row) => toNotification(row, language)), totalDocs: total };
    },
  };
}

export type NotificationService = ReturnType<typeof notificationService>;
