import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { lendProduct, ownPort } from './product.ts';

/** The product at an address of its own that can be changed and taken away. */
export interface Front {
  origin: string;
  /** What was asked for, in order: the path with its query, and the range if one was named. */
  asked: readonly { path: string; range: string | undefined }[];
  /** From now on the service worker is another one, as after an update of the product. */
  update: () => void;
  /** Media come no faster than this; bytes a second. */
  slowMedia: (pace: number) => void;
  /** Media that are under way never come to their end, as when a machine fell asleep over them; what is asked later comes. */
  strandMedia: () => void;
  /** The next requests for sound, so many, are never answered. */
  hangSound: (times: number) => void;
  /** Nothing answers any more; a second call changes nothing. */
  vanish: () => Promise<void>;
}

/** A key and a certificate for https, as PEM. */
interface Tls {
  key: string;
  cert: string;
}

const slice = 4096;

/** Hands an answer on at a pace, in bytes a second, for as long as it may. */
async function trickle(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  pace: number,
  mayGoOn: () => boolean,
): Promise<void> {
  for await (const chunk of answer) {
    for (let from = 0; from < chunk.length; from += slice) {
      if (outgoing.destroyed || !mayGoOn()) return;
      outgoing.write(chunk.subarray(from, from + slice));
      await new Promise((resolve) => setTimeout(resolve, (slice / pace) * 1000));
    }
  }
  outgoing.end();
}

/** Puts a front before a running product. In: the product's origin; with a certificate, the front is reached by https. */
async function openFront(product: string, tls?: Tls): Promise<Front> {
  let version = 1;
  let pace: number | undefined;
  let night = 0;
  let hanging = 0;
  const asked: { path: string; range: string | undefined }[] = [];

  function handOn(path: string, answer: IncomingMessage, outgoing: ServerResponse): void {
    const evening = night;
    if (pace === undefined || !path.startsWith('/media/')) answer.pipe(outgoing);
    else trickle(answer, outgoing, pace, () => evening === night).catch(() => outgoing.destroy());
  }

  const pass: RequestListener = (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    asked.push({ path, range: incoming.headers.range });
    if (hanging > 0 && /^\/media\/[^?]+\.mp3/.test(path)) {
      hanging -= 1;
      return;
    }
    const isWorker = path === '/sw.js';
    const headers = isWorker ? { ...incoming.headers, 'accept-encoding': 'identity' } : incoming.headers;
    const passed = request(new URL(path, product), { method: incoming.method, headers });
    passed.on('response', (answer) => {
      const { 'content-length': length, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, isWorker ? rest : answer.headers);
      if (isWorker) outgoing.write(`// version ${version}\n`);
      handOn(path, answer, outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };
  const server = tls ? createTlsServer(tls, pass) : createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://localhost:${port}`,
    asked,
    update: () => {
      version += 1;
    },
    slowMedia: (bytes) => {
      pace = bytes;
    },
    strandMedia: () => {
      night += 1;
    },
    hangSound: (times) => {
      hanging = times;
    },
    vanish: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Lends a front before a running product. In: the page that looks at it, the product's origin, what is done with it. */
export async function lendFront(
  page: Page,
  product: string,
  use: (front: Front) => Promise<void>,
  tls?: Tls,
): Promise<void> {
  const front = await openFront(product, tls);
  await use(front);
  // What the page still asks for would be refused.
  await page.close();
  await front.vanish();
}

/** Lends a product of its own behind a front. In: the page that looks at it, what is done with it, what differs. */
export const lendProductBehindFront = (
  page: Page,
  use: (front: Front) => Promise<void>,
  { settings = {}, tls }: { settings?: Record<string, string>; tls?: Tls },
): Promise<void> =>
  lendFront(
    page,
    `http://127.0.0.1:${ownPort}`,
    (front) =>
      lendProduct(
        async () => {
          await use(front);
          await page.close();
        },
        { ...settings, PUBLIC_URL: front.origin },
      ),
    tls,
  );
