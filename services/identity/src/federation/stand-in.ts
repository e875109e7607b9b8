import { createHash } from 'node:crypto';
import { forgotPasswordForm } from '@escucho/contracts';
import * as z from 'zod/mini';
import type { ProviderName } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import type { Upstream, UpstreamProfile } from './upstream.ts';

/** Who can be chosen on the stand-in page. */
export const standInPeople = [
  { name: 'Lucía Paredes', email: 'lucia.paredes@example.com' },
  { name: 'Mateo Quiroga', email: 'mateo.quiroga@example.com' },
  { name: 'Emma Clarke', email: 'emma.clarke@example.com' },
] as const;

const said = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(120), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)),
  email: forgotPasswordForm.shape.email,
});

/** What somebody typed, if a provider could say it. */
export function readStandIn(name: string, email: string): { name: string; email: string } | undefined {
  const read = said.safeParse({ name, email: email.trim() });
  return read.success ? read.data : undefined;
}

/** The same address is the same person; ids are digits, as those of the providers are. */
function profileOf(
  provider: ProviderName,
  { name, email }: { name: string; email: string },
): UpstreamProfile {
  const hash = createHash('sha256').update(`${provider} ${email.toLowerCase()}`).digest();
  const [givenName = '', ...rest] = name.split(/\s+/);
  return {
    subject: hash.readBigUInt64BE().toString().padStart(20, '0'),
    email,
    emailVerified: provider === 'google',
    givenName,
    familyName: rest.join(' ') || null,
  };
}

/** What the stand-in's page sends the browser back with: who it is, good for the visit of this state alone. */
export function standInCode(
  secrets: Secrets,
  state: string,
  person: { name: string; email: string },
): string {
  const plain = Buffer.from(JSON.stringify(person));
  return secrets.seal('federation', `stand-in ${state}`, plain).toString('base64url');
}

/**
 * Stands in for a provider that this installation has no keys for, where people try the product. In: the address of
 * the page on which they choose who they are.
 */
export function standInUpstream(secrets: Secrets, provider: ProviderName): Upstream {
  return {
    async begin({ callback, state }) {
      const page = new URL(callback.replace(/\/oauth2\/idpresponse$/, '/stand-in'));
      page.searchParams.set('state', state);
      return page;
    },
    async finish({ state }, address) {
      const code = Buffer.from(address.searchParams.get('code') ?? '', 'base64url');
      const plain = secrets.open('federation', `stand-in ${state}`, code);
      if (!plain) throw new Error('The code is not one of the stand-in.');
      return profileOf(provider, said.parse(JSON.parse(plain.toString())));
    },
  };
}
