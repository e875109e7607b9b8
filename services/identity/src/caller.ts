import { type Language, negotiateLanguage } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import { type Secrets, toUuid } from './crypto.ts';

const MAX_USER_AGENT_LENGTH = 300;

/** The sender of a request. */
export interface Caller {
  /** The language of mails; undefined where the request names neither English nor Spanish. */
  language: Language | undefined;
  /** The HMAC of the sender's network as a UUID, for rate limits; undefined for loopback. */
  networkId: string | undefined;
  userAgent: string | undefined;
  /** The bearer credential of the Authorization header. */
  bearer: string | undefined;
}

/**
 * Reads the caller from a request.
 * @param language the language named in the body, if any; it takes precedence over `Accept-Language`
 */
export function getCaller(request: FastifyRequest, secrets: Secrets, language?: unknown): Caller {
  const network = toNetwork(request.ip);
  return {
    language:
      language === 'en' || language === 'es'
        ? language
        : acceptedLanguage(request.headers['accept-language']),
    networkId: network && toUuid(secrets.hmac('network', network)),
    userAgent: request.headers['user-agent']?.replace(/[^ -~]/g, '').slice(0, MAX_USER_AGENT_LENGTH),
    bearer: getBearer(request),
  };
}

/** Returns the bearer credential of a request's Authorization header. */
export function getBearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

function acceptedLanguage(acceptLanguage: string | undefined): Language | undefined {
  return acceptLanguage && /\b(?:en|es)\b/i.test(acceptLanguage)
    ? negotiateLanguage(acceptLanguage)
    : undefined;
}

/** Returns the network that rate limits count: an IPv4 address or the /64 of an IPv6 address; undefined for loopback. */
export function toNetwork(address: string): string | undefined {
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
