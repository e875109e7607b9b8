import { resolve } from 'node:path';
import type { MediaPlace } from '@escucho/portal';
import { EnvError, readEnv } from '@escucho/service-kit';
import * as z from 'zod/mini';
import { type OperatorSettings, operatorSettingsOf, operatorVariables } from './operators.ts';

const flag = z.pipe(
  z.enum(['true', 'false', '1', '0'], 'must be true or false'),
  z.transform((text) => text === 'true' || text === '1'),
);
const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const withoutSlash = z.pipe(
  address,
  z.transform((text) => text.replace(/\/+$/, '')),
);

/** `file:` and a path, or `s3://`, a bucket's name and a folder in it. */
const mediaStore = /^(file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]*)?)$/;

/** Whether a key of Stripe's is for play money. */
export const isTestKey = (key: string): boolean => /^[rsp]k_test_/.test(key);

/** What the embedded identity provider can do and does not unless it is told to. */
const allowable = ['implicit', 'guests', 'USER_PASSWORD_AUTH', 'CUSTOM_AUTH'] as const;

const storeName = z.string().check(z.regex(mediaStore, 'must be file:PATH or s3://BUCKET/PREFIX'));
const storeKeys = {
  AWS_ENDPOINT_URL_S3: z.optional(withoutSlash),
  AWS_REGION: z._default(z.string(), 'us-east-1'),
  AWS_ACCESS_KEY_ID: z.optional(z.string()),
  AWS_SECRET_ACCESS_KEY: z.optional(z.string()),
};
const storeVariables = z.object({ MEDIA_STORE: storeName, ...storeKeys });

const variables = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(
    z.coerce
      .number('must be a port')
      .check(z.int('must be a port'), z.minimum(0), z.maximum(65535, 'must be a port')),
    3000,
  ),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), './data'),
  PUBLIC_URL: z.optional(withoutSlash),
  DATABASE_URL: z.optional(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })),
  MEDIA_STORE: z.optional(storeName),
  ...storeKeys,
  AUDIO_LINK_SECONDS: z.optional(
    z.coerce
      .number('must be seconds')
      .check(z.int('must be whole seconds'), z.minimum(5, 'must be 5 or more')),
  ),
  LOG_LEVEL: z.optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a level of pino'),
  ),
  TRUST_PROXY: z.optional(z.string()),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  COMMUNITY_URL: z._default(address, 'https://community.escucho.example'),
  DEMO: z.optional(flag),
  IDENTITY_ENDPOINT: z.optional(withoutSlash),
  IDENTITY_USER_POOL_ID: z.optional(
    z.string().check(z.regex(/^[\w-]+_[0-9a-zA-Z]+$/, 'must look like region_Name')),
  ),
  IDENTITY_CLIENT_ID: z.optional(z.string()),
  IDENTITY_ISSUER: z.optional(withoutSlash),
  IDENTITY_JWKS_URI: z.optional(address),
  IDENTITY_OAUTH_DOMAIN: z.optional(
    z.string().check(z.regex(/^[\w.-]+(:\d+)?(\/[\w./-]+)?$/, 'must be a host, without https://')),
  ),
  IDENTITY_ADMIN_KEY: z.optional(z.string()),
  IDENTITY_GOOGLE_CLIENT_ID: z.optional(z.string()),
  IDENTITY_GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  IDENTITY_FACEBOOK_CLIENT_ID: z.optional(z.string()),
  IDENTITY_FACEBOOK_CLIENT_SECRET: z.optional(z.string()),
  BILLING_URL: z.optional(withoutSlash),
  BILLING_PUBLIC_KEY: z.optional(
    z.string().check(z.regex(/^rcb_[\w.-]+$/, 'must begin with rcb_, then letters, digits, _ . -')),
  ),
  BILLING_SECRET_KEY: z.optional(z.string().check(z.regex(/^[\w.-]+$/, 'must be a key'))),
  BILLING_WEBHOOK_SECRET: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  BILLING_OFFERINGS: z.optional(z.string()),
  STRIPE_SECRET_KEY: z.optional(
    z.string().check(z.regex(/^[rs]k_(test|live)_\w+$/, 'must be a secret or restricted key, sk_… or rk_…')),
  ),
  STRIPE_PUBLISHABLE_KEY: z.optional(
    z.string().check(z.regex(/^pk_(test|live)_\w+$/, 'must be a publishable key, pk_…')),
  ),
  STRIPE_ACCOUNT_ID: z.optional(z.string().check(z.regex(/^acct_\w+$/, 'must be an account, acct_…'))),
  STRIPE_WEBHOOK_SECRET: z.optional(
    z.string().check(z.regex(/^whsec_\w+$/, 'must be the secret of a webhook, whsec_…')),
  ),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })),
  MAIL_FROM: z.optional(
    z
      .string()
      .check(z.regex(/^[^\p{Cc}<>]*<[^\s<>@]+@[\w.-]+>$|^[^\s<>@]+@[\w.-]+$/u, 'must be an e-mail address')),
  ),
  IDENTITY_ALLOW: z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => text.split(',').map((part) => part.trim())),
      ),
      z.array(z.enum(allowable, `must be a list of ${allowable.join(', ')}`)),
    ),
    [],
  ),
  ...operatorVariables,
});

