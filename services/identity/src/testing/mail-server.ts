import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** Starts a mail server on loopback. In: its port (any by default), and addresses it refuses. */
export async function startMailServer({ port = 0, refuses = '' }: { port?: number; refuses?: string } = {}) {
  const received: { to: string[]; raw: string }[] = [];
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      if (address !== refuses) return callback();
      callback(Object.assign(new Error('No such user'), { responseCode: 550 }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString() });
        callback();
        for (const resolve of waiting.splice(0)) resolve();
      });
    },
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const at = server.server.address();
  const bound = at !== null && typeof at === 'object' ? at.port : 0;
  return {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    received,
    /** Resolves once the next mail is there. */
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
