import type { Database } from '../database.ts';

/** A mail, with the code in it, if there is one; the text carries the code too. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  code: string | null;
  createdAt: Date;
}

/** A mail that goes out: whose account it is about, its text once more as a page, and when it is of no use any more. */
export interface OutgoingMail extends Mail {
  accountId: string;
  html: string;
  expiresAt: Date;
}

/**
 * Takes mail within the transaction that made what it tells: there is never the one without the other. Mail that reaches
 * nobody is the same work and leaves nothing, so that its time does not tell who has an account.
 */
export interface Mailer {
  post(tx: Database, mail: OutgoingMail, reached?: boolean): Promise<void>;
}
