import type { Platform } from '@escucho/contracts';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';

const issuer = 'escucho-portal';
const audience = 'escucho-operator-readers';
const algorithm = 'HS256';
/** Tokens are not refreshed: the user signs in through the operator again. */
const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

const prefix = 'operator:';

/** @param id - the operator's id of the subscriber */
export const toOperatorSubject = (platform: Platform, id: string): string => `${prefix}${platform}:${id}`;

/** Returns whether a subject is an operator's user; tokens of the identity provider with such a subject are refused. */
export const isOperatorSubject = (subject: string): boolean => subject.startsWith(prefix);

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
      const now = Math.floor(clock().getTime() / 1000);
      return new SignJWT({})
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
        .sign(key);
    },

    /** Returns whether an unverified token claims to be one of these. Throws for what is not a JWT. */
    isOperatorToken: (token: string): boolean => decodeJwt(token).iss === issuer,

    /** Returns the verified claims. Throws jose's errors. */
    async verify(token: string) {
      const required = ['sub', 'exp'];
      const options = { issuer, audience, algorithms: [algorithm], currentDate: clock() };
      return (await jwtVerify(token, key, { ...options, requiredClaims: required })).payload;
    },
  };
}

export type OperatorTokens = ReturnType<typeof createOperatorTokens>;
