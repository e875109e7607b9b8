import { EventEmitter } from 'node:events';
import { type Connection, clientConfig, getErrorMessage, type Log } from '@escucho/database';
import { type JobHelpers, Logger, parseCronItems, type RunnerOptions, run } from 'graphile-worker';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { Job, JobHandler } from './job.ts';
import { registerJobMetrics } from './metrics.ts';
import type { JobQueue } from './queue.ts';
import { watchWorkers } from './worker-liveness.ts';

const POLL_INTERVAL_MS = 1000;

export interface JobWorkerOptions {
  readonly queue: JobQueue;
  readonly connection: Connection;
  readonly handlers: readonly JobHandler[];
  /** Jobs to enqueue by the clock, in UTC: `{ job: deleteExpiredSessions, cron: '17 * * * *' }`. */
  readonly schedule?: readonly { readonly job: Job; readonly cron: string }[];
  /** Jobs that run at the same time in this process; 4 unless stated. */
  readonly concurrency?: number;
  readonly log: Log;
  /** Where the metrics are registered, if anywhere. */
  readonly registry?: Registry | undefined;
}

/** A running worker. */
export interface JobWorker {
  /** Takes no further jobs and resolves once those that run are done. */
  stop(): Promise<void>;
}

/**
 * Performs the jobs of a service until it is stopped. Any number of processes may run a worker for the same service.
 *
 * A job that throws is tried again after 3 s, 7 s, 20 s and so on, up to six hours apart; after its last attempt it is
 * dead and stays in the database for `findDeadJobs`. A new job starts at once, a delayed one within a second of its time.
 * The jobs of a process that is killed are performed by another one within seconds.
 */
export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const { queue, connection, handlers, schedule = [], concurrency = 4, log, registry } = options;
  const pool = new Pool({ ...clientConfig(connection, queue.schema), max: concurrency + 2 });
  const onError = (error: unknown) =>
    log.warn(
      { service: queue.service, reason: getErrorMessage(error) },
      'job worker lost its database connection',
    );
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
  const metrics = registry && registerJobMetrics(registry, queue.service, () => queue.countJobs(db));
  const liveness = await watchWorkers({ connection, queue, db, onError });

  const events: NonNullable<RunnerOptions['events']> = new EventEmitter();
  events.on('worker:create', ({ worker }) => liveness.addWorker(worker.workerId));

  async function perform(
    { job: { name }, perform: handler }: JobHandler,
    payload: unknown,
    helpers: JobHelpers,
  ) {
    const { id, attempts: attempt, max_attempts } = helpers.job;
    const isLastAttempt = attempt >= max_attempts;
    const startedAt = performance.now();
    const record = (outcome: 'success' | 'retry' | 'dead') =>
      metrics?.recordAttempt(name, outcome, (performance.now() - startedAt) / 1000);
    try {
      await handler(payload, { id, attempt, isLastAttempt, signal: helpers.abortSignal });
      record('success');
    } catch (error) {
      record(isLastAttempt ? 'dead' : 'retry');
      const details = { service: queue.service, job: name, id, attempt, reason: getErrorMessage(error) };
      if (isLastAttempt) log.error(details, 'job failed on its last attempt');
      else log.warn(details, 'job failed and will be tried again');
      throw error;
    }
  }

  const runner = await run({
    pgPool: pool,
    schema: queue.schema,
    concurrency,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    events,
    logger: new Logger(() => (level, message) => {
      // Failures of jobs are logged above, with their details.
      if ((level === 'error' || level === 'warning') && !message.startsWith('Failed task')) {
        log.warn({ service: queue.service }, message);
      }
    }),
    taskList: Object.fromEntries(
      handlers.map((handler) => [handler.job.name, (payload, helpers) => perform(handler, payload, helpers)]),
    ),
    parsedCronItems: parseCronItems(
      schedule.map(({ job, cron }) => ({ task: job.name, match: cron, identifier: job.name })),
    ),
  });

  return {
    async stop() {
      await runner.stop();
      await liveness.stop();
      await db.destroy();
    },
  };
}
