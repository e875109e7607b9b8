import { DatabaseError, type Log } from '@escucho/database';
import { defineJob, handleJob } from '@escucho/jobs';
import type { InstallationJobs } from '@escucho/portal';
import * as z from 'zod/mini';
import type { BackupSettings } from '../settings/backup.ts';
import { openBackupStore } from './backup-store.ts';
import { type BackupDeps, takeBackup } from './take-backup.ts';

/** Attempts at one backup, within half a minute: the next one comes by the schedule. */
const MAX_ATTEMPTS = 4;

const takeScheduledBackup = defineJob({
  name: 'take_backup',
  payload: z.object({}),
  maxAttempts: MAX_ATTEMPTS,
});

type JobDeps = Omit<BackupDeps, 'store' | 'recipients' | 'keepDays'>;

async function performBackup({ location, recipients, keepDays }: BackupSettings, deps: JobDeps) {
  const store = await openBackupStore(location);
  const { name, manifest, removed } = await takeBackup({ ...deps, store, recipients, keepDays });
  const { tables, rows, verified } = manifest;
  deps.log.info({ set: name, tables, rows, verified, removed: removed.length }, 'backup taken');
}

const isBackupRunning = (error: unknown) => error instanceof DatabaseError && error.code === 'backup-running';

/** Returns the job that takes backups by the schedule; undefined without one. */
export function createBackupJobs(
  settings: BackupSettings | undefined,
  deps: JobDeps & { readonly log: Log },
): InstallationJobs | undefined {
  if (settings?.schedule === undefined) return undefined;
  const handler = handleJob(takeScheduledBackup, async () => {
    try {
      await performBackup(settings, deps);
    } catch (error) {
      if (!isBackupRunning(error)) throw error;
      deps.log.info({}, 'backup skipped: another process is taking one');
    }
  });
  return { handlers: [handler], schedule: [{ job: takeScheduledBackup, cron: settings.schedule }] };
}
