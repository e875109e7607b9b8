import { createHash } from 'node:crypto';
import { isTestKey } from '@escucho/billing';
import type { PublicConfig } from '@escucho/contracts';
import type { Instance } from './instance.ts';
import { publicOAuth } from './oauth.ts';
import { publicOperators } from './operators.ts';
import type { OutsideIdentity } from './settings/identity.ts';
import type { Settings } from './settings.ts';

/** The identity provider as everybody must name it: the one outside, or ours at the public address. */
export function identityOf(settings: Settings, instance: Instance): OutsideIdentity {
  if (settings.outsideIdentity) return settings.outsideIdentity;
  const endpoint = `${settings.publicUrl}/identity`;
  const issuer = `${endpoint}/${instance.userPoolId}`;
  const { userPoolId, clientId } = instance;
  const jwksUri = `${issuer}/.well-known/jwks.json`;
  return { endpoint, userPoolId, clientId, issuer, jwksUri, oauthDomain: undefined };
}

/** The identity pool beside the embedded user pool: named after it, and as stable. */
export function identityPoolIdOf({ userPoolId }: Instance): string {
  const hex = createHash('sha256').update(userPoolId).digest('hex');
  return `local:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Whether mail stays here, for everybody to read: where people try the product, and no mail server is named. */
export function hasOutbox({ demo, outsideIdentity, embeddedIdentity }: Settings): boolean {
  return demo && !outsideIdentity && !embeddedIdentity.smtp;
}

/** The billing provider as pages know it; null where nothing is for sale. */
function billingOf(settings: Settings, { billing }: Instance, origin: string): PublicConfig['billing'] {
  const { outsideBilling, demo, stripe } = settings;
  if (outsideBilling) return { baseUrl: outsideBilling.endpoint, apiKey: outsideBilling.publicKey };
  const baseUrl = `${origin}/billing`;
  if (stripe && !isTestKey(stripe.secretKey)) return { baseUrl, apiKey: billing.productionKey };
  return demo || stripe ? { baseUrl, apiKey: billing.sandboxKey } : null;
}

/**
 * What /config.json says. In: settings, instance, and the origin the browser came by, so that localhost and
 * 127.0.0.1 both stay on one origin. Out: absolute addresses; the issuer never follows the origin.
 */
export function publicConfigOf(settings: Settings, instance: Instance, origin: string): PublicConfig {
  const { oauthDomain: _, ...identity } = identityOf(settings, instance);
  const hasGuests = !settings.outsideIdentity && settings.embeddedIdentity.allowed.includes('guests');
  return {
    api: `${origin}/api`,
    identity: {
      ...identity,
      endpoint: settings.outsideIdentity ? identity.endpoint : `${origin}/identity`,
      listsSessions: !settings.outsideIdentity,
      ...(hasGuests && { identityPoolId: identityPoolIdOf(instance) }),
      oauth: publicOAuth(settings, origin),
    },
    billing: billingOf(settings, instance, origin),
    operators: publicOperators(settings, origin),
    communityUrl: settings.communityUrl,
    outbox: hasOutbox(settings) ? `${origin}/outbox` : null,
  };
}
