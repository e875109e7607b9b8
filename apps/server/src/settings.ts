import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { billingVariables, readExternalBilling, readStripeAccount } from './settings/billing.ts';
import { identityVariables, readEmbeddedIdentity, readExternalIdentity } from './settings/identity.ts';
import { operatorVariables, readOperatorSettings } from './settings/operators.ts';
import { checkRoles, processVariables, readSecrets, readVariableFiles } from './settings/processes.ts';
import {
  backupVariables,
  mediaVariables,
  readAwsKeys,
  readBackupSettings,
  toMediaLocation,
} from './settings/stores.ts';
import { checkTransport, transportVariables } from './settings/transport.ts';
import {
  baseUrl,
  checkEnv,
  EnvError,
  flag,
  isLoopbackAddress,
  proxyList,
  readEnv,
  webOrigin,
  webUrl,
  wholeNumberOf,
} from './settings/variables.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** A week, the longest that presigned links of S3 may be valid. */
const MAX_AUDIO_LINK_SECONDS = 604_800;

const variables = z.object({
  NODE_ENV: z._default(
    z.enum(['production', 'development', 'test'], 'must be production, development or test'),
    'development',
  ),
  PORT: z._default(
    z.coerce
      .number('must be a port')
      .check(z.int('must be a port'), z.minimum(1, 'must be a port'), z.maximum(65535, 'must be a port')),
    3000,
  ),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), './data'),
  PUBLIC_URL: z.optional(webOrigin),
  ...processVariables,
  ...mediaVariables,
  AUDIO_LINK_SECONDS: z.optional(wholeNumberOf('seconds', { min: 5, max: MAX_AUDIO_LINK_SECONDS })),
  LOG_LEVEL: z.optional(z.enum(logLevels, `must be ${logLevels.join(', ')}`)),
  TRUST_PROXY: z.optional(proxyList),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(baseUrl),
  AUDIT_RETENTION_DAYS: z._default(wholeNumberOf('days', { min: 1, max: 3650 }), 365),
  COMMUNITY_URL: z._default(webUrl, 'https://community.escucho.example'),
  SUPPORT_EMAIL: z._default(z.email('must be an e-mail address'), 'support@escucho.example'),
  DEMO: z.optional(flag),
  ...backupVariables,
  ...transportVariables,
  ...identityVariables,
  ...billingVariables,
  ...operatorVariables,
});

/** The names of all environment variables, as .env.example lists them. */
export const settingNames: readonly string[] = Object.keys(variables.shape);

type Variables = z.output<typeof variables>;

const isProduction = ({ NODE_ENV }: Variables) => NODE_ENV === 'production';

/** Returns whether only this machine reaches the server, as in development. */
const isLocal = (env: Variables) =>
  !isProduction(env) && isLoopbackAddress({ host: env.HOST, publicUrl: env.PUBLIC_URL });

/** Only the calls to Cognito need them; a media store has its own, which are not Amazon's where it has another endpoint. */
const readIdentityKeys = (env: Variables) =>
  readExternalIdentity(env) && !env.AWS_ENDPOINT_URL_S3 ? readAwsKeys(env) : undefined;

const isDemo = (env: Variables): boolean => env.DEMO ?? (isLocal(env) && !readExternalIdentity(env));

const readConfiguredMediaLocation = (env: Variables) =>
  toMediaLocation(env, env.MEDIA_STORE ?? `file:${resolve(env.DATA_DIR, 'media')}`);

/**
 * Checks that nothing of demo mode is reachable by others, or mixed with real money, unless DEMO allows it.
 *
 * @throws EnvError with every problem
 */
