import { createHash } from 'node:crypto';
import { AppError, limits, type Platform, singleLineText, truncateText } from '@escucho/contracts';
import { getBearerToken } from '@escucho/service-kit';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { expireByClock } from '../cache.ts';

/** The identity provider whose tokens are accepted. */
export interface TokenOptions {
  issuer: string;
  clientId: string;
  keys: JWTVerifyGetKey;
  /**
   * Returns whether the session of a token is active, by the claims `origin_jti` and `sub`. Undefined where the provider
   * cannot be asked: tokens are then accepted until they expire.
   */
  isSessionActive?: (sessionId: string, subject: string) => Promise<boolean>;
}

/** What a valid access token proves. */
interface AccessTokenClaims {
  subject: string;
  /** When the user signed in, in seconds since the epoch; refreshing tokens does not change it. */
  authTime: number;
  /** When the token expires, in seconds since the epoch. */
  expiresAt: number;
}

/** A user's names, empty when unknown, and email address. */
export interface Profile {
  email: string | null;
  firstName: string;
  lastName: string;
}

const operatorIssuer = 'escucho-portal';
const operatorAudience = 'escucho-operator-readers';
/** Tokens are not refreshed: the user signs in through the operator again. */
const OPERATOR_TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

const operatorPrefix = 'operator:';

/** @param id - the operator's id of the subscriber */
export const toOperatorSubject = (platform: Platform, id: string): string =>
  `${operatorPrefix}${platform}:${id}`;

/** Returns whether a subject is an operator's user; tokens of the identity provider with such a subject are refused. */
export const isOperatorSubject = (subject: string): boolean => subject.startsWith(operatorPrefix);

/** Returns the operator's id of the subscriber. */
export const getSubscriberId = (subject: string): string | undefined => subject.split(':')[2];

/**
 * Issues and verifies access tokens of operators' users (EXT-05).
 *
 * @param secret - at least 32 characters
 */
export function createOperatorTokens(secret: string, clock: () => Date) {
  const key = new TextEncoder().encode(secret);
  return {
    issue(subject: string): Promise<string> {
      // With milliseconds, so that signing out refuses the tokens of the same second.
      const now = clock().getTime() / 1000;
      return new SignJWT({})
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(operatorIssuer)
        .setAudience(operatorAudience)
        .setSubject(subject)
        .setIssuedAt(now)
        .setExpirationTime(Math.floor(now) + OPERATOR_TOKEN_LIFETIME_SECONDS)
        .sign(key);
    },

    /** Returns whether an unverified token claims to be one of these. Throws for what is not a JWT. */
    isOperatorToken: (token: string): boolean => decodeJwt(token).iss === operatorIssuer,

    /** Returns the verified claims. Throws jose's errors. */
    async verify(token: string) {
      const { payload } = await jwtVerify(token, key, {
        issuer: operatorIssuer,
        audience: operatorAudience,
        algorithms: ['HS256'],
        currentDate: clock(),
        requiredClaims: ['sub', 'exp'],
      });
      return payload;
    },
  };
}

export type OperatorTokens = ReturnType<typeof createOperatorTokens>;

// Verifying a signature takes a fifth of a request's time, and one screen sends several requests with the same token.
const CACHE_SIZE = 10_000;
const CACHE_TTL_MS = 60_000;

const subject = singleLineText(128).check(z.minLength(1));
const providerSubject = subject.check(z.refine((sub) => !isOperatorSubject(sub)));
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const keyErrorCodes = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

/** A bad token is the client's error; unreachable keys are ours, and no reason to sign the user out. */
function toTokenError(error: unknown): AppError {
  if (error instanceof errors.JWTExpired) return new AppError('token_expired');
  const isClientError = error instanceof errors.JOSEError && !keyErrorCodes.includes(error.code);
  return isClientError ? new AppError('unauthorized') : new AppError('unavailable', { cause: error });
}

/**
 * Returns the access token of a request.
 *
 * @throws AppError `unauthorized`
 */
export function getAccessToken(request: FastifyRequest): string {
  const token = getBearerToken(request) ?? '';
  if (token.length > limits.token.max || !jwtPattern.test(token)) throw new AppError('unauthorized');
  return token;
}

/** Returns when a verified token was issued; the Unix epoch when it has no `iat`. */
export const getIssuedAt = (token: string): Date => new Date(Math.round((decodeJwt(token).iat ?? 0) * 1000));

// Control characters can neither be stored nor shown on one line.
const sanitizeText = (value: unknown, max: number): string =>
  typeof value === 'string' ? truncateText(value.replace(/\p{Cc}/gu, '').trim(), max) : '';

