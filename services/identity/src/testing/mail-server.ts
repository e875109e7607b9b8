import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** Starts an SMTP server on loopback that rejects mail to the address `rejects`. */
export async function startMailServer({ port = 0, rejects = '' }: { port?: number; rejects?: string } = {}) {
  const received: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      if (address !== rejects) return callback();
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
