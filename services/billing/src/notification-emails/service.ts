import { type MailTransport, PermanentMailError } from '@escucho/service-kit';
import type { Database } from '../database.ts';
import { renderEmail } from './messages.ts';
import { mostAttempts, retryDelay } from './policy.ts';
import { type AddressedEmail, notificationEmailRepository } from './repository.ts';

const LEASE = 60_000;
const AT_ONCE = 8;

interface Deps {
  db: Database;
  mailTransport: MailTransport;
  /** Where subscribers see to their card. */
  managementUrl: string;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** Sends what subscribers are to be told, at least once, until a mail server has it. */
export function createNotificationEmailService({ db, mailTransport, managementUrl, report, clock }: Deps) {
  async function send({ id, to, notice, until, attempts }: AddressedEmail): Promise<void> {
    if (to === null) return notificationEmailRepository.remove(db, id);
    try {
      await mailTransport.send({ id, to, ...renderEmail(notice, until, managementUrl) });
      await notificationEmailRepository.remove(db, id);
    } catch (error) {
      const failures = attempts + 1;
      const isOver = error instanceof PermanentMailError || failures >= mostAttempts;
      const reason = error instanceof Error ? error.message : String(error);
      report(
        { notice: id, attempts: failures, reason },
        isOver ? 'notice given up' : 'notice could not be sent yet',
      );
      if (isOver) await notificationEmailRepository.remove(db, id);
      else
        await notificationEmailRepository.postpone(
          db,
          id,
          failures,
          new Date(clock().getTime() + retryDelay(failures)),
        );
    }
  }

  return {
    /** Sends all that is due. */
    async round(): Promise<void> {
      for (;;) {
        const now = clock();
        const taken = await notificationEmailRepository.lease(
          db,
          now,
          new Date(now.getTime() + LEASE),
          AT_ONCE,
        );
        if (taken.length === 0) return;
        await Promise.all(taken.map(send));
      }
    },
  };
}
