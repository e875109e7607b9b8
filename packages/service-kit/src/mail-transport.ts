import { createTransport } from 'nodemailer';

/** A mail server, and whom mail comes from: `smtps://user:password@mail.example:465`, `Escucho <no-reply@example.org>`. */
export interface SmtpOptions {
  url: string;
  from: string;
}

/** A mail as a mail server takes it. The same id makes the same Message-ID, so that a mail sent twice is known as one. */
export interface MailTransport {
  /** Throws `PermanentFailure` where trying again would change nothing. */
  send(mail: { id: string; to: string; subject: string; text: string; html: string }): Promise<void>;
  close(): void;
}

/** The mail server refuses this mail for good: the address does not exist, the message is not wanted. */
export class PermanentMailError extends Error {}

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Whether an error is about this mail, and final; what is about the server or our account there may be mended. */
function isPermanent(error: unknown): boolean {
  const { code, responseCode }: { code?: unknown; responseCode?: unknown } = Object(error);
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500
  );
}

/** What the log may hold of a failure: neither the address nor what the server said of it. */
function reasonOf(error: unknown): string {
  const { code, responseCode }: { code?: unknown; responseCode?: unknown } = Object(error);
  return ['SMTP', code, responseCode].filter((part) => part !== undefined).join(' ');
}

/** A mail server reached by SMTP. */
export function createSmtpTransport({ url, from }: SmtpOptions): MailTransport {
  const transport = createTransport({ url, ...patience, disableFileAccess: true, disableUrlAccess: true });
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, ...mail }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        await transport.sendMail({ from, ...mail, messageId: `<${id}@${domain}>`, headers });
      } catch (error) {
        const reason = reasonOf(error);
        throw isPermanent(error) ? new PermanentMailError(reason) : new Error(reason);
      }
    },
    close: () => transport.close(),
  };
}
