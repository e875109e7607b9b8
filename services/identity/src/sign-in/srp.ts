import { createHmac, DiffieHellman, getDiffieHellman } from 'node:crypto';
import { sha256 } from '../crypto.ts';

const group = getDiffieHellman('modp15');
const prime = group.getPrime();
const KEY_INFO = Buffer.from('Caldera Derived Key\u0001');

/** Reads a big-endian byte string as a number. */
export function toNumber(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}

/** Returns the shortest big-endian encoding of a number. */
export function toBytes(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Returns the encoding that SRP hashes: the shortest, with a leading zero byte where the top bit is set. */
export function pad(value: bigint): Buffer {
  const bytes = toBytes(value);
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

/** The 3072-bit group of RFC 3526 with generator 2, and the multiplier k = H(N, g) of SRP-6a. */
export const N = toNumber(prime);
export const g = 2n;
export const k = toNumber(sha256(pad(N), pad(g)));

/**
 * Computes base^exponent mod N in about half a millisecond: OpenSSL's Diffie-Hellman is six times as fast as BigInt and
 * takes the same time for every exponent. It refuses the three bases whose powers are trivial, so those are special cases.
 */
export function modPow(base: bigint, exponent: bigint): bigint {
  const reduced = base % N;
  if (exponent === 0n) return 1n;
  if (reduced <= 1n) return reduced;
  if (reduced === N - 1n) return exponent % 2n === 0n ? 1n : reduced;
  // A group has no setter. An object made of its prime would have one, but with OpenSSL 3.5 (Node 24) it first tests for a
  // second or two whether the prime is one.
  Reflect.apply(DiffieHellman.prototype.setPrivateKey, group, [toBytes(exponent)]);
  return toNumber(group.computeSecret(toBytes(reduced)));
}

/** The salt and SRP verifier that are stored instead of a password. */
export interface Credential {
  salt: bigint;
  verifier: bigint;
}

/**
 * Computes the verifier of a password.
 * @param poolName the pool id without its region and underscore
 * @param userId the USER_ID_FOR_SRP
 */
export function computeVerifier(poolName: string, userId: string, password: string, salt: bigint): bigint {
  const identity = sha256(`${poolName}${userId}:${password}`);
  return modPow(g, toNumber(sha256(pad(salt), identity)));
}

/** Computes the server's public value B for its ephemeral secret `b`. */
export function computePublicB(verifier: bigint, b: bigint): bigint {
  return (k * verifier + modPow(g, b)) % N;
}

/** Parses SRP_A; returns undefined for what is not a hexadecimal number of sane length, or is 0 mod N. */
export function parsePublicA(hex: string): bigint | undefined {
  if (!/^[0-9a-f]{1,1024}$/i.test(hex)) return undefined;
  const value = BigInt(`0x${hex}`);
  return value % N === 0n ? undefined : value;
}

/** Computes the scrambling parameter u = H(A, B). */
export function computeScrambler(A: bigint, B: bigint): bigint {
  return toNumber(sha256(pad(A), pad(B)));
}

/** Computes the server's shared secret S; returns undefined where A or u would make it predictable. */
export function computeSharedSecret(A: bigint, verifier: bigint, u: bigint, b: bigint): bigint | undefined {
  if (A % N === 0n || u === 0n) return undefined;
  return modPow((A * modPow(verifier, u)) % N, b);
}

/** Derives the 16-byte key of the signature: HKDF-SHA256 of S with salt u. */
export function deriveSignatureKey(S: bigint, u: bigint): Buffer {
  const extracted = createHmac('sha256', pad(u)).update(pad(S)).digest();
  return createHmac('sha256', extracted).update(KEY_INFO).digest().subarray(0, 16);
}

export interface PasswordClaim {
  poolName: string;
  userId: string;
  secretBlock: Buffer;
  timestamp: string;
}

/** Returns the `PASSWORD_CLAIM_SIGNATURE` of `PASSWORD_VERIFIER`: HMAC-SHA-256 with the key of the exchange. */
export function signPasswordClaim(
  key: Buffer,
  { poolName, userId, secretBlock, timestamp }: PasswordClaim,
): Buffer {
  return createHmac('sha256', key)
    .update(`${poolName}${userId}`)
    .update(secretBlock)
    .update(timestamp)
    .digest();
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
