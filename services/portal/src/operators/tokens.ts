import type { Platform } from '@escucho/contracts';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';

const issuer = 'escucho-portal';
const audience = 'escucho-operator-readers';
const algorithm = 'HS256';
/** How long a token is good, in seconds: a day. There is no renewal: the reader comes by the operator again. */
const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

const prefix = 'operator:';

/** An operator's reader among all subjects. In: the operator, and its own id of the subscriber. */
export const toOperatorSubject = (platform: Platform, id: string): string => `${prefix}${platform}:${id}`;

/** Whether a subject is one of ours: no identity provider may speak for it. */
export const isOperatorSubject = (subject: string): boolean => subject.startsWith(prefix);

/** The operator's own id in a subject of ours. */
export const getSubscriberId = (subject: string): string | undefined => subject.split(':')[2];

/** Tokens that the portal itself issues, to operators' readers (EXT-05). In: the key, at least 32 characters. */
export function createOperatorTokens(secret: string, clock: () => Date) {
  const key = new TextEncoder().encode(secret);
  return {
    /** A token for a reader, good for a day. */
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

    /** Whether a token says that it is one of these. Throws where it is none that can be read. */
    isOperatorToken: (token: string): boolean => decodeJwt(token).iss === issuer,

    /** In: a token. Out: its claims, signature and all else checked. Throws what jose throws. */
    async verify(token: string) {
      const required = ['sub', 'exp'];
      const options = { issuer, audience, algorithms: [algorithm], currentDate: clock() };
      return (await jwtVerify(token, key, { ...options, requiredClaims: required })).payload;
    },
  };
}

export type OperatorTokens = ReturnType<typeof createOperatorTokens>;
