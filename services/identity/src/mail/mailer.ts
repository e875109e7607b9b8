import type { Database } from '../database.ts';

/** A mail as the outbox shows it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The verification code in the text, if any. */
  code: string | null;
  createdAt: Date;
}

/** A mail to be delivered. */
export interface OutgoingMail extends Mail {
  /** The account the mail is about; deleting it deletes the mail. */
  accountId: string;
  html: string;
  /** From then on the mail is not delivered any more. */
  expiresAt: Date;
}

/** Delivers mail. */
export interface Mailer {
  /**
   * Enqueues a mail in the transaction that caused it.
   * @param deliver false for a mail that reaches nobody: the work is the same, so that its time does not reveal whether
   *   an account exists
   */
  enqueue(tx: Database, mail: OutgoingMail, deliver?: boolean): Promise<void>;
}
