import type { Database } from '../database.ts';

/** A mail with a code in it. The text carries the code too. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  code: string;
  createdAt: Date;
}

/** A mail that goes out: its text once more as a page, and when it is of no use any more. */
export interface OutgoingMail extends Mail {
  html: string;
  expiresAt: Date;
}

/** Takes mail within the transaction that made its code: there is never the one without the other. */
export interface Mailer {
  post(tx: Database, mail: OutgoingMail): Promise<void>;
}
