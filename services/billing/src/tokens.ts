import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Database } from './database.ts';
import { billingErrors } from './errors.ts';
import type { Subscriber } from './subscribers/policy.ts';
import { subscriberRepository } from './subscribers/repository.ts';

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

interface PurchaseTokenDeps {
  db: Database;
  /** The secret API key. */
  secret: string;
  clock: () => Date;
}

/**
 * Creates the service for purchase tokens. A page needs one to buy for an app user id, because everybody has its public key.
 * Only a server, which knows who is signed in, may request one.
 */
export function createPurchaseTokens({ db, secret, clock }: PurchaseTokenDeps) {
  const tokens = createSignedTokens({
    secret,
    audience: 'subscriber purchase',
    seconds: TOKEN_SECONDS,
    clock,
  });

  return {
    /** Returns a token with which a subscriber may buy, valid for five minutes, but not once the subscriber is deleted. */
    create: ({ id }: Pick<Subscriber, 'id'>): Promise<string> => tokens.create(id),

    /**
     * Returns the subscriber of a request's token.
     *
     * @throws BillingError 7224, with a reason: it is missing, invalid, expired, or not of the app user
     */
    async verify(token: unknown, appUserId: string): Promise<Subscriber> {
      if (typeof token !== 'string' || token === '') throw billingErrors.tokenRequired();
      const id = await tokens.verify(token).catch((error: unknown) => {
        throw error instanceof errors.JWTExpired
          ? billingErrors.tokenExpired()
          : billingErrors.tokenInvalid();
      });
      const subscriber = id && (await subscriberRepository.findById(db, id));
      if (!subscriber || subscriber.appUserId !== appUserId) throw billingErrors.tokenOfAnotherUser();
      return subscriber;
    },
  };
}

export type PurchaseTokens = ReturnType<typeof createPurchaseTokens>;
