import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

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
