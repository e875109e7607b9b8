import type { Notification } from '@escucho/contracts';
import type { Language } from '@escucho/service-kit';
import type { NotificationRow } from './repository.ts';

/** A notification as the wire names it, in one language. */
export function toNotification(row: NotificationRow, language: Language): Notification {
  return {
    _id: row.id,
    title: row[`title_${language}`],
    body: row[`body_${language}`],
    createdAt: row.created_at.toISOString(),
  };
}
