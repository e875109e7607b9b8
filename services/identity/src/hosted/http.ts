import {
  isEqualInConstantTime,
  type Language,
  negotiateLanguage,
  RateLimitError,
  sendPage,
  sendRetryHeaders,
  toAppError,
} from '@escucho/service-kit';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { createRandomToken, type Secrets } from '../crypto.ts';
import {
  type AuthorizationRequest,
  buildRedirectUrl,
  PageError,
  RedirectError,
  readParameter,
} from '../oauth/policy.ts';
import { type PageMessage, renderErrorPage } from './pages.ts';

/** Options of routes that must not respond to HEAD, because GET has side effects there. */
export const WITHOUT_HEAD = { exposeHeadRoute: false };

/** Reads a form field; absent and malformed ones are empty. */
export function readFormField(body: unknown, name: string): string {
  return readParameter(body, name) ?? '';
}

/** Returns the `form-action` sources of a page: this origin and, for the redirect that follows, the app's. */
export function getFormActions({ redirectUri }: AuthorizationRequest): string[] {
  const { origin, protocol } = new URL(redirectUri);
  return ["'self'", origin === 'null' ? protocol : origin];
}

/** Returns the language the app requested, or else the browser's. */
export function negotiatePageLanguage(request: FastifyRequest, lang: string | null | undefined): Language {
  return lang === 'en' || lang === 'es' ? lang : negotiateLanguage(request.headers['accept-language']);
}

/** Redirects the browser; after a form with 303, so that it does not post again. */
export function redirect(request: FastifyRequest, reply: FastifyReply, url: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(url, request.method === 'GET' ? 302 : 303);
}

/** Handles the errors of the hosted pages: by a redirect to the app where its URI is trusted, or else by a page. */
export function handlePageError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof RedirectError) {
    const response = { error: error.code, error_description: error.message };
    return redirect(request, reply, buildRedirectUrl(error.target, response));
  }
  const language = negotiatePageLanguage(request, readParameter(request.query, 'lang'));
  const showError = (status: number, message: PageMessage) =>
    sendPage(reply.status(status), renderErrorPage(language, message));
  if (error instanceof PageError) return showError(400, error.code);
  const { status } = toAppError(error);
  sendRetryHeaders(reply, toAppError(error));
  if (error instanceof RateLimitError) return showError(429, 'tooManyRequests');
  if (status < 500) return showError(status, 'malformed');
  request.log.error({ err: error }, 'hosted page failed');
  return showError(status, 'failed');
}

type CookieName = 'browser' | 'session';

const valuePattern = /^[\w-]{43}$/;

/**
 * Creates access to the two cookies of the hosted pages: `browser` binds forms and sign-ins at other providers to the
 * browser that started them, `session` identifies a hosted session. Under https they have the `__Host-` prefix, so that
 * no sibling domain can set them.
 */
export function createCookies(secure: boolean, secrets: Secrets) {
  const prefix = secure ? '__Host-' : '';
  const setCookie = (reply: FastifyReply, name: CookieName, value: string, maxAge?: number) =>
    reply.header(
      'set-cookie',
      stringifySetCookie({
        name: `${prefix}escucho-${name}`,
        value,
        httpOnly: true,
        sameSite: 'lax',
        secure,
        path: '/',
        ...(maxAge !== undefined && { maxAge }),
      }),
    );

  /** Returns the value of a cookie that has the form of ours. */
  function read(request: FastifyRequest, name: CookieName): string | undefined {
    const value = parseCookie(request.headers.cookie ?? '')[`${prefix}escucho-${name}`];
    return value !== undefined && valuePattern.test(value) ? value : undefined;
  }

  /** Returns the browser's id, and sets a new one where there is none. */
  function ensureBrowserId(request: FastifyRequest, reply: FastifyReply): string {
    const existing = read(request, 'browser');
    if (existing !== undefined) return existing;
    const value = createRandomToken();
    setCookie(reply, 'browser', value);
    return value;
  }

  const toFormToken = (browserId: string) => secrets.hmac('form', browserId).toString('base64url');

  return {
    read,
    ensureBrowserId,

    /** Creates the CSRF token of a form. */
    createFormToken: (request: FastifyRequest, reply: FastifyReply) =>
      toFormToken(ensureBrowserId(request, reply)),

    /** Returns whether a form has the CSRF token of its browser. */
    hasFormToken(request: FastifyRequest): boolean {
      const browserId = read(request, 'browser');
      const token = readFormField(request.body, 'form_token');
      return browserId !== undefined && isEqualInConstantTime(toFormToken(browserId), token);
    },

    setSession: (reply: FastifyReply, value: string, lifetimeMs: number) =>
      setCookie(reply, 'session', value, Math.floor(lifetimeMs / 1000)),
    clearSession: (reply: FastifyReply) => setCookie(reply, 'session', '', 0),
  };
}

export type Cookies = ReturnType<typeof createCookies>;
