import { createHash } from 'node:crypto';
import { AppError, limits, singleLineText } from '@escucho/contracts';
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { isOperatorSubject, type OperatorTokens } from '../operators/tokens.ts';

/** Whose tokens are believed: the issuer, the app they were issued to, and the issuer's published keys. */
export interface TokenOptions {
  issuer: string;
  clientId: string;
  keys: JWTVerifyGetKey;
}

/** What is said of a person; empty texts where nothing is said. */
export interface Profile {
  email: string | null;
  firstName: string;
  lastName: string;
}

// A signature costs a fifth of a whole call to check, and one screen makes several calls with the same token.
const CACHE_SIZE = 10_000;
const CACHE_TTL_MS = 60_000;

const subject = singleLineText(128).check(z.minLength(1));
const providersSubject = subject.check(z.refine((sub) => !isOperatorSubject(sub)));
const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;
const keysUnreachable = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

/** Anyone may send a bad token; only keys that cannot be had are our side's fault, and no reason to sign anybody out. */
function toTokenError(error: unknown): AppError {
  if (error instanceof errors.JWTExpired) return new AppError('token_expired');
  const theirs = error instanceof errors.JOSEError && !keysUnreachable.includes(error.code);
  return theirs ? new AppError('unauthorized') : new AppError('unavailable', { cause: error });
}

/** The token of an Authorization header. Throws `unauthorized` when there is none that could be one. */
export function getBearerToken(header: string | undefined): string {
  const token = header && header.length <= limits.token.max ? bearer.exec(header)?.[1] : undefined;
  if (!token) throw new AppError('unauthorized');
  return token;
}

/** When a token that was found good was issued; the beginning of time where it does not say. */
export const getIssuedAt = (token: string): Date => new Date((decodeJwt(token).iat ?? 0) * 1000);

// People may call themselves what they like, but what cannot be stored or shown on a line is left out.
const sanitizeText = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value
        .replace(/\p{Cc}/gu, '')
        .trim()
        .slice(0, max)
    : '';

/** Makes a profile of whatever somebody else says of a person. */
export const toProfile = (said: { email: unknown; firstName: unknown; lastName: unknown }): Profile => ({
  email: sanitizeText(said.email, limits.email.max) || null,
  firstName: sanitizeText(said.firstName, limits.name.max),
  lastName: sanitizeText(said.lastName, limits.name.max),
});

/**
 * Checks tokens (API-02): the identity provider's, RS256 by its keys, issuer, expiry, use and client; and our own of
 * operators' readers. Each kind speaks for its own subjects only.
 */
export function createTokenVerifier(
  { issuer, clientId, keys }: TokenOptions,
  own: OperatorTokens,
  clock: () => Date,
) {
  const accessClaims = z.object({
    sub: providersSubject,
    exp: z.number(),
    token_use: z.literal('access'),
    client_id: z.literal(clientId),
  });
  const ownClaims = z.object({ sub: subject.check(z.refine(isOperatorSubject)), exp: z.number() });
  const idClaims = z.object({ sub: providersSubject, token_use: z.literal('id'), aud: z.literal(clientId) });

  async function payloadOf(token: string): Promise<JWTPayload> {
    try {
      const required = ['exp'];
      const options = { issuer, algorithms: ['RS256'], currentDate: clock(), requiredClaims: required };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      throw toTokenError(error);
    }
  }

  async function accessOf(token: string): Promise<{ sub: string; exp: number }> {
    const claims = await readAccess(token).catch((error: unknown) => {
      throw error instanceof AppError ? error : toTokenError(error);
    });
    if (!claims.success) throw new AppError('unauthorized');
    return claims.data;
  }

  const readAccess = async (token: string) =>
    own.isOperatorToken(token)
      ? ownClaims.safeParse(await own.verify(token))
      : accessClaims.safeParse(await payloadOf(token));

  const cache = new Map<string, { subject: string; until: number }>();

  return {
    /**
     * In: an access token. Out: the subject it speaks for. A token once found good is believed for a minute, never past
     * its end. Throws `unauthorized`, `token_expired`, `unavailable`.
     */
    async verifyAccessToken(token: string): Promise<string> {
      const now = clock().getTime();
      const fingerprint = createHash('sha256').update(token).digest('base64');
      const known = cache.get(fingerprint);
      if (known && known.until > now) return known.subject;
      const { sub, exp } = await accessOf(token);
      if (cache.size >= CACHE_SIZE) cache.clear();
      cache.set(fingerprint, { subject: sub, until: Math.min(exp * 1000, now + CACHE_TTL_MS) });
      return sub;
    },

    /** In: an id token and whose it must be. Out: the profile in it. Throws `invalid_request`, `token_expired`, `unavailable`. */
    async verifyIdToken(token: string, owner: string): Promise<Profile> {
      const refused = { path: 'body.idToken', code: 'field_invalid', message: '' };
      const payload = await payloadOf(token).catch((error: unknown) => {
        const bad = error instanceof AppError && error.code === 'unauthorized';
        throw bad ? new AppError('invalid_request', { fields: [refused] }) : error;
      });
      const claims = idClaims.safeParse(payload);
      if (!claims.success || claims.data.sub !== owner)
        throw new AppError('invalid_request', { fields: [refused] });
      const { email, given_name: firstName, family_name: lastName } = payload;
      return toProfile({ email, firstName, lastName });
    },
  };
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>;
