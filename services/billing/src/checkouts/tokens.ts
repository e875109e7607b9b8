import { errors } from 'jose';
import { billingErrors } from '../errors.ts';
import { createSignedTokens } from '../signed-tokens.ts';

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
