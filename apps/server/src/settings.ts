import { resolve } from 'node:path';
import type { MediaLocation } from '@escucho/portal';
import { checkEnv, EnvError, readEnv } from '@escucho/service-kit';
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
import { address, flag, proxies, withoutSlash } from './settings/kinds.ts';
import { mediaPlaceOf, mediaVariables } from './settings/media.ts';

const variables = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(
    z.coerce
      .number('must be a port')
      .check(z.int('must be a port'), z.minimum(1, 'must be a port'), z.maximum(65535, 'must be a port')),
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
  TRUST_PROXY: z.optional(proxies),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  COMMUNITY_URL: z._default(address, 'https://community.escucho.example'),
  DEMO: z.optional(flag),
  ...identityVariables,
  ...billingVariables,
  ...operatorVariables,
});

/** The names of all environment variables, as .env.example lists them. */
export const settingNames: readonly string[] = Object.keys(variables.shape);

/** The settings of the process; paths are absolute, URLs have no trailing slash. */
export interface Settings {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  publicUrl: string;
  /** No PUBLIC_URL is set: URLs follow the origin of the request. */
  followHost: boolean;
  databaseUrl: string | undefined;
  mediaPlace: MediaLocation;
  /** Lifetime of an audio URL in seconds; if unset, long enough for the track. */
  audioLinkSeconds: number | undefined;
  logLevel: string;
  trustProxy: string | undefined;
  metricsToken: string | undefined;
  communityUrl: string;
  /** Demo accounts, simulators of external services, and the outbox page where no mail is sent. */
  demo: boolean;
  outsideIdentity: OutsideIdentity | undefined;
  /** The admin key of an external Escucho identity provider; Amazon Cognito uses AWS credentials. */
  identityAdminKey: string | undefined;
  embeddedIdentity: EmbeddedIdentity;
  outsideBilling: OutsideBilling | undefined;
  stripe: StripeAccount | undefined;
  /** File with the plans for sale; the built-in catalogue if unset. */
  offeringsFile: string | undefined;
  operators: OperatorSettings;
}

type Read = z.output<typeof variables>;

const isProduction = ({ NODE_ENV }: Read) => NODE_ENV === 'production';

function demoOf(read: Read): boolean {
  return read.DEMO ?? (!isProduction(read) && !outsideIdentityOf(read));
}

const mediaOf = (read: Read) =>
  mediaPlaceOf(read, read.MEDIA_STORE ?? `file:${resolve(read.DATA_DIR, 'media')}`);

/** Checks the settings that production requires. Throws `EnvError`. */
function checkProduction(read: Read): void {
  if (!isProduction(read)) return;
  const faults: string[] = [];
  const hasIdentity = read.IDENTITY_USER_POOL_ID !== undefined;
  if (!hasIdentity && !read.DEMO && !read.SMTP_URL) {
    faults.push(
      'NODE_ENV=production: without SMTP_URL the embedded identity provider writes its mail to a public outbox page; name a mail server by SMTP_URL, a provider by IDENTITY_*, or allow this with DEMO=true',
    );
  }
  if (!read.PUBLIC_URL) faults.push('PUBLIC_URL: needed when NODE_ENV=production');
  if (faults.length > 0) throw new EnvError(faults);
}

/**
 * Reads and checks the environment (see .env.example).
 *
 * @throws EnvError with every invalid variable or, if all are valid, every invalid combination
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  // Empty variables count as unset, but an empty IDENTITY_ALLOW disables every optional feature.
  const read = readEnv(variables, env.IDENTITY_ALLOW === '' ? { ...env, IDENTITY_ALLOW: 'none' } : env);
  const readings = [outsideIdentityOf, embeddedIdentityOf, outsideBillingOf, stripeOf, operatorSettingsOf];
  checkEnv([checkProduction, mediaOf, ...readings].map((reading) => () => reading(read)));
  return {
    production: isProduction(read),
    port: read.PORT,
    host: read.HOST,
    dataDir: resolve(read.DATA_DIR),
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    followHost: read.PUBLIC_URL === undefined,
    databaseUrl: read.DATABASE_URL,
    mediaPlace: mediaOf(read),
    audioLinkSeconds: read.AUDIO_LINK_SECONDS,
    logLevel: read.LOG_LEVEL ?? (isProduction(read) ? 'info' : 'warn'),
    trustProxy: read.TRUST_PROXY,
    metricsToken: read.METRICS_TOKEN,
    communityUrl: read.COMMUNITY_URL,
    demo: demoOf(read),
    outsideIdentity: outsideIdentityOf(read),
    identityAdminKey: read.IDENTITY_ADMIN_KEY,
    embeddedIdentity: embeddedIdentityOf(read),
    outsideBilling: outsideBillingOf(read),
    stripe: stripeOf(read),
    offeringsFile: read.BILLING_OFFERINGS && resolve(read.BILLING_OFFERINGS),
    operators: operatorSettingsOf(read),
  };
}
