import { createHash } from 'node:crypto';
import { AppError, limits, line } from '@escucho/contracts';
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';

/** Whose tokens are believed: the issuer, the app they were issued to, and the issuer's published keys. */
export interface TokenOptions {
  issuer: string;
  clientId: string;
  keys: JWTVerifyGetKey;
}

/** What an id token says of a person; empty texts where it says nothing. */
export interface Profile {
  email: string | null;
  firstName: string;
  lastName: string;
}

// A signature costs a fifth of a whole call to check, and one screen makes several calls with the same token.
const REMEMBERED = 10_000;
const REMEMBERED_MS = 60_000;

const subject = line(128).check(z.minLength(1));
const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;
const keysUnreachable = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

/** Anyone may send a bad token; only keys that cannot be had are our side's fault, and no reason to sign anybody out. */
function refusalOf(error: unknown): AppError {
  if (error instanceof errors.JWTExpired) return new AppError('token_expired');
  const theirs = error instanceof errors.JOSEError && !keysUnreachable.includes(error.code);
  return theirs ? new AppError('unauthorized') : new AppError('unavailable', { cause: error });
}

/** The token of an Authorization header. Throws `unauthorized` when there is none that could be one. */
export function bearerOf(header: string | undefined): string {
  const token = header && header.length <= limits.token.max ? bearer.exec(header)?.[1] : undefined;
  if (!token) throw new AppError('unauthorized');
  return token;
}

/** When a token that was found good was issued; the beginning of time where it does not say. */
export const issuedAt = (token: string): Date => new Date((decodeJwt(token).iat ?? 0) * 1000);

// People may call themselves what they like, but what cannot be stored or shown on a line is left out.
const personal = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value
        .replace(/\p{Cc}/gu, '')
        .trim()
        .slice(0, max)
    : '';

/** Checks the identity provider's tokens (API-02): RS256 by its keys, issuer, expiry, use and client. */
export function tokenChecker({ issuer, clientId, keys }: TokenOptions, clock: () => Date) {
  const accessClaims = z.object({
    sub: subject,
    exp: z.number(),
    token_use: z.literal('access'),
    client_id: z.literal(clientId),
  });
  const idClaims = z.object({ sub: subject, token_use: z.literal('id'), aud: z.literal(clientId) });

  async function payloadOf(token: string): Promise<JWTPayload> {
    try {
      const required = ['exp'];
      const options = { issuer, algorithms: ['RS256'], currentDate: clock(), requiredClaims: required };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  const remembered = new Map<string, { subject: string; until: number }>();

  return {
    /**
     * In: an access token. Out: the subject it speaks for. A token once found good is believed for a minute, never past
     * its end. Throws `unauthorized`, `token_expired`, `unavailable`.
     */
    async subjectOf(token: string): Promise<string> {
      const now = clock().getTime();
      const fingerprint = createHash('sha256').update(token).digest('base64');
      const known = remembered.get(fingerprint);
      if (known && known.until > now) return known.subject;
      const claims = accessClaims.safeParse(await payloadOf(token));
      if (!claims.success) throw new AppError('unauthorized');
      const { sub, exp } = claims.data;
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(fingerprint, { subject: sub, until: Math.min(exp * 1000, now + REMEMBERED_MS) });
      return sub;
    },

    /** In: an id token and whose it must be. Out: the profile in it. Throws `invalid_request`, `token_expired`, `unavailable`. */
    async profileOf(token: string, owner: string): Promise<Profile> {
      const refused = { path: 'body.idToken', code: 'field_invalid', message: '' };
      const payload = await payloadOf(token).catch((error: unknown) => {
        const bad = error instanceof AppError && error.code === 'unauthorized';
        throw bad ? new AppError('invalid_request', { fields: [refused] }) : error;
      });
      const claims = idClaims.safeParse(payload);
      if (!claims.success || claims.data.sub !== owner)
        throw new AppError('invalid_request', { fields: [refused] });
      return {
        email: personal(payload.email, limits.email.max) || null,
        firstName: personal(payload.given_name, limits.name.max),
        lastName: personal(payload.family_name, limits.name.max),
      };
    },
  };
}

export type TokenChecker = ReturnType<typeof tokenChecker>;
