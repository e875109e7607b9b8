import { openDatabase } from '@escucho/database';
import { createJobQueue, type DeadJob } from '@escucho/jobs';
import type { Kysely } from 'kysely';
import { migrateAll, serviceNames } from '../storage.ts';
import type { CommandContext } from './command.ts';

const usage = 'Usage: npm run db -- jobs [retry [SERVICE]]';

/** Formats a dead job as one line; errors may have several lines and control characters. */
function formatDeadJob(service: string, { id, name, attempts, lastError, failedAt }: DeadJob): string {
  const [reason = ''] = (lastError ?? 'no error').trim().split('\n', 1);
  const time = `${failedAt.toISOString().slice(0, 16)}Z`;
  return [service, id, name, `${attempts} attempts`, time, reason.replace(/[\s\p{Cc}]+/gu, ' ')].join('  ');
}

async function listDeadJobs(db: Kysely<object>): Promise<string> {
  const lines: string[] = [];
  for (const service of serviceNames) {
    const jobs = await createJobQueue(service).findDeadJobs(db);
    lines.push(...jobs.map((job) => formatDeadJob(service, job)));
  }
  return lines.join('\n') || 'There are no dead jobs.';
}

async function retryDeadJobs(db: Kysely<object>, services: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const service of services) {
    const queue = createJobQueue(service);
    const ids = (await queue.findDeadJobs(db)).map(({ id }) => id);
    if (ids.length === 0) continue;
    await queue.retryDeadJobs(db, ids);
    lines.push(`${service}: ${ids.length} ${ids.length === 1 ? 'job' : 'jobs'} will run again.`);
  }
  return lines.join('\n') || 'There are no dead jobs.';
}

/** `db jobs`: lists the jobs that failed on every attempt, at most 1000 of each service, or makes them due again. */
export async function jobsCommand({
  args: [action, service, ...rest],
  storage: { connection },
}: CommandContext): Promise<string> {
  if ((action !== undefined && action !== 'retry') || rest.length > 0) throw new Error(usage);
  if (service !== undefined && !serviceNames.includes(service)) {
    throw new Error(`There is no service ${service}. The services are ${serviceNames.join(', ')}.`);
  }
  await migrateAll(connection);
  const db = openDatabase<object>({ connection, schema: 'portal', maxConnections: 1, name: 'db jobs' });
  try {
    return await (action === undefined
      ? listDeadJobs(db)
      : retryDeadJobs(db, service === undefined ? serviceNames : [service]));
  } finally {
    await db.destroy();
  }
}