/** An identity provider outside this process (Amazon Cognito, or ours elsewhere). */
export interface OutsideIdentity {
  endpoint: string;
  userPoolId: string;
  clientId: string;
  issuer: string;
  jwksUri: string;
  /** The host of its OAuth pages, without a scheme, if it has any. */
  oauthDomain: string | undefined;
}

/** A billing provider outside this process (RevenueCat, or ours elsewhere). */
export interface OutsideBilling {
  endpoint: string;
  /** The key of pages. */
  publicKey: string;
  /** The key of servers. */
  secretKey: string;
  /** What its events bear or are signed with. */
  eventSecret?: string;
}

/** An account at Stripe, which takes the cards of the embedded billing provider. */
export interface StripeAccount {
  secretKey: string;
  publishableKey: string;
  accountId: string;
  /** What its events are signed with. */
  webhookSecret: string;
}

/** The keys of this installation at another provider. */
export interface ProviderKeys {
  clientId: string;
  clientSecret: string;
}

/** How the embedded identity provider is set up. */
export interface EmbeddedIdentity {
  /** The mail server and whom mail comes from; without one mail stays in the outbox. */
  smtp: { url: string; from: string } | undefined;
  google: ProviderKeys | undefined;
  facebook: ProviderKeys | undefined;
  allowed: readonly (typeof allowable)[number][];
}

/** What the process runs with; paths absolute, addresses without a slash at the end. */
export interface Settings {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  publicUrl: string;
  /** No public address was named: pages are told the origin they came by. */
  followHost: boolean;
  databaseUrl: string | undefined;
  mediaPlace: MediaPlace;
  /** How long an audio address lives, in seconds; unset, as long as the track needs. */
  audioLinkSeconds: number | undefined;
  logLevel: string;
  trustProxy: string | undefined;
  metricsToken: string | undefined;
  communityUrl: string;
  /** Demo accounts, stand-ins for what needs keys (operators' gateways too), and the outbox page where mail is not sent. */
  demo: boolean;
  outsideIdentity: OutsideIdentity | undefined;
  /** What we prove ourselves by to an outside one that is ours; Amazon is asked with AWS's own credentials. */
  identityAdminKey: string | undefined;
  embeddedIdentity: EmbeddedIdentity;
  outsideBilling: OutsideBilling | undefined;
  stripe: StripeAccount | undefined;
  /** What is for sale, by file; ours where none is named. */
  offeringsFile: string | undefined;
  operators: OperatorSettings;
}

type Variables = z.output<typeof variables>;

