import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The product at an address of its own that can be changed and taken away. */
export interface Front {
  origin: string;
  /** From now on the service worker is another one, as after an update of the product. */
  update: () => void;
  /** Nothing answers any more; a second call changes nothing. */
  vanish: () => Promise<void>;
}

/** A key and a certificate for https, as PEM. */
interface Tls {
  key: string;
  cert: string;
}

/** Puts a front before a running product. In: the product's origin; with a certificate, the front is reached by https. */
export async function openFront(product: string, tls?: Tls): Promise<Front> {
  let version = 1;
  const pass: RequestListener = (incoming, outgoing) => {
    const isWorker = incoming.url === '/sw.js';
    const headers = isWorker ? { ...incoming.headers, 'accept-encoding': 'identity' } : incoming.headers;
    const asked = request(new URL(incoming.url ?? '/', product), { method: incoming.method, headers });
    asked.on('response', (answer) => {
      const { 'content-length': length, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, isWorker ? rest : answer.headers);
      if (isWorker) outgoing.write(`// version ${version}\n`);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  };
  const server = tls ? createTlsServer(tls, pass) : createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://localhost:${port}`,
    update: () => {
      version += 1;
    },
    vanish: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
