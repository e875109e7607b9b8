import { createHmac, timingSafeEqual } from 'node:crypto';
import { g, hash, k, N, pad, power, toNumber } from './group.ts';

/** What is kept of a password: it proves one, and does not give it back. */
export interface Credential {
  salt: bigint;
  verifier: bigint;
}

const keyInfo = Buffer.from('Caldera Derived Key\u0001');

/** The verifier of a password. In: the pool's name (its id after the underscore), the user's id for SRP, the salt. */
export function verifierOf(poolName: string, userId: string, password: string, salt: bigint): bigint {
  const identity = hash(`${poolName}${userId}:${password}`);
  return power(g, toNumber(hash(pad(salt), identity)));
}

/** The server's public number B for its one-time secret `b`. */
export function publicNumber(verifier: bigint, b: bigint): bigint {
  return (k * verifier + power(g, b)) % N;
}

/** The client's public number from the wire, or nothing where it is not a hexadecimal number or a multiple of N. */
export function readPublicNumber(hex: string): bigint | undefined {
  if (!/^[0-9a-f]{1,1024}$/i.test(hex)) return undefined;
  const value = BigInt(`0x${hex}`);
  return value % N === 0n ? undefined : value;
}

/** The number u that binds the key to both public numbers. */
export function scrambler(A: bigint, B: bigint): bigint {
  return toNumber(hash(pad(A), pad(B)));
}

/** The server's side of the shared secret S; nothing where A or u would make it known to everybody. */
export function sharedSecret(A: bigint, verifier: bigint, u: bigint, b: bigint): bigint | undefined {
  if (A % N === 0n || u === 0n) return undefined;
  return power((A * power(verifier, u)) % N, b);
}

/** The 16 byte key of the claim: HKDF-SHA256 of S, salted with u. */
export function claimKey(S: bigint, u: bigint): Buffer {
  const extracted = createHmac('sha256', pad(u)).update(pad(S)).digest();
  return createHmac('sha256', extracted).update(keyInfo).digest().subarray(0, 16);
}

/** What a client claims to know the key over. */
export interface Claim {
  poolName: string;
  userId: string;
  secretBlock: Buffer;
  timestamp: string;
}

/** The proof of a claim: HMAC-SHA256 with the key. */
export function signClaim(key: Buffer, { poolName, userId, secretBlock, timestamp }: Claim): Buffer {
  return createHmac('sha256', key)
    .update(`${poolName}${userId}`)
    .update(secretBlock)
    .update(timestamp)
    .digest();
}

/** Whether two byte strings are the same, in a time that does not tell where they differ. */
export function equalBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
