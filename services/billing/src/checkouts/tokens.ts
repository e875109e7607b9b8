import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { billingErrors } from '../errors.ts';

/** The request header that carries a purchase token. */
export const PURCHASE_TOKEN_HEADER = 'x-purchase-token';

const ALGORITHM = 'HS256';
const AUDIENCE = 'purchase';
/** Pages ask for a token right before they use it. */
const TOKEN_SECONDS = 300;

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

/**
 * Creates the service for purchase tokens. A page needs one to buy for an app user id, because everybody has its public key.
 * Only a server, which knows who is signed in, may request one.
 *
 * @param secret - the secret API key, which the signing key does not reveal
 */
export function createPurchaseTokens(secret: string, clock: () => Date) {
  const key = createHmac('sha256', secret).update('purchase token').digest();

  return {
    /** Returns a JWT with which an app user may buy, valid for five minutes. */
    create(appUserId: string): Promise<string> {
      const now = toSeconds(clock());
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setSubject(appUserId)
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_SECONDS)
        .sign(key);
    },

    /**
     * Checks the token of a request that acts for an app user.
     *
     * @throws BillingError 7224, with a reason: it is missing, invalid, expired, or another user's
     */
    async verify(token: unknown, appUserId: string): Promise<void> {
      if (typeof token !== 'string' || token === '') throw billingErrors.tokenRequired();
      const options = { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate: clock() };
      const { payload } = await jwtVerify(token, key, options).catch((error: unknown) => {
        throw error instanceof errors.JWTExpired
          ? billingErrors.tokenExpired()
          : billingErrors.tokenInvalid();
      });
      if (payload.sub !== appUserId) throw billingErrors.tokenOfAnotherUser();
    },
  };
}

export type PurchaseTokens = ReturnType<typeof createPurchaseTokens>;