function outsideIdentityOf(env: Variables): OutsideIdentity | undefined {
  const { IDENTITY_USER_POOL_ID: userPoolId, IDENTITY_CLIENT_ID: clientId } = env;
  const region = userPoolId?.split('_')[0];
  const endpoint = env.IDENTITY_ENDPOINT ?? `https://cognito-idp.${region}.amazonaws.com`;
  if (!userPoolId && !clientId && !env.IDENTITY_ENDPOINT && !env.IDENTITY_ISSUER) return undefined;
  if (!userPoolId || !clientId) {
    throw new EnvError([
      'IDENTITY_USER_POOL_ID, IDENTITY_CLIENT_ID: both are needed for an identity provider outside; leave all IDENTITY_* unset for the embedded one',
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

function outsideBillingOf(env: Variables): OutsideBilling | undefined {
  const { BILLING_URL: endpoint, BILLING_PUBLIC_KEY: publicKey, BILLING_SECRET_KEY: secretKey } = env;
  if (!endpoint && !publicKey && !secretKey) return undefined;
  if (!publicKey || !secretKey) {
    throw new EnvError([
      'BILLING_PUBLIC_KEY, BILLING_SECRET_KEY: both are needed for a billing provider outside; leave all BILLING_* unset for the embedded one',
    ]);
  }
  const { BILLING_WEBHOOK_SECRET: eventSecret } = env;
  return {
    ...{ endpoint: endpoint ?? 'https://api.revenuecat.com', publicKey, secretKey },
    ...(eventSecret && { eventSecret }),
  };
}

function stripeOf(env: Variables): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env;
  const { STRIPE_ACCOUNT_ID: accountId, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  if (!secretKey && !publishableKey && !accountId && !webhookSecret) return undefined;
  if (!secretKey || !publishableKey || !accountId || !webhookSecret) {
    throw new EnvError([
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_ACCOUNT_ID, STRIPE_WEBHOOK_SECRET: all four are needed for cards',
    ]);
  }
  if (isTestKey(secretKey) !== isTestKey(publishableKey)) {
    throw new EnvError([
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY: the one is for real money, the other is not',
    ]);
  }
  return { secretKey, publishableKey, accountId, webhookSecret };
}

function keysOf(name: string, clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const variable = `IDENTITY_${name}_CLIENT`;
  throw new EnvError([`${variable}_ID, ${variable}_SECRET: the one is of no use without the other`]);
}

function smtpOf({ SMTP_URL: url, MAIL_FROM: from }: Variables) {
  if (url === undefined) return undefined;
  if (from !== undefined) return { url, from };
  throw new EnvError(['MAIL_FROM: needed with SMTP_URL, e.g. "Escucho <no-reply@example.org>"']);
}

const embeddedIdentityOf = (env: Variables): EmbeddedIdentity => ({
  smtp: smtpOf(env),
  google: keysOf('GOOGLE', env.IDENTITY_GOOGLE_CLIENT_ID, env.IDENTITY_GOOGLE_CLIENT_SECRET),
  facebook: keysOf('FACEBOOK', env.IDENTITY_FACEBOOK_CLIENT_ID, env.IDENTITY_FACEBOOK_CLIENT_SECRET),
  allowed: env.IDENTITY_ALLOW,
});

type StoreKeys = Pick<
  Variables,
  'AWS_ENDPOINT_URL_S3' | 'AWS_REGION' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'
>;

function mediaPlaceOf(env: StoreKeys, text: string): MediaPlace {
  if (text.startsWith('file:')) return { directory: resolve(text.slice('file:'.length)) };
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new EnvError(['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: the one is of no use without the other']);
  }
  const [bucket = '', ...prefix] = text.slice('s3://'.length).split('/');
  return {
    bucket,
    prefix: prefix.filter((part) => part !== '').join('/'),
    endpoint: env.AWS_ENDPOINT_URL_S3,
    region: env.AWS_REGION,
    keys: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}

/**
 * A media store by its name. In: `file:PATH` or `s3://BUCKET/PREFIX`, and the environment with the bucket's endpoint,
 * region and keys. Throws `EnvError`.
 */
export function readMediaPlace(text: string | undefined, env: NodeJS.ProcessEnv): MediaPlace {
  const { MEDIA_STORE: name, ...keys } = readEnv(storeVariables, { ...env, MEDIA_STORE: text });
  return mediaPlaceOf(keys, name);
}

/** Reads and checks the environment (see .env.example). Throws `EnvError` with every fault at once. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = readEnv(variables, env);
  const production = read.NODE_ENV === 'production';
  const outsideIdentity = outsideIdentityOf(read);
  const demo = read.DEMO ?? (!production && !outsideIdentity);
  if (production && !outsideIdentity && !demo && !read.SMTP_URL) {
    throw new EnvError([
      'NODE_ENV=production: without SMTP_URL the embedded identity provider writes its mail to a public outbox page; name a mail server by SMTP_URL, a provider by IDENTITY_*, or allow this with DEMO=true',
    ]);
  }
  if (production && !read.PUBLIC_URL) throw new EnvError(['PUBLIC_URL: needed when NODE_ENV=production']);
  const dataDir = resolve(read.DATA_DIR);
  return {
    production,
    port: read.PORT,
    host: read.HOST,
    dataDir,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    followHost: read.PUBLIC_URL === undefined,
    databaseUrl: read.DATABASE_URL,
    mediaPlace: mediaPlaceOf(read, read.MEDIA_STORE ?? `file:${resolve(dataDir, 'media')}`),
    audioLinkSeconds: read.AUDIO_LINK_SECONDS,
    logLevel: read.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    trustProxy: read.TRUST_PROXY,
    metricsToken: read.METRICS_TOKEN,
    communityUrl: read.COMMUNITY_URL,
    demo,
    outsideIdentity,
    identityAdminKey: read.IDENTITY_ADMIN_KEY,
    embeddedIdentity: embeddedIdentityOf(read),
    outsideBilling: outsideBillingOf(read),
    stripe: stripeOf(read),
    offeringsFile: read.BILLING_OFFERINGS && resolve(read.BILLING_OFFERINGS),
    operators: operatorSettingsOf(read),
  };
}
