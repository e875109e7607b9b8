import type { Connection } from '@escucho/database';
import { open } from '../database.ts';
import { noticeRepository } from './repository.ts';
import { letterOf } from './texts.ts';

/**
 * The mail that was not sent, for the outbox page of those who try the product: newest first, for one address where it
 * is given. `close` lets the database go.
 */
export function unsentNotices({
  connection,
  managementUrl,
}: {
  connection: Connection;
  managementUrl: string;
}) {
  const db = open(connection, { name: 'billing outbox', maxConnections: 1 });
  return {
    async list(to: string | undefined) {
      const notices = await noticeRepository.list(db, to);
      return notices.map(({ notice, until, to, createdAt }) => {
        const { subject, text } = letterOf(notice, until, managementUrl);
        return { to: to ?? '', subject, text, code: null, createdAt };
      });
    },
    close: () => db.destroy(),
  };
}
