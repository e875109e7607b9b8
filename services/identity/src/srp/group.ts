import { createDiffieHellman, createHash, getDiffieHellman } from 'node:crypto';

const prime = getDiffieHellman('modp15').getPrime();
const arithmetic = createDiffieHellman(prime, 2);

/** A big-endian byte string as a number. */
export function toNumber(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}

/** The fewest big-endian bytes of a number. */
export function toBytes(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** The bytes the protocol hashes: the fewest, with a zero byte in front where the top bit is set. */
export function pad(value: bigint): Buffer {
  const bytes = toBytes(value);
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

/** SHA-256 of the parts one after the other. */
export function hash(...parts: readonly (Buffer | string)[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** The 3072-bit group of RFC 3526 with generator 2, and the multiplier both sides derive from it. */
export const N = toNumber(prime);
export const g = 2n;
export const k = toNumber(hash(pad(N), pad(g)));

/**
 * base^exponent mod N in about half a millisecond: OpenSSL's Diffie-Hellman is six times as fast as BigInt here and
 * takes the same time for every exponent. It refuses the three bases whose powers need no computing.
 */
export function power(base: bigint, exponent: bigint): bigint {
  const reduced = base % N;
  if (exponent === 0n) return 1n;
  if (reduced <= 1n) return reduced;
  if (reduced === N - 1n) return exponent % 2n === 0n ? 1n : reduced;
  arithmetic.setPrivateKey(toBytes(exponent));
  return toNumber(arithmetic.computeSecret(toBytes(reduced)));
}
