import { type Language, negotiateLanguage } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Secrets } from './secrets.ts';
import { uuidFrom } from './uuid.ts';

/** Who calls, as far as a call tells: what to write to them in, and where they call from. */
export interface Caller {
  /** Nothing where the call names neither of our languages. */
  language: Language | undefined;
  /** The network address, hashed; nothing for this machine itself, which says nothing about who asks. */
  origin: string | undefined;
  /** What the browser or program calls itself, cut to a line. */
  agent: string | undefined;
  /** A key that the call bears, as servers do. */
  key: string | undefined;
}

const longestAgent = 300;

/** In: the request, and what its body names as the reader's language. Out: the caller. */
export function callerOf(request: FastifyRequest, secrets: Secrets, named: unknown): Caller {
  const network = networkOf(request.ip);
  return {
    language: named === 'en' || named === 'es' ? named : offered(request.headers['accept-language']),
    origin: network && uuidFrom(secrets.mac('address', network)),
    agent: request.headers['user-agent']?.replace(/[^ -~]/g, '').slice(0, longestAgent),
    key: /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1],
  };
}

function offered(acceptLanguage: string | undefined): Language | undefined {
  return acceptLanguage && /\b(?:en|es)\b/i.test(acceptLanguage)
    ? negotiateLanguage(acceptLanguage)
    : undefined;
}

/** What counts as one place: an IPv4 address, or the 64-bit network of an IPv6 one; nothing for loopback. */
export function networkOf(address: string): string | undefined {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4) return v4.startsWith('127.') ? undefined : v4;
  if (address === '::1') return undefined;
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':').toLowerCase();
}
