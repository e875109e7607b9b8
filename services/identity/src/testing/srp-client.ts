import { randomBytes } from 'node:crypto';
import { sha256 } from '../crypto.ts';
import {
  computeScrambler,
  deriveSignatureKey,
  g,
  k,
  modPow,
  N,
  pad,
  signPasswordClaim,
  toNumber,
} from '../sign-in/srp.ts';

/** The parameters of the PASSWORD_VERIFIER challenge. */
export interface Challenge {
  SALT: string;
  SRP_B: string;
  SECRET_BLOCK: string;
  USER_ID_FOR_SRP: string;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a TIMESTAMP. */
function toTimestamp(date: Date): string {
  const time = date.toISOString().slice(11, 19);
  const day = `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${date.getUTCDate()}`;
  return `${day} ${time} UTC ${date.getUTCFullYear()}`;
}

/** Creates the client of one SRP sign-in. */
export function createSrpClient(poolName: string) {
  const a = toNumber(randomBytes(128));
  const A = modPow(g, a);
  return {
    A: A.toString(16),

    /** Computes the response to a challenge. */
    solve(challenge: Challenge, password: string, now: Date) {
      const userId = challenge.USER_ID_FOR_SRP;
      const B = BigInt(`0x${challenge.SRP_B}`);
      const u = computeScrambler(A, B);
      const x = toNumber(
        sha256(pad(BigInt(`0x${challenge.SALT}`)), sha256(`${poolName}${userId}:${password}`)),
      );
      const base = (B + N - ((k * modPow(g, x)) % N)) % N;
      const S = modPow(base, a + u * x);
      const secretBlock = Buffer.from(challenge.SECRET_BLOCK, 'base64');
      const timestamp = toTimestamp(now);
      const signature = signPasswordClaim(deriveSignatureKey(S, u), {
        poolName,
        userId,
        secretBlock,
        timestamp,
      });
      return {
        USERNAME: userId,
        PASSWORD_CLAIM_SECRET_BLOCK: challenge.SECRET_BLOCK,
        TIMESTAMP: timestamp,
        PASSWORD_CLAIM_SIGNATURE: signature.toString('base64'),
      };
    },
  };
}
