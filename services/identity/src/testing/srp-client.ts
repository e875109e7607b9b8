import { randomBytes } from 'node:crypto';
import { g, hash, k, N, pad, power, toNumber } from '../srp/group.ts';
import { claimKey, scrambler, signClaim } from '../srp/srp.ts';

/** What the server's challenge tells, as sent. */
export interface Challenge {
  SALT: string;
  SRP_B: string;
  SECRET_BLOCK: string;
  USER_ID_FOR_SRP: string;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment as clients write TIMESTAMP. */
function timestampOf(moment: Date): string {
  const time = moment.toISOString().slice(11, 19);
  const day = `${days[moment.getUTCDay()]} ${months[moment.getUTCMonth()]} ${moment.getUTCDate()}`;
  return `${day} ${time} UTC ${moment.getUTCFullYear()}`;
}

/** The client's side of one sign-in, which tests can bend. */
export function createSrpClient(poolName: string) {
  const a = toNumber(randomBytes(128));
  const A = power(g, a);
  return {
    A: A.toString(16),

    /** The answer to a challenge for a password. */
    answer(challenge: Challenge, password: string, now: Date) {
      const userId = challenge.USER_ID_FOR_SRP;
      const B = BigInt(`0x${challenge.SRP_B}`);
      const u = scrambler(A, B);
      const x = toNumber(hash(pad(BigInt(`0x${challenge.SALT}`)), hash(`${poolName}${userId}:${password}`)));
      const base = (B + N - ((k * power(g, x)) % N)) % N;
      const S = power(base, a + u * x);
      const secretBlock = Buffer.from(challenge.SECRET_BLOCK, 'base64');
      const timestamp = timestampOf(now);
      const signature = signClaim(claimKey(S, u), { poolName, userId, secretBlock, timestamp });
      return {
        USERNAME: userId,
        PASSWORD_CLAIM_SECRET_BLOCK: challenge.SECRET_BLOCK,
        TIMESTAMP: timestamp,
        PASSWORD_CLAIM_SIGNATURE: signature.toString('base64'),
      };
    },
  };
}
