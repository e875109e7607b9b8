import { randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Hosted } from './service.ts';

type Name = 'browser' | 'session';

const form = /^[\w-]{43}$/;

/** A fresh value for a cookie: 32 random bytes. */
export function newCookieValue(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The two cookies of the hosted pages: `browser` ties forms and visits to other providers to the browser that began
 * them, `session` is a sign-in. Under https their names begin with `__Host-`, so that no neighbouring host can set them.
 */
export function createCookies(secure: boolean) {
  const nameOf = (name: Name) => `${secure ? '__Host-' : ''}escucho-${name}`;
  const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  const put = (reply: FastifyReply, name: Name, value: string, maxAge?: number) =>
    reply.header(
      'set-cookie',
      stringifySetCookie({
        name: nameOf(name),
        value,
        ...attributes,
        ...(maxAge !== undefined && { maxAge }),
      }),
    );

  /** A cookie's value where it is one of ours in form. */
  function read(request: FastifyRequest, name: Name): string | undefined {
    const value = parseCookie(request.headers.cookie ?? '')[nameOf(name)];
    return value !== undefined && form.test(value) ? value : undefined;
  }

  return {
    read,

    /** The browser's own value, set where it has none yet. */
    browser(request: FastifyRequest, reply: FastifyReply): string {
      const known = read(request, 'browser');
      if (known !== undefined) return known;
      const value = newCookieValue();
      put(reply, 'browser', value);
      return value;
    },

    /** In: the session's value and how long it is good for, in milliseconds. */
    setSession: (reply: FastifyReply, value: string, lifetime: number) =>
      put(reply, 'session', value, Math.floor(lifetime / 1000)),
    clearSession: (reply: FastifyReply) => put(reply, 'session', '', 0),
  };
}

export type Cookies = ReturnType<typeof createCookies>;

/** Routes that only answer GET: a HEAD would act and show nothing. */
export const only = { exposeHeadRoute: false };

/** A browser that signs in anew leaves who was signed in before. */
export async function endFormer(
  request: FastifyRequest,
  { cookies, hosted }: { cookies: Cookies; hosted: Hosted },
): Promise<void> {
  const former = cookies.read(request, 'session');
  if (former !== undefined) await hosted.end(former);
}
