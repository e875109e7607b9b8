import { getNetwork, type Language, negotiateLanguage } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';

const MAX_USER_AGENT_LENGTH = 300;

/** The sender of a request. */
export interface Caller {
  /** The language of mails; undefined where the request names neither English nor Spanish. */
  language: Language | undefined;
  /** The sender's network, for rate limits; undefined for this machine. */
  network: string | undefined;
  userAgent: string | undefined;
  /** The bearer credential of the Authorization header. */
  bearer: string | undefined;
}

/**
 * Reads the caller from a request.
 * @param language the language named in the body, if any; it takes precedence over `Accept-Language`
 */
export function getCaller(request: FastifyRequest, language?: unknown): Caller {
  return {
    language:
      language === 'en' || language === 'es'
        ? language
        : acceptedLanguage(request.headers['accept-language']),
    network: getNetwork(request),
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
