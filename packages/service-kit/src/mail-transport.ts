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

interface SmtpFailure {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  response?: unknown;
}

/** Responses to a sender that has to authenticate, or that the server's policy refuses (RFC 3463: 5.7). */
const SENDER_REFUSED = /^5\d\d[ -]5\.7\.|^530/;

/**
 * Returns whether an error concerns this mail and is final, unlike errors of the server or the account. Some servers refuse
 * a sender at the first recipient.
 */
function isPermanent(error: unknown): boolean {
  const { code, command, responseCode, response }: SmtpFailure = Object(error);
  if (typeof responseCode !== 'number' || responseCode < 500) return false;
  if (code === 'EMESSAGE') return true;
  return code === 'EENVELOPE' && command === 'RCPT TO' && !SENDER_REFUSED.test(String(response));
}

/** Returns a reason for the log, without the address or the server's message. */
function toLogReason(error: unknown): string {
  const { code, responseCode }: SmtpFailure = Object(error);
  return ['SMTP', code, responseCode].filter((value) => value !== undefined).join(' ');
}

/** Creates a transport that sends by SMTP. */
export async function createSmtpTransport({ url, from }: SmtpOptions): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, ...mail }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        // As an object, because a text is parsed as a list of addresses.
        const recipient = { name: '', address: to };
        await transport.sendMail({ from, to: recipient, ...mail, messageId: `<${id}@${domain}>`, headers });
      } catch (error) {
        const reason = toLogReason(error);
        throw isPermanent(error) ? new PermanentMailError(reason) : new Error(reason);
      }
    },
    close: () => transport.close(),
  };
}
