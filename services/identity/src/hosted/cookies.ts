import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createRandomToken } from '../crypto.ts';

type CookieName = 'browser' | 'session';

const valuePattern = /^[\w-]{43}$/;

/**
 * Creates access to the two cookies of the hosted pages: `browser` binds forms and sign-ins at other providers to the
 * browser that started them, `session` identifies a hosted session. Under https they have the `__Host-` prefix, so that
 * no sibling domain can set them.
 */
export function createCookies(secure: boolean) {
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

  return {
    read,

    /** Returns the browser's id, and sets a new one where there is none. */
    ensureBrowserId(request: FastifyRequest, reply: FastifyReply): string {
      const existing = read(request, 'browser');
      if (existing !== undefined) return existing;
      const value = createRandomToken();
      setCookie(reply, 'browser', value);
      return value;
    },

    setSession: (reply: FastifyReply, value: string, lifetimeMs: number) =>
      setCookie(reply, 'session', value, Math.floor(lifetimeMs / 1000)),
    clearSession: (reply: FastifyReply) => setCookie(reply, 'session', '', 0),
  };
}

export type Cookies = ReturnType<typeof createCookies>;
