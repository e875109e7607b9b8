import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { createWriteStream } from 'node:fs';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { removeBrackets } from '@escucho/database';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';
import { ContentError } from '../catalogue-loader/article-files.ts';

interface DownloadLimits {
  bytes: number;
  seconds: number;
}

/** As many as browsers follow. The audio of podcasts is often behind half a dozen services that count downloads. */
const MAX_REDIRECTS = 20;
const IDLE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Returns whether an address is on the public internet: not this machine, its network or a reserved range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Which addresses may be connected to, and how names are resolved. */
export interface AddressPolicy {
  isAllowed: (address: string) => boolean;
  resolve: Resolve;
}

type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves names as Node does, and refuses those with an address that is not allowed. The connection uses the checked
 * address, which prevents DNS rebinding.
 */
const toConnectOptions = ({ isAllowed, resolve }: AddressPolicy) =>
  ({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: (name, options, callback) => {
      resolve(name, { ...options, all: true }, (error, found) => {
        const refused = found?.find(({ address }) => !isAllowed(address));
        if (error || refused) return callback(error ?? new PrivateAddressError(name), []);
        return options.all
          ? callback(null, found)
          : callback(null, found[0]?.address ?? '', found[0]?.family);
      });
    },
  }) satisfies Agent.Options['connect'];

function parseUrl(text: string, isAllowed: AddressPolicy['isAllowed']): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ContentError(`${text.slice(0, 200)} is no web address`);
  const hostname = removeBrackets(url.hostname);
  // Names are checked when they are resolved; IP addresses are not resolved.
  if (isIP(hostname) !== 0 && !isAllowed(hostname))
    throw new ContentError(`${url.host} is a private address`);
  return url;
}

async function* limitBytes(bytes: AsyncIterable<Buffer>, max: number, host: string): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of bytes) {
    received += chunk.length;
    if (received > max) throw new ContentError(`${host} sends more than ${Math.round(max / 2 ** 20)} MB`);
    yield chunk;
  }
}

/** Codes of a full disk, or of a user's quota of it, where the file is written. */
const fullDiskCodes = ['ENOSPC', 'EDQUOT'];

function toDownloadError(error: unknown, host: string): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (error instanceof ContentError || fullDiskCodes.includes(code)) return error;
  if (cause instanceof PrivateAddressError) return new ContentError(`${host} is a private address`);
  const isTimeout = /TIMEOUT|ABORT/i.test(code) || (cause instanceof Error && cause.name === 'TimeoutError');
  if (isTimeout) return new ContentError(`${host} takes too long`);
  return new ContentError(`${host} cannot be reached${code === '' ? '' : ` (${code})`}`);
}

/**
 * Creates a downloader of feeds and the files they refer to. It refuses addresses of this machine and its network,
 * whether by IP address, by name or by redirect (SSRF).
 *
 * @param policy - overrides which addresses are allowed
 */
export function createDownloader({
  isAllowed = isPublicAddress,
  resolve = lookup,
}: Partial<AddressPolicy> = {}) {
  const agent = new Agent({
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    connect: toConnectOptions({ isAllowed, resolve }),
  });

  async function requestWithRedirects(
    address: string,
    signal: AbortSignal,
  ): Promise<{ url: URL; response: Dispatcher.ResponseData }> {
    let url = parseUrl(address, isAllowed);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const headers = { 'accept-encoding': 'identity', 'user-agent': 'Escucho import' };
      const response = await request(url, { dispatcher: agent, signal, headers }).catch((error: unknown) => {
        throw toDownloadError(error, url.host);
      });
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode > 399) return { url, response };
      await response.body.dump({ limit: 4096 });
      if (typeof location !== 'string' || !URL.canParse(location, url.href))
        throw new ContentError(`${url.host} redirects nowhere`);
      url = parseUrl(new URL(location, url).href, isAllowed);
    }
    throw new ContentError(`${url.host} redirects without an end`);
  }

  return {
    /**
     * Downloads a file; the caller removes an incomplete one.
     *
     * @throws ContentError when the address is refused, or the download fails or exceeds a limit; the system's error when
     *   the disk is full
     */
    async download(address: string, target: string, { bytes, seconds }: DownloadLimits): Promise<void> {
      const signal = AbortSignal.timeout(seconds * 1000);
      const { url, response } = await requestWithRedirects(address, signal);
      try {
        if (response.statusCode !== 200) throw new ContentError(`${url.host} answers ${response.statusCode}`);
        const encoding = response.headers['content-encoding'];
        // The request did not accept compression; a compressed body could exceed the limits when it is decompressed.
        if (encoding !== undefined && encoding !== 'identity')
          throw new ContentError(`${url.host} sends packed bytes`);
        const body = limitBytes(response.body, bytes, url.host);
        await pipeline(body, createWriteStream(target, { flags: 'wx' }), { signal });
      } catch (error) {
        // Destroying an unread body emits an error that must be handled.
        response.body.on('error', () => {}).destroy();
        throw toDownloadError(error, url.host);
      }
    },
    close: (): Promise<void> => agent.destroy(),
  };
}

export type Downloader = ReturnType<typeof createDownloader>;
