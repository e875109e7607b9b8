import { resolve } from 'node:path';
import type { MediaPlace } from '@escucho/portal';
import { EnvError, readEnv } from '@escucho/service-kit';
import * as z from 'zod/mini';
import { type OperatorSettings, operatorSettingsOf, operatorVariables } from './operators.ts';
import {
  billingVariables,
  type OutsideBilling,
  outsideBillingOf,
  type StripeAccount,
  stripeOf,
} from './settings/billing.ts';
import {
  type EmbeddedIdentity,
  embeddedIdentityOf,
  identityVariables,
  type OutsideIdentity,
  outsideIdentityOf,
} from './settings/identity.ts';
import { address, flag, withoutSlash } from './settings/kinds.ts';
import { mediaPlaceOf, mediaVariables } from './settings/media.ts';

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
  ...mediaVariables,
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
  ...identityVariables,
  ...billingVariables,
  ...operatorVariables,
});

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
