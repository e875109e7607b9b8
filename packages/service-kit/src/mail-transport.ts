/** A mail server and the sender: `smtps://user:password@mail.example:465`, `Escucho <no-reply@example.org>`. */
export interface SmtpOptions {
  url: string;
  from: string;
}

/** Sends mail. The id determines the Message-ID, so that a mail sent twice is recognised as one. */
export interface MailTransport {
  /** @throws PermanentMailError where a retry cannot succeed */
  send(mail: { id: string; to: string; subject: string; text: string; html: string }): Promise<void>;
  close(): void;
}

/** The mail server rejects this mail permanently. */
export class PermanentMailError extends Error {}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Returns whether an error concerns this mail and is final, unlike errors of the server or the account. */
function isPermanent(error: unknown): boolean {
  const { code, responseCode }: { code?: unknown; responseCode?: unknown } = Object(error);
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500
  );
}

/** Returns a reason for the log, without the address or the server's message. */
function toLogReason(error: unknown): string {
  const { code, responseCode }: { code?: unknown; responseCode?: unknown } = Object(error);
  return ['SMTP', code, responseCode].filter((value) => value !== undefined).join(' ');
}

/** Creates a transport that sends by SMTP. */
export async function createSmtpTransport({ url, from }: SmtpOptions): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, ...mail }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        await transport.sendMail({ from, ...mail, messageId: `<${id}@${domain}>`, headers });
      } catch (error) {
        const reason = toLogReason(error);
        throw isPermanent(error) ? new PermanentMailError(reason) : new Error(reason);
      }
    },
    close: () => transport.close(),
  };
}
