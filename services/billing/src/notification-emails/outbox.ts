import type { Connection } from '@escucho/database';
import { open } from '../database.ts';
import { renderEmail } from './messages.ts';
import { notificationEmailRepository } from './repository.ts';

/**
 * The mail that was not sent, for the outbox page of those who try the product: newest first, for one address where it
 * is given. `close` lets the database go.
 */
export function openEmailOutbox({
  connection,
  managementUrl,
}: {
  connection: Connection;
  managementUrl: string;
}) {
  const db = open(connection, { name: 'billing outbox', maxConnections: 1 });
  return {
    async list(to: string | undefined) {
      const notices = await notificationEmailRepository.list(db, to);
      return notices.map(({ notice, until, to, createdAt }) => {
        const { subject, text } = renderEmail(notice, until, managementUrl);
        return { to: to ?? '', subject, text, code: null, createdAt };
      });
    },
    close: () => db.destroy(),
  };
}
