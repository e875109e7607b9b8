import { createHash } from 'node:crypto';
import { isTestKey } from '@escucho/billing';
import type { PublicConfig } from '@escucho/contracts';
import type { Instance } from './instance.ts';
import { publicOAuth } from './oauth.ts';
import { publicOperators } from './operators.ts';
import type { OutsideIdentity } from './settings/identity.ts';
import type { Settings } from './settings.ts';

/** Returns the identity provider's public parameters, external or embedded. */
export function identityOf(settings: Settings, instance: Instance): OutsideIdentity {
  if (settings.outsideIdentity) return settings.outsideIdentity;
  const endpoint = `${settings.publicUrl}/identity`;
  const issuer = `${endpoint}/${instance.userPoolId}`;
  const { userPoolId, clientId } = instance;
  const jwksUri = `${issuer}/.well-known/jwks.json`;
  return { endpoint, userPoolId, clientId, issuer, jwksUri, oauthDomain: undefined };
}

/** Derives the id of the embedded identity pool from the user pool's. */
export function identityPoolIdOf({ userPoolId }: Instance): string {
  const hex = createHash('sha256').update(userPoolId).digest('hex');
  return `local:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Tells whether the outbox page shows mail instead of sending it: in demo mode without a mail server. */
export function hasOutbox({ demo, outsideIdentity, embeddedIdentity }: Settings): boolean {
  return demo && !outsideIdentity && !embeddedIdentity.smtp;
}

/** Returns the billing provider's public parameters; null where nothing is for sale. */
function billingOf(settings: Settings, { billing }: Instance, origin: string): PublicConfig['billing'] {
  const { outsideBilling, demo, stripe } = settings;
  if (outsideBilling) return { baseUrl: outsideBilling.endpoint, apiKey: outsideBilling.publicKey };
  const baseUrl = `${origin}/billing`;
  if (stripe && !isTestKey(stripe.secretKey)) return { baseUrl, apiKey: billing.productionKey };
  return demo || stripe ? { baseUrl, apiKey: billing.sandboxKey } : null;
}

/**
 * Builds /config.json.
 *
 * @param origin - the origin of the request, so that localhost and 127.0.0.1 each stay same-origin; the issuer never
 *   follows it
 */
export function publicConfigOf(settings: Settings, instance: Instance, origin: string): PublicConfig {
  const { oauthDomain: _, ...identity } = identityOf(settings, instance);
  const guestAccess = !settings.outsideIdentity && settings.embeddedIdentity.allowed.includes('guests');
  return {
    api: `${origin}/api`,
    identity: {
      ...identity,
      endpoint: settings.outsideIdentity ? identity.endpoint : `${origin}/identity`,
      listsSessions: !settings.outsideIdentity,
      guestAccess,
      ...(guestAccess && { identityPoolId: identityPoolIdOf(instance) }),
      oauth: publicOAuth(settings, origin),
    },
    billing: billingOf(settings, instance, origin),
    operators: publicOperators(settings, origin),
    communityUrl: settings.communityUrl,
    outbox: hasOutbox(settings) ? `${origin}/outbox` : null,
  };
}
