import { type Connection, getErrorMessage } from '@escucho/database';
import { type MailTransport, PermanentMailError } from '@escucho/service-kit';
import { type Database, open } from '../database.ts';
import { renderEmail } from './messages.ts';
import { notificationEmailRepository } from './repository.ts';

interface NotificationEmailDeps {
  db: Database;
  /** Without one, e-mails stay in the database for the outbox page. */
  mailTransport: MailTransport | undefined;
  managementUrl: string;
  report: (details: object, message: string) => void;
}

/** Creates the service that sends notification e-mails, each at least once. */
export function createNotificationEmailService(deps: NotificationEmailDeps) {
  const { db, mailTransport, managementUrl, report } = deps;
  return {
    /** Sends one e-mail. Throws on a temporary failure, so that the job is retried. */
    async send(id: string): Promise<void> {
      const found = mailTransport && (await notificationEmailRepository.find(db, id));
      if (!found) return;
      try {
        if (found.to !== null) {
          const message = renderEmail(found.email, found.until, managementUrl);
          await mailTransport.send({ id, to: found.to, ...message });
        }
      } catch (error) {
        if (!(error instanceof PermanentMailError)) throw error;
        report({ email: id, reason: getErrorMessage(error) }, 'notification e-mail was refused');
      }
      await notificationEmailRepository.remove(db, id);
    },
  };
}

interface OutboxOptions {
  connection: Connection;
  managementUrl: string;
}

/** Opens the unsent e-mails for the outbox page, newest first. `close` disconnects from the database. */
export function openEmailOutbox({ connection, managementUrl }: OutboxOptions) {
  const db = open(connection, { name: 'billing outbox', maxConnections: 1 });
  return {
    async list(address: string | undefined) {
      const emails = await notificationEmailRepository.list(db, address);
      return emails.map(({ email, until, to, createdAt }) => {
        const { subject, text } = renderEmail(email, until, managementUrl);
        return { to: to ?? '', subject, text, code: null, createdAt };
      });
    },
    close: () => db.destroy(),
  };
}
