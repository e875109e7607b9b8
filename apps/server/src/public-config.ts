import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { isTestKey } from '@escucho/billing';
import { type PublicConfig, platforms } from '@escucho/contracts';
import { removeBrackets } from '@escucho/database';
import type { Instance } from './instance.ts';
import type { ExternalIdentity } from './settings/identity.ts';
import { isLoopbackAddress } from './settings/variables.ts';
import type { Settings } from './settings.ts';

/** Returns the identity provider's public parameters, external or embedded. */
export function getIdentityProvider(settings: Settings, instance: Instance): ExternalIdentity {
  if (settings.externalIdentity) return settings.externalIdentity;
  const endpoint = `${settings.publicUrl}/identity`;
  const issuer = `${endpoint}/${instance.userPoolId}`;
  const { userPoolId, clientId } = instance;
  const jwksUri = `${issuer}/.well-known/jwks.json`;
  return { endpoint, userPoolId, clientId, issuer, jwksUri, oauthDomain: undefined };
}

/** Derives the id of the embedded identity pool from the user pool's. */
export function toIdentityPoolId({ userPoolId }: Instance): string {
  const hex = createHash('sha256').update(userPoolId).digest('hex');
  return `local:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Returns whether the outbox page shows mail instead of sending it: in demo mode without a mail server. */
export function hasOutbox({ demo, externalIdentity, embeddedIdentity }: Settings): boolean {
  return demo && !externalIdentity && !embeddedIdentity.smtp;
}

/** Returns whether the operator simulator runs: in demo mode, when no operator is configured. */
export const hasSimulator = ({ demo, operators }: Settings): boolean =>
  demo && Object.keys(operators.external).length === 0;

/** Returns whether subscriptions that are bought without real money count: in demo mode, or with test keys. */
export function hasSandbox({ demo, stripe, externalBilling }: Settings): boolean {
  const hasTestStripe = stripe !== undefined && isTestKey(stripe.secretKey);
  return demo || hasTestStripe || (externalBilling?.publicKey.startsWith('rcb_sb_') ?? false);
}

/** Returns the billing provider's public parameters; null where nothing is sold. */
function toPublicBilling(settings: Settings, { billing }: Instance, origin: string): PublicConfig['billing'] {
  const { externalBilling, demo, stripe } = settings;
  if (externalBilling) return { baseUrl: externalBilling.endpoint, apiKey: externalBilling.publicKey };
  const baseUrl = `${origin}/billing`;
  if (stripe && !isTestKey(stripe.secretKey)) return { baseUrl, apiKey: billing.productionKey };
  return demo || stripe ? { baseUrl, apiKey: billing.sandboxKey } : null;
}

const scopes = ['phone', 'email', 'profile', 'openid', 'aws.cognito.signin.user.admin'];

/**
 * Returns the origins of the product: the public one or, without PUBLIC_URL, the loopback ones. Other origins are not
 * offered sign-in by redirect.
 */
export function getOrigins({ publicUrl, followHost, port }: Settings): [string, ...string[]] {
  return followHost ? [publicUrl, `http://127.0.0.1:${port}`, `http://[::1]:${port}`] : [publicUrl];
}

/** Returns the redirect URIs after sign-in and sign-out. */
export function toRedirectUris(origins: readonly string[]) {
  return {
    redirectUris: origins.map((origin) => `${origin}/auth/sign-in`),
    logoutUris: origins.map((origin) => `${origin}/auth/sign-out`),
  };
}

/** Returns the web app's OAuth configuration for an origin; null where sign-in by redirect is unavailable. */
function toPublicOAuth(settings: Settings, origin: string): PublicConfig['identity']['oauth'] {
  const origins = getOrigins(settings);
  const { redirectUris: redirectSignIn, logoutUris: redirectSignOut } = toRedirectUris(origins);
  const embeddedDomain = origins.includes(origin) ? `${new URL(origin).host}/identity` : undefined;
  const domain = settings.externalIdentity ? settings.externalIdentity.oauthDomain : embeddedDomain;
  if (domain === undefined) return null;
  const { demo, externalIdentity, embeddedIdentity } = settings;
  const providers = [
    ...(demo || embeddedIdentity.facebook ? (['Facebook'] as const) : []),
    ...(demo || embeddedIdentity.google ? (['Google'] as const) : []),
  ];
  return { domain, scopes, redirectSignIn, redirectSignOut, ...(!externalIdentity && { providers }) };
}

/** Returns the web app's operators and their subscription pages, for the origin of the request. */
function toPublicOperators(settings: Settings, origin: string): PublicConfig['operators'] {
  const { external, entelTagManagerId } = settings.operators;
  const isSimulated = hasSimulator(settings);
  return platforms.flatMap((platform) => {
    const page = isSimulated ? `${origin}/operators/${platform}` : external[platform]?.page;
    const tagManagerId = platform === 'entel' ? (entelTagManagerId ?? null) : null;
    return page === undefined ? [] : [{ platform, page, tagManagerId }];
  });
}

/** Returns the domain that passkeys of the embedded provider belong to; undefined where PUBLIC_URL has an IP address. */
export function getPasskeyDomain({ publicUrl }: Pick<Settings, 'publicUrl'>): string | undefined {
  const { hostname } = new URL(publicUrl);
  return isIP(removeBrackets(hostname)) === 0 ? hostname : undefined;
}

/**
 * Builds /config.json.
 *
 * @param origin - the origin of the request, so that localhost and 127.0.0.1 each stay same-origin; the issuer never
 *   follows it
 */
export function toPublicConfig(settings: Settings, instance: Instance, origin: string): PublicConfig {
  const { oauthDomain: _, ...identity } = getIdentityProvider(settings, instance);
  const features = settings.externalIdentity ? [] : settings.embeddedIdentity.allowedFeatures;
  const guestAccess = features.includes('guests');
  return {
    api: `${origin}/api`,
    identity: {
      ...identity,
      endpoint: settings.externalIdentity ? identity.endpoint : `${origin}/identity`,
      isEmbedded: !settings.externalIdentity,
      listsSessions: !settings.externalIdentity,
      passkeys: !settings.externalIdentity && getPasskeyDomain(settings) === new URL(origin).hostname,
      guestAccess,
      ...(guestAccess && { identityPoolId: toIdentityPoolId(instance) }),
      oauth: toPublicOAuth(settings, origin),
    },
    billing: toPublicBilling(settings, instance, origin),
    operators: toPublicOperators(settings, origin),
    communityUrl: settings.communityUrl,
    supportEmail: settings.supportEmail,
    publicDemo: settings.demo && !isLoopbackAddress({ host: settings.host, publicUrl: origin }),
    outbox: hasOutbox(settings) ? `${origin}/outbox` : null,
  };
}
