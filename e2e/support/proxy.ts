import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { isolatedPort, withProduct } from './product.ts';

/** A reverse proxy in front of the product that can simulate an update and network failures. */
export interface TestProxy {
  origin: string;
  /** All requests, in order. The path includes the query. */
  requests: readonly { path: string; range: string | undefined }[];
  /** Changes the service worker, as an update of the product does. */
  updateApp: () => void;
  /** Limits the rate of media responses, in bytes per second. */
  limitMediaRate: (bytesPerSecond: number) => void;
  /** Stops the media responses in progress without ending them; later requests succeed. */
  stallMedia: () => void;
  /** Leaves the next `count` audio requests without a response. */
  hangAudioRequests: (count: number) => void;
  /** Refuses connections from now on. Can be called again. */
  close: () => Promise<void>;
  /** Accepts connections again, at the same origin. */
  reopen: () => Promise<void>;
}

/** A private key and a certificate for HTTPS, in PEM format. */
interface TlsCertificate {
  key: string;
  cert: string;
}

const CHUNK_BYTES = 4096;

async function pipeAtRate(
  response: IncomingMessage,
  outgoing: ServerResponse,
  bytesPerSecond: number,
  isStalled: () => boolean,
): Promise<void> {
  for await (const data of response) {
    for (let from = 0; from < data.length; from += CHUNK_BYTES) {
      if (outgoing.destroyed || isStalled()) return;
      outgoing.write(data.subarray(from, from + CHUNK_BYTES));
      await new Promise((resolve) => setTimeout(resolve, (CHUNK_BYTES / bytesPerSecond) * 1000));
    }
  }
  outgoing.end();
}

async function startProxy(productOrigin: string, certificate?: TlsCertificate): Promise<TestProxy> {
  let version = 1;
  let mediaRate: number | undefined;
  let stalls = 0;
  let hangingRequests = 0;
  const requests: { path: string; range: string | undefined }[] = [];

  function pipe(path: string, response: IncomingMessage, outgoing: ServerResponse): void {
    const stallsBefore = stalls;
    if (mediaRate === undefined || !path.startsWith('/media/')) response.pipe(outgoing);
    else
      pipeAtRate(response, outgoing, mediaRate, () => stalls > stallsBefore).catch(() => outgoing.destroy());
  }

  const forward: RequestListener = (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    requests.push({ path, range: incoming.headers.range });
    if (hangingRequests > 0 && /^\/media\/[^?]+\.mp3/.test(path)) {
      hangingRequests -= 1;
      return;
    }
    const isWorker = path === '/sw.js';
    // The worker is changed below, so that the ETag of the product does not hold for it.
    const { 'if-none-match': _, ...unconditional } = incoming.headers;
    const headers = isWorker ? { ...unconditional, 'accept-encoding': 'identity' } : incoming.headers;
    const forwarded = sendRequest(new URL(path, productOrigin), { method: incoming.method, headers });
    forwarded.on('response', (response) => {
      const { 'content-length': length, etag, ...rest } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, isWorker ? rest : response.headers);
      if (isWorker) outgoing.write(`// version ${version}\n`);
      pipe(path, response, outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
  const server = certificate ? createTlsServer(certificate, forward) : createServer(forward);
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? 'https' : 'http'}://localhost:${port}`,
    requests,
    updateApp: () => {
      version += 1;
    },
    limitMediaRate: (bytesPerSecond) => {
      mediaRate = bytesPerSecond;
    },
    stallMedia: () => {
      stalls += 1;
    },
    hangAudioRequests: (count) => {
      hangingRequests = count;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    reopen: () => listen(port),
  };
}

/** Runs a proxy in front of a running product while `use` runs. Closes the page before the proxy. */
export async function withProxy(
  page: Page,
  productOrigin: string,
  use: (proxy: TestProxy) => Promise<void>,
  certificate?: TlsCertificate,
): Promise<void> {
  const proxy = await startProxy(productOrigin, certificate);
  await use(proxy);
  // Requests of an open page would be refused and reported as console errors.
  await page.close();
  await proxy.close();
}

/** Runs an isolated product behind a proxy while `use` runs, with environment variables that differ. */
export const withProxiedProduct = (
  page: Page,
  use: (proxy: TestProxy) => Promise<void>,
  { env = {}, certificate }: { env?: Record<string, string>; certificate?: TlsCertificate },
): Promise<void> =>
  withProxy(
    page,
    `http://127.0.0.1:${isolatedPort}`,
    (proxy) =>
      withProduct(
        async () => {
          await use(proxy);
          await page.close();
        },
        { ...env, PUBLIC_URL: proxy.origin },
      ),
    certificate,
  );
