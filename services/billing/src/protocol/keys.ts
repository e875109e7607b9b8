import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { faults } from '../errors.ts';
import type { BillingKeys } from '../options.ts';
import type { Environment } from '../subscribers/policy.ts';

/** Whose key a request carries: a page's, for play money or real, or a server's. */
export type Caller = { kind: 'public'; environment: Environment } | { kind: 'secret' };

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Knows requests by the key they bear. Throws 7225 for a key that is none of ours. */
export function createKeyring({ sandbox, production, secret }: BillingKeys) {
  const known: [Buffer, Caller][] = [[digest(secret), { kind: 'secret' }]];
  if (sandbox) known.push([digest(sandbox), { kind: 'public', environment: 'sandbox' }]);
  if (production) known.push([digest(production), { kind: 'public', environment: 'production' }]);
  return (request: FastifyRequest): Caller => {
    const key = /^Bearer +([\w.-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const given = digest(key ?? '');
    const caller = known.find(([expected]) => timingSafeEqual(expected, given))?.[1];
    if (!caller) throw faults.invalidKey();
    return caller;
  };
}

export type Keyring = ReturnType<typeof createKeyring>;
