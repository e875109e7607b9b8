import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

interface MailServerOptions {
  port?: number;
  /** An address that does not exist. */
  rejects?: string;
  /** The command at which every sender is refused, and the response. */
  refuses?: { at: 'MAIL FROM' | 'RCPT TO'; status: number; text: string } | undefined;
}

/** Starts an SMTP server on loopback. */
export async function startMailServer({ port = 0, rejects = '', refuses }: MailServerOptions = {}) {
  const received: { to: string[]; raw: string }[] = [];
  const refuse = (at: string) =>
    refuses?.at === at ? Object.assign(new Error(refuses.text), { responseCode: refuses.status }) : undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, callback) => callback(refuse('MAIL FROM')),
    onRcptTo({ address }, _session, callback) {
      if (address !== rejects) return callback(refuse('RCPT TO'));
      callback(Object.assign(new Error('No such user'), { responseCode: 550 }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString() });
        callback();
      });
    },
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
