import { timingSafeEqual } from 'node:crypto';

/**
 * Compares secrets, such as keys and signatures, in a time that depends on their lengths only. Texts are compared as they
 * are: another encoding of the same bytes is not equal.
 */
export function isEqualInConstantTime(one: Buffer | string, other: Buffer | string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
