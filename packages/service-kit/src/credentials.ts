import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const digest = (value: Buffer | string) => createHash('sha256').update(value).digest();

/**
 * Compares secrets, such as keys and signatures, in a time that does not depend on where they differ or how long the
 * expected one is. Texts are compared as they are: another encoding of the same bytes is not equal.
 */
export const isEqualInConstantTime = (one: Buffer | string, other: Buffer | string): boolean =>
  timingSafeEqual(digest(one), digest(other));

/** Returns the bearer token of a request's Authorization header (RFC 6750). */
export const getBearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
