import {
  getBearerToken,
  getCookieLanguage,
  getNetwork,
  type Language,
  negotiateLanguage,
} from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import { sha256 } from './crypto.ts';

const MAX_USER_AGENT_LENGTH = 300;

/** The sender of a request. */
export interface Caller {
  /** The language of mails; undefined where the request names neither English nor Spanish. */
  language: Language | undefined;
  /** The sender's network, for rate limits; undefined for this machine. */
  network: string | undefined;
  userAgent: string | undefined;
  /**
   * The SHA-256 of a random key of the browser, which the product's web app sends as ClientMetadata of signUp, confirmSignUp
   * and signIn; null for other clients.
   */
  signUpKeyHash: Buffer | null;
  /** The bearer credential of the Authorization header. */
  bearer: string | undefined;
}

/**
 * Reads the caller from a request.
 *
 * @param metadata ClientMetadata of the body, if any: its `language` takes precedence over the cookie of the product's web
 *   app, and that over `Accept-Language`
 */
export function getCaller(
  request: FastifyRequest,
  { language, signUpKey }: { language?: unknown; signUpKey?: unknown } = {},
): Caller {
  return {
    language:
      language === 'en' || language === 'es'
        ? language
        : (getCookieLanguage(request.headers.cookie) ?? acceptedLanguage(request.headers['accept-language'])),
    network: getNetwork(request),
    userAgent: request.headers['user-agent']?.replace(/[^ -~]/g, '').slice(0, MAX_USER_AGENT_LENGTH),
    signUpKeyHash: typeof signUpKey === 'string' && signUpKey !== '' ? sha256(signUpKey) : null,
    bearer: getBearerToken(request),
  };
}

function acceptedLanguage(acceptLanguage: string | undefined): Language | undefined {
  return acceptLanguage && /\b(?:en|es)\b/i.test(acceptLanguage)
    ? negotiateLanguage(acceptLanguage)
    : undefined;
}
