import { isCron } from '@escucho/jobs';
import type { MediaLocation } from '@escucho/portal';
import { EnvError } from '@escucho/service-kit';
import * as z from 'zod/mini';
import { mediaVariables, storeLocation, toMediaLocation } from './media.ts';
import { listOf, wholeNumberOf } from './variables.ts';

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

const variables = z.object({ ...mediaVariables, ...backupVariables });

/** Where backup sets are stored, when they are taken, who can decrypt them, and how long they are kept. */
export interface BackupSettings {
  location: MediaLocation;
  /** In cron syntax, UTC; without one, only commands take backups. */
  schedule: string | undefined;
  keepDays: number;
  recipients: readonly string[];
}

/**
 * Returns the settings of backups, if configured.
 *
 * @throws EnvError for a schedule without a location
 */
export function readBackupSettings(env: z.output<typeof variables>): BackupSettings | undefined {
  if (env.BACKUP_TO === undefined) {
    if (env.BACKUP_SCHEDULE) throw new EnvError(['BACKUP_TO: needed with BACKUP_SCHEDULE']);
    return undefined;
  }
  return {
    location: toMediaLocation(env, env.BACKUP_TO),
    schedule: env.BACKUP_SCHEDULE,
    keepDays: env.BACKUP_KEEP_DAYS,
    recipients: env.BACKUP_RECIPIENTS,
  };
}
