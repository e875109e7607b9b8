import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Secrets } from '../secrets.ts';
import { toNumber } from './group.ts';

/** How long a handshake may take, in milliseconds. */
export const handshakeLifetime = 3 * 60_000;

/** What the server must remember between the two calls of a sign-in. */
export interface Handshake {
  id: string;
  userId: string;
  /** The name it was begun with, in lower case. */
  name: string;
  A: bigint;
  B: bigint;
  b: bigint;
  expiresAt: Date;
}

const hexNumber = z.pipe(
  z.string(),
  z.transform((hex) => BigInt(`0x${hex}`)),
);
const sealed = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  A: hexNumber,
  B: hexNumber,
  b: hexNumber,
  expiresAt: z.pipe(
    z.number(),
    z.transform((milliseconds) => new Date(milliseconds)),
  ),
});

/** A fresh one-time secret `b` of the server. */
export function newSecretNumber(): bigint {
  return toNumber(randomBytes(32));
}

/** The SECRET_BLOCK: the handshake sealed, so that any process can go on with it. */
export function sealHandshake(secrets: Secrets, handshake: Handshake): Buffer {
  const { A, B, b, expiresAt, ...rest } = handshake;
  const plain = { ...rest, A: A.toString(16), B: B.toString(16), b: b.toString(16), expiresAt: +expiresAt };
  return secrets.seal('handshake', '', Buffer.from(JSON.stringify(plain)));
}

/** The handshake in a SECRET_BLOCK, or nothing where it is none of ours. */
export function openHandshake(secrets: Secrets, block: Buffer): Handshake | undefined {
  const plain = secrets.open('handshake', '', block);
  return plain && sealed.parse(JSON.parse(plain.toString()));
}
