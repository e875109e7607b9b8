import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import type { Notification } from './notification-texts.ts';
import type { Mailer } from './repository.ts';
import { createNotificationMail } from './templates.ts';

const NOTIFICATION_LIFETIME_MS = 3 * 24 * 3_600_000;

/**
 * Creates a function that notifies the owner of an account by mail, in the transaction of the change. Users of other
 * providers may have no address; nobody is notified then.
 * @param deliver false for a mail that reaches nobody, so that the work is the same
 */
export function createNotifier({ mailer, clock }: { mailer: Mailer; clock: () => Date }) {
  return async function notifyOwner(
    tx: Database,
    { id, email }: { id: string; email: string | null },
    notification: Notification,
    { language }: Pick<Caller, 'language'>,
    deliver = true,
  ): Promise<void> {
    if (email === null) return;
    const createdAt = clock();
    const mail = {
      accountId: id,
      to: email,
      ...createNotificationMail(notification, language),
      code: null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + NOTIFICATION_LIFETIME_MS),
    };
    await mailer.enqueue(tx, mail, deliver);
  };
}

export type Notifier = ReturnType<typeof createNotifier>;