/** Builds a profile from untrusted claims. */
export const toProfile = (claims: { email: unknown; firstName: unknown; lastName: unknown }): Profile => ({
  email: sanitizeText(claims.email, limits.email.max) || null,
  firstName: sanitizeText(claims.firstName, limits.name.max),
  lastName: sanitizeText(claims.lastName, limits.name.max),
});

/**
 * Creates a verifier of access tokens (API-02): of the identity provider, RS256 with its keys, issuer, expiry, use and
 * client; and our own of operators' users. Each kind is accepted for its own subjects only.
 */
export function createTokenVerifier(
  { issuer, clientId, keys, isSessionActive }: TokenOptions,
  operatorTokens: OperatorTokens,
  clock: () => Date,
) {
  const accessClaims = z.object({
    sub: providerSubject,
    exp: z.number(),
    // Without the time of the sign-in nothing that requires a recent one is permitted.
    auth_time: z._default(z.number(), 0),
    origin_jti: z.optional(z.string()),
    token_use: z.literal('access'),
    client_id: z.literal(clientId),
  });
  const operatorClaims = z.object({
    sub: subject.check(z.refine(isOperatorSubject)),
    exp: z.number(),
    iat: z.number(),
  });
  const idClaims = z.object({ sub: providerSubject, token_use: z.literal('id'), aud: z.literal(clientId) });

  /** Throws jose's errors. */
  async function verifyProviderToken(token: string): Promise<JWTPayload> {
    const requiredClaims = ['exp'];
    const options = { issuer, algorithms: ['RS256'], currentDate: clock(), requiredClaims };
    return (await jwtVerify(token, keys, options)).payload;
  }

  function parseClaims<T>(schema: z.ZodMiniType<T>, payload: JWTPayload): T {
    const { data } = schema.safeParse(payload);
    if (data === undefined) throw new AppError('unauthorized');
    return data;
  }

  async function verifyProviderAccess(token: string): Promise<AccessTokenClaims> {
    const claims = parseClaims(accessClaims, await verifyProviderToken(token));
    const { sub, exp: expiresAt, auth_time: authTime, origin_jti: sessionId = '' } = claims;
    if (isSessionActive && !(await isSessionActive(sessionId, sub))) throw new AppError('unauthorized');
    return { subject: sub, authTime, expiresAt };
  }

  async function verifyOperatorAccess(token: string): Promise<AccessTokenClaims> {
    const { sub, exp, iat } = parseClaims(operatorClaims, await operatorTokens.verify(token));
    // These tokens are not refreshed: they are issued by signing in.
    return { subject: sub, authTime: iat, expiresAt: exp };
  }

  async function verifyAccess(token: string): Promise<AccessTokenClaims> {
    try {
      const isOperatorToken = operatorTokens.isOperatorToken(token);
      return await (isOperatorToken ? verifyOperatorAccess(token) : verifyProviderAccess(token));
    } catch (error) {
      throw error instanceof AppError ? error : toTokenError(error);
    }
  }

  const cache = new LRUCache<string, AccessTokenClaims>({ max: CACHE_SIZE, ...expireByClock(clock) });

  return {
    /**
     * Returns the claims of an access token. A valid token is cached for a minute, at most until it expires: so long a
     * session that has ended is still accepted.
     *
     * @throws AppError `unauthorized`, `token_expired`, `unavailable`
     */
    async verifyAccessToken(token: string): Promise<AccessTokenClaims> {
      const now = clock().getTime();
      const fingerprint = createHash('sha256').update(token).digest('base64');
      const cached = cache.get(fingerprint);
      if (cached) return cached;
      const claims = await verifyAccess(token);
      const ttl = Math.min(claims.expiresAt * 1000 - now, CACHE_TTL_MS);
      // The cache would still return it at the millisecond of its expiry.
      cache.set(fingerprint, claims, { ttl, start: now - 1 });
      return claims;
    },

    /**
     * Returns the profile in an ID token.
     *
     * @param owner - the subject the token must belong to
     * @throws AppError `invalid_request`, `token_expired`, `unavailable`
     */
    async verifyIdToken(token: string, owner: string): Promise<Profile> {
      const createInvalidError = () =>
        new AppError('invalid_request', { fields: [{ path: 'body.idToken', code: 'field_invalid' }] });
      const payload = await verifyProviderToken(token).catch((cause: unknown) => {
        const error = toTokenError(cause);
        throw error.code === 'unauthorized' ? createInvalidError() : error;
      });
      if (idClaims.safeParse(payload).data?.sub !== owner) throw createInvalidError();
      const { email, given_name: firstName, family_name: lastName } = payload;
      return toProfile({ email, firstName, lastName });
    },
  };
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>;
