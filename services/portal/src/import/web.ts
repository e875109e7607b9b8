import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { createWriteStream } from 'node:fs';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';
import { PieceFault } from '../library/source.ts';

/** Fetches what feeds point to. */
export interface Web {
  /** Writes what an address answers into a file. Throws `PieceFault`; what was written by then is the caller's to remove. */
  download(address: string, target: string, limits: Limits): Promise<void>;
  close(): Promise<void>;
}

/** How much one may send, and how long it may take. */
export interface Limits {
  bytes: number;
  seconds: number;
}

const MOST_REDIRECTS = 5;
const IDLE_MS = 20_000;

/** Whether an address is one of the open internet: not this machine, not the network it stands in, nothing reserved. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

class Private extends Error {
  override readonly name = 'Private';
}

/** What decides where one may connect to, and how names are resolved. */
export interface Guard {
  allows: (address: string) => boolean;
  resolve: Resolve;
}

type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name as Node does, and refuses where any of its addresses is not allowed. The connection goes to what was
 * checked, so that a name cannot change its mind in between.
 */
const guardedBy = ({ allows, resolve }: Guard) =>
  ({
    timeout: 10_000,
    lookup: (name, options, callback) => {
      resolve(name, { ...options, all: true }, (error, found) => {
        const hidden = found?.find(({ address }) => !allows(address));
        if (error || hidden) return callback(error ?? new Private(name), []);
        return options.all
          ? callback(null, found)
          : callback(null, found[0]?.address ?? '', found[0]?.family);
      });
    },
  }) satisfies Agent.Options['connect'];

function checked(address: string, allows: Guard['allows']): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PieceFault(`${address.slice(0, 200)} is no web address`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A name is looked up and checked when the connection is made; a number is not looked up.
  if (isIP(host) !== 0 && !allows(host)) throw new PieceFault(`${url.host} is a private address`);
  return url;
}

/** Passes bytes on and breaks off when there are too many. */
async function* limited(bytes: AsyncIterable<Buffer>, most: number, host: string): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of bytes) {
    received += chunk.length;
    if (received > most) throw new PieceFault(`${host} sends more than ${Math.round(most / 2 ** 20)} MB`);
    yield chunk;
  }
}

function reasonOf(error: unknown, host: string): PieceFault {
  if (error instanceof PieceFault) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Private) return new PieceFault(`${host} is a private address`);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isLate = /TIMEOUT|ABORT/i.test(code) || (cause instanceof Error && cause.name === 'TimeoutError');
  if (isLate) return new PieceFault(`${host} takes too long`);
  return new PieceFault(`${host} cannot be reached${code === '' ? '' : ` (${code})`}`);
}

/**
 * A way to the web that leads nowhere else: addresses of this machine and its network are refused however they come
 * about, by name, by redirect or by a name that changes its mind. In: what is allowed instead.
 */
export function openWeb({ allows = isPublic, resolve = lookup }: Partial<Guard> = {}): Web {
  const connect = guardedBy({ allows, resolve });
  const agent = new Agent({ headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS, connect });

  async function answered(
    address: string,
    signal: AbortSignal,
  ): Promise<{ url: URL; answer: Dispatcher.ResponseData }> {
    let url = checked(address, allows);
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const headers = { 'accept-encoding': 'identity', 'user-agent': 'Escucho import' };
      const answer = await request(url, { dispatcher: agent, signal, headers }).catch((error: unknown) => {
        throw reasonOf(error, url.host);
      });
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode > 399) return { url, answer };
      await answer.body.dump({ limit: 4096 });
      if (typeof location !== 'string' || !URL.canParse(location, url.href))
        throw new PieceFault(`${url.host} redirects nowhere`);
      url = checked(new URL(location, url).href, allows);
    }
    throw new PieceFault(`${url.host} redirects without an end`);
  }

  return {
    async download(address, target, { bytes, seconds }) {
      const signal = AbortSignal.timeout(seconds * 1000);
      const { url, answer } = await answered(address, signal);
      try {
        if (answer.statusCode !== 200) throw new PieceFault(`${url.host} answers ${answer.statusCode}`);
        const encoding = answer.headers['content-encoding'];
        // Nothing was asked to be packed: what unpacks to more than it seems is not let in.
        if (encoding !== undefined && encoding !== 'identity')
          throw new PieceFault(`${url.host} sends packed bytes`);
        await pipeline(limited(answer.body, bytes, url.host), createWriteStream(target, { flags: 'wx' }), {
          signal,
        });
      } catch (error) {
        // Bytes that nobody read any more end in an error that nobody need hear.
        answer.body.on('error', () => {}).destroy();
        throw reasonOf(error, url.host);
      }
    },
    close: () => agent.destroy(),
  };
}
