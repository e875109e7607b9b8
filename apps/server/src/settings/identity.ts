import * as z from 'zod/mini';
import { baseUrl, EnvError, isLoopbackAddress, webUrl } from './variables.ts';

/** Optional features of the embedded identity provider (AUTH-12, AUTH-13). */
const identityFeatures = ['implicit', 'guests', 'USER_PASSWORD_AUTH', 'CUSTOM_AUTH'] as const;

/** Environment variables of the identity provider and of mail. */
export const identityVariables = {
  IDENTITY_ENDPOINT: z.optional(baseUrl),
  IDENTITY_USER_POOL_ID: z.optional(
    z.string().check(z.regex(/^[\w-]+_[0-9a-zA-Z]+$/, 'must look like region_Name')),
  ),
  IDENTITY_CLIENT_ID: z.optional(z.string()),
  IDENTITY_ISSUER: z.optional(baseUrl),
  IDENTITY_JWKS_URI: z.optional(webUrl),
  IDENTITY_OAUTH_DOMAIN: z.optional(
    z.string().check(z.regex(/^[\w.-]+(:\d+)?(\/[\w./-]+)?$/, 'must be a host, without https://')),
  ),
  IDENTITY_ADMIN_KEY: z.optional(z.string()),
  IDENTITY_GOOGLE_CLIENT_ID: z.optional(z.string()),
  IDENTITY_GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  IDENTITY_FACEBOOK_CLIENT_ID: z.optional(z.string()),
  IDENTITY_FACEBOOK_CLIENT_SECRET: z.optional(z.string()),
  SMTP_URL: z.optional(
    z.url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// address' }),
  ),
  MAIL_FROM: z.optional(
    z
      .string()
      .check(z.regex(/^[^\p{Cc}<>]*<[^\s<>@]+@[\w.-]+>$|^[^\s<>@]+@[\w.-]+$/u, 'must be an e-mail address')),
  ),
  IDENTITY_ALLOW: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => (text.trim() === 'none' ? [] : text.split(',').map((name) => name.trim()))),
      ),
      z.array(z.enum(identityFeatures, `must be a list of ${identityFeatures.join(', ')}, or none`)),
    ),
  ),
};

type Variables = z.output<z.ZodMiniObject<typeof identityVariables>>;

/** An external identity provider: Amazon Cognito, or Escucho's in another process. */
export interface ExternalIdentity {
  endpoint: string;
  userPoolId: string;
  clientId: string;
  issuer: string;
  jwksUri: string;
  /** The host of its OAuth pages, without a scheme, if it has any. */
  oauthDomain: string | undefined;
}

/**
 * Returns the external identity provider, if configured.
 *
 * @throws EnvError for a partial configuration
 */
export function readExternalIdentity(env: Variables): ExternalIdentity | undefined {
  const { IDENTITY_USER_POOL_ID: userPoolId, IDENTITY_CLIENT_ID: clientId } = env;
  const region = userPoolId?.split('_')[0];
  const endpoint = env.IDENTITY_ENDPOINT ?? `https://cognito-idp.${region}.amazonaws.com`;
  if (!userPoolId && !clientId && !env.IDENTITY_ENDPOINT && !env.IDENTITY_ISSUER) return undefined;
  if (!userPoolId || !clientId) {
    throw new EnvError([
      'IDENTITY_USER_POOL_ID, IDENTITY_CLIENT_ID: both are required for an external identity provider; leave all IDENTITY_* unset for the embedded one',
    ]);
  }
  const issuer = env.IDENTITY_ISSUER ?? `${endpoint}/${userPoolId}`;
  return {
    endpoint,
    userPoolId,
    clientId,
    issuer,
    jwksUri: env.IDENTITY_JWKS_URI ?? `${issuer}/.well-known/jwks.json`,
    oauthDomain: env.IDENTITY_OAUTH_DOMAIN,
  };
}

function readProviderKeys(name: string, clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const variable = `IDENTITY_${name}_CLIENT`;
  throw new EnvError([`${variable}_ID, ${variable}_SECRET: both are required, or neither`]);
}

function readSmtp({ SMTP_URL: url, MAIL_FROM: from }: Variables) {
  if (url === undefined) return undefined;
  if (from !== undefined) return { url, from };
  throw new EnvError(['MAIL_FROM: required with SMTP_URL, e.g. "Escucho <no-reply@example.org>"']);
}

/**
 * Returns the configuration of the embedded identity provider.
 *
 * @throws EnvError for a mail server or federated provider that is configured in part
 */
export const readEmbeddedIdentity = (env: Variables & { HOST: string; PUBLIC_URL?: string | undefined }) => ({
  /** The mail server and the sender; without one, mail stays in the outbox. */
  smtp: readSmtp(env),
  google: readProviderKeys('GOOGLE', env.IDENTITY_GOOGLE_CLIENT_ID, env.IDENTITY_GOOGLE_CLIENT_SECRET),
  facebook: readProviderKeys(
    'FACEBOOK',
    env.IDENTITY_FACEBOOK_CLIENT_ID,
    env.IDENTITY_FACEBOOK_CLIENT_SECRET,
  ),
  /** Those that IDENTITY_ALLOW lists or, without it, all where only this machine reaches the provider. */
  allowedFeatures:
    env.IDENTITY_ALLOW ??
    (isLoopbackAddress({ host: env.HOST, publicUrl: env.PUBLIC_URL }) ? identityFeatures : []),
});