function checkExposure(env: Variables): void {
  const problems: string[] = [];
  const writesOutbox = env.IDENTITY_USER_POOL_ID === undefined && !env.SMTP_URL;
  if (writesOutbox && !env.DEMO && !isLocal(env)) {
    const cause = isProduction(env)
      ? 'NODE_ENV=production'
      : 'HOST, PUBLIC_URL: others can reach this address';
    problems.push(
      `${cause}: without SMTP_URL the embedded identity provider writes its mail to a public outbox page; name a mail server by SMTP_URL, a provider by IDENTITY_*, or allow this with DEMO=true`,
    );
  }
  if (env.STRIPE_SECRET_KEY && !env.SMTP_URL && !env.DEMO && !isLocal(env)) {
    problems.push(
      'SMTP_URL: needed with STRIPE_*, because the billing provider mails about unpaid renewals, refunds and disputes',
    );
  }
  // Nobody but a proxy on this machine can reach a loopback address that is public.
  const isBehindProxy =
    isLoopbackAddress({ host: env.HOST, publicUrl: undefined }) &&
    !isLoopbackAddress({ host: env.HOST, publicUrl: env.PUBLIC_URL });
  if (isProduction(env) && isBehindProxy && !env.TRUST_PROXY) {
    problems.push(
      'TRUST_PROXY: needed where HOST is a loopback address and PUBLIC_URL is not, because users come through a proxy on this machine and would all share its rate limits; set TRUST_PROXY=loopback',
    );
  }
  if (isProduction(env) && !env.PUBLIC_URL) problems.push('PUBLIC_URL: needed when NODE_ENV=production');
  if (isDemo(env) && /^[sr]k_live_/.test(env.STRIPE_SECRET_KEY ?? '')) {
    problems.push(
      'DEMO, STRIPE_SECRET_KEY: demo mode gives subscriptions away, so it cannot be used with live keys; set DEMO=false',
    );
  }
  if (problems.length > 0) throw new EnvError(problems);
}

/**
 * Reads and checks the environment (see .env.example).
 *
 * @throws EnvError with every invalid variable or, if all are valid, every invalid combination
 */
export function readSettings(processEnv: NodeJS.ProcessEnv) {
  const texts = readVariableFiles(processEnv, settingNames);
  // Empty variables count as unset, but an empty IDENTITY_ALLOW disables every optional feature.
  const env = readEnv(variables, texts.IDENTITY_ALLOW === '' ? { ...texts, IDENTITY_ALLOW: 'none' } : texts);
  checkEnv([
    () => checkExposure(env),
    () => readConfiguredMediaLocation(env),
    () => checkRoles(env),
    () => readSecrets(env),
    () => readBackupSettings(env),
    () => readExternalIdentity(env),
    () => readIdentityKeys(env),
    () => readEmbeddedIdentity(env),
    () => readExternalBilling(env),
    () => readStripeAccount(env),
    () => readOperatorSettings(env),
    () => isProduction(env) && checkTransport(env),
  ]);
  return {
    production: isProduction(env),
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    /** No PUBLIC_URL is set: URLs follow the origin of the request. */
    followHost: env.PUBLIC_URL === undefined,
    /** What this process serves. */
    roles: env.ROLES,
    databaseUrl: env.DATABASE_URL,
    /** The address of the same database past a connection pooler. */
    directDatabaseUrl: env.DATABASE_DIRECT_URL,
    /** The address of standbys of the database. */
    readDatabaseUrl: env.DATABASE_READ_URL,
    /** The secrets of the installation; in the data directory if unset. */
    secrets: readSecrets(env),
    /** How long the process still serves requests after SIGTERM, while it is reported as not ready. */
    shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
    mediaLocation: readConfiguredMediaLocation(env),
    /** Lifetime of an audio URL in seconds; if unset, long enough for the track. */
    audioLinkSeconds: env.AUDIO_LINK_SECONDS,
    logLevel: env.LOG_LEVEL ?? (isProduction(env) ? 'info' : 'warn'),
    trustProxy: env.TRUST_PROXY,
    /** Others can reach the server: rate limits count the requests of this machine too. */
    exposed: !isLocal(env),
    metricsToken: env.METRICS_TOKEN,
    /** The collector of OpenTelemetry that receives traces and metrics. */
    telemetryEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** Days after which events of the audit log are deleted. */
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    communityUrl: env.COMMUNITY_URL,
    supportEmail: env.SUPPORT_EMAIL,
    /** Demo accounts, simulators of external services, and the outbox page where no mail is sent. */
    demo: isDemo(env),
    externalIdentity: readExternalIdentity(env),
    /** The keys for Amazon Cognito; undefined for the machine's credentials. */
    awsKeys: readIdentityKeys(env),
    /** The admin key of an external Escucho identity provider; Amazon Cognito uses the AWS keys. */
    identityAdminKey: env.IDENTITY_ADMIN_KEY,
    embeddedIdentity: readEmbeddedIdentity(env),
    externalBilling: readExternalBilling(env),
    stripe: readStripeAccount(env),
    /** File with the offerings; the built-in catalogue if unset. */
    offeringsFile: env.BILLING_OFFERINGS && resolve(env.BILLING_OFFERINGS),
    backup: readBackupSettings(env),
    operators: readOperatorSettings(env),
  };
}

/** The settings of the process; paths are absolute, URLs have no trailing slash. */
export type Settings = ReturnType<typeof readSettings>;
