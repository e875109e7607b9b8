import { resolve } from 'node:path';
import { isCron } from '@escucho/jobs';
import type { AwsKeys, MediaLocation } from '@escucho/portal';
import * as z from 'zod/mini';
import { baseUrl, EnvError, listOf, readEnv, wholeNumberOf } from './variables.ts';

/** `file:PATH` or `s3://BUCKET/PREFIX`. */
const locationPattern = /^(file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]*)?)$/;

/** The location of a store, as text. */
const storeLocation = z.string().check(z.regex(locationPattern, 'must be file:PATH or s3://BUCKET/PREFIX'));
const bucketVariables = {
  AWS_ENDPOINT_URL_S3: z.optional(baseUrl),
  AWS_REGION: z._default(z.string(), 'us-east-1'),
  AWS_ACCESS_KEY_ID: z.optional(z.string()),
  AWS_SECRET_ACCESS_KEY: z.optional(z.string()),
  AWS_SESSION_TOKEN: z.optional(z.string()),
};

/** Environment variables of the media store. */
export const mediaVariables = { MEDIA_STORE: z.optional(storeLocation), ...bucketVariables };

const bucketSettings = z.object(bucketVariables);
type BucketVariables = z.output<typeof bucketSettings>;

/**
 * Returns the AWS keys of the environment; undefined where it has none, for the credentials of the machine's role or profile.
 *
 * @throws EnvError for an access key without its secret, or the reverse
 */
export function readAwsKeys(env: BucketVariables): AwsKeys | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new EnvError(['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: both are required, or neither']);
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/**
 * Parses the validated location of a media store; a bucket gets its endpoint, region and keys from the environment.
 *
 * @throws EnvError for an access key without its secret, or the reverse
 */
export function toMediaLocation(env: BucketVariables, text: string): MediaLocation {
  if (text.startsWith('file:')) return { directory: resolve(text.slice('file:'.length)) };
  const [bucket = '', ...prefix] = text.slice('s3://'.length).split('/');
  return {
    bucket,
    prefix: prefix.filter((segment) => segment !== '').join('/'),
    endpoint: env.AWS_ENDPOINT_URL_S3,
    region: env.AWS_REGION,
    keys: readAwsKeys(env),
  };
}

/**
 * Parses the location of a store: `file:PATH` or `s3://BUCKET/PREFIX`.
 *
 * @param name - the option or variable that has it, for the message of the error
 * @throws EnvError for an invalid location or environment
 */
export function readStoreLocation(
  name: string,
  text: string | undefined,
  env: NodeJS.ProcessEnv,
): MediaLocation {
  const { success, data } = storeLocation.safeParse(text);
  if (!success) throw new EnvError([`${name}: must be file:PATH or s3://BUCKET/PREFIX`]);
  return toMediaLocation(readEnv(bucketSettings, env), data);
}

const isRecipient = (text: string) => /^age1[02-9ac-hj-np-z]{58}$/.test(text);

/** Environment variables of scheduled backups. */
export const backupVariables = {
  BACKUP_TO: z.optional(storeLocation),
  BACKUP_SCHEDULE: z.optional(
    z.string().check(z.refine(isCron, 'must be a schedule in cron syntax, such as 17 3 * * *')),
  ),
  BACKUP_KEEP_DAYS: z._default(wholeNumberOf('days', { min: 1 }), 30),
  BACKUP_RECIPIENTS: z._default(
    listOf(z.string().check(z.refine(isRecipient, 'must be a list of public keys of age, age1…'))),
    [],
  ),
};

/**
 * Returns the settings of backups, if configured.
 *
 * @throws EnvError for a schedule without a location
 */
export function readBackupSettings(env: BucketVariables & z.output<z.ZodMiniObject<typeof backupVariables>>) {
  if (env.BACKUP_TO === undefined) {
    if (env.BACKUP_SCHEDULE) throw new EnvError(['BACKUP_TO: needed with BACKUP_SCHEDULE']);
    return undefined;
  }
  return {
    location: toMediaLocation(env, env.BACKUP_TO),
    /** In cron syntax, UTC; without one, only commands take backups. */
    schedule: env.BACKUP_SCHEDULE,
    keepDays: env.BACKUP_KEEP_DAYS,
    recipients: env.BACKUP_RECIPIENTS,
  };
}

/** Where backup sets are stored, when they are taken, who can decrypt them, and when they expire. */
export type BackupSettings = NonNullable<ReturnType<typeof readBackupSettings>>;
