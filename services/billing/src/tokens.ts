import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { billingErrors } from './errors.ts';

const ALGORITHM = 'HS256';

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

interface SignedTokensOptions {
  /** The secret API key, which the signing key does not reveal. */
  secret: string;
  /** What the tokens are for; each audience has its own key. */
  audience: string;
  /** How long a token is valid. */
  seconds: number;
  clock: () => Date;
}

/** Creates and verifies tokens (JWT) for one purpose. Nothing is stored, and every process can verify them. */
export function createSignedTokens({ secret, audience, seconds, clock }: SignedTokensOptions) {
  const key = createHmac('sha256', secret).update(`${audience} token`).digest();

  return {
    create(subject: string): Promise<string> {
      const now = toSeconds(clock());
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(key);
    },

    /** Returns the subject of a token. Throws an error of `jose` where it is invalid or expired. */
    async verify(token: string): Promise<string | undefined> {
      const options = { algorithms: [ALGORITHM], audience, currentDate: clock() };
      return (await jwtVerify(token, key, options)).payload.sub;
    },
  };
}

/** The request header that carries a purchase token. */
export const PURCHASE_TOKEN_HEADER = 'x-purchase-token';

/** Pages ask for a token right before they use it. */
const TOKEN_SECONDS = 300;

/**
 * Creates the service for purchase tokens. A page needs one to buy for an app user id, because everybody has its public key.
 * Only a server, which knows who is signed in, may request one.
 *
 * @param secret - the secret API key
 */
export function createPurchaseTokens(secret: string, clock: () => Date) {
  const tokens = createSignedTokens({ secret, audience: 'purchase', seconds: TOKEN_SECONDS, clock });

  return {
    /** Returns a token with which an app user may buy, valid for five minutes. */
    create: tokens.create,

    /**
     * Checks the token of a request that acts for an app user.
     *
     * @throws BillingError 7224, with a reason: it is missing, invalid, expired, or another user's
     */
    async verify(token: unknown, appUserId: string): Promise<void> {
      if (typeof token !== 'string' || token === '') throw billingErrors.tokenRequired();
      const subject = await tokens.verify(token).catch((error: unknown) => {
        throw error instanceof errors.JWTExpired
          ? billingErrors.tokenExpired()
          : billingErrors.tokenInvalid();
      });
      if (subject !== appUserId) throw billingErrors.tokenOfAnotherUser();
    },
  };
}

export type PurchaseTokens = ReturnType<typeof createPurchaseTokens>;
