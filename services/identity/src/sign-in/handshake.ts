import * as z from 'zod/mini';
import type { Secrets } from '../crypto.ts';

/** The time between the two requests of an SRP sign-in. */
export const HANDSHAKE_LIFETIME_MS = 3 * 60_000;

/** The server's state between the two requests of an SRP sign-in. */
export interface Handshake {
  id: string;
  userId: string;
  /** The username of the first request, in lower case. */
  username: string;
  /** The flow the proof belongs to; CUSTOM_AUTH continues with a challenge. */
  flow: 'USER_SRP_AUTH' | 'CUSTOM_AUTH';
  A: bigint;
  B: bigint;
  b: bigint;
  expiresAt: Date;
}

const hexNumber = z.pipe(
  z.string(),
  z.transform((hex) => BigInt(`0x${hex}`)),
);
const handshakeSchema = z.object({
  id: z.string(),
  userId: z.string(),
  username: z.string(),
  flow: z.enum(['USER_SRP_AUTH', 'CUSTOM_AUTH']),
  A: hexNumber,
  B: hexNumber,
  b: hexNumber,
  expiresAt: z.pipe(
    z.number(),
    z.transform((milliseconds) => new Date(milliseconds)),
  ),
});

/** Encrypts a handshake as the SECRET_BLOCK, so that any process can handle the second request. */
export function encryptHandshake(secrets: Secrets, handshake: Handshake): Buffer {
  const { A, B, b, expiresAt, ...rest } = handshake;
  const plain = { ...rest, A: A.toString(16), B: B.toString(16), b: b.toString(16), expiresAt: +expiresAt };
  return secrets.encrypt('handshake', '', Buffer.from(JSON.stringify(plain)));
}

/** Decrypts a SECRET_BLOCK; returns undefined for one that was not created here. */
export function decryptHandshake(secrets: Secrets, secretBlock: Buffer): Handshake | undefined {
  const plain = secrets.decrypt('handshake', '', secretBlock);
  return plain && handshakeSchema.parse(JSON.parse(plain.toString()));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const timestampPattern =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) UTC (\d{4})$/;

/** Parses a TIMESTAMP such as `Mon Jan 5 07:08:09 UTC 2026`; returns undefined where it is malformed. */
export function parseTimestamp(text: string): Date | undefined {
  const [, month = '', ...numbers] = timestampPattern.exec(text) ?? [];
  const [day = 0, hours = 0, minutes = 0, seconds = 0, year = 0] = numbers.map(Number);
  const monthIndex = months.indexOf(month);
  const date = new Date(Date.UTC(year, monthIndex, day, hours, minutes, seconds));
  const isValid =
    date.getUTCMonth() === monthIndex &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hours &&
    date.getUTCMinutes() === minutes &&
    date.getUTCSeconds() === seconds;
  return isValid ? date : undefined;
}
