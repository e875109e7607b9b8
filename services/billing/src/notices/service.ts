import { type MailTransport, PermanentMailError } from '@escucho/service-kit';
import type { Database } from '../database.ts';
import { mostAttempts, retryDelay } from './policy.ts';
import { type AddressedNotice, noticeRepository } from './repository.ts';
import { letterOf } from './texts.ts';

const LEASE = 60_000;
const AT_ONCE = 8;

interface Ports {
  db: Database;
  letterbox: MailTransport;
  /** Where subscribers see to their card. */
  managementUrl: string;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** Sends what subscribers are to be told, at least once, until a mail server has it. */
export function noticeService({ db, letterbox, managementUrl, report, clock }: Ports) {
  async function send({ id, to, notice, until, attempts }: AddressedNotice): Promise<void> {
    if (to === null) return noticeRepository.remove(db, id);
    try {
      await letterbox.send({ id, to, ...letterOf(notice, until, managementUrl) });
      await noticeRepository.remove(db, id);
    } catch (error) {
      const failures = attempts + 1;
      const isOver = error instanceof PermanentMailError || failures >= mostAttempts;
      const reason = error instanceof Error ? error.message : String(error);
      report(
        { notice: id, attempts: failures, reason },
        isOver ? 'notice given up' : 'notice could not be sent yet',
      );
      if (isOver) await noticeRepository.remove(db, id);
      else
        await noticeRepository.postpone(db, id, failures, new Date(clock().getTime() + retryDelay(failures)));
    }
  }

  return {
    /** Sends all that is due. */
    async round(): Promise<void> {
      for (;;) {
        const now = clock();
        const taken = await noticeRepository.lease(db, now, new Date(now.getTime() + LEASE), AT_ONCE);
        if (taken.length === 0) return;
        await Promise.all(taken.map(send));
      }
    },
  };
}
