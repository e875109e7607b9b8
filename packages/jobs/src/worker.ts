import { EventEmitter } from 'node:events';
import { runAsSystem } from '@escucho/audit';
import {
  type Connection,
  clientConfig,
  getDirectConnection,
  getErrorMessage,
  type Log,
} from '@escucho/database';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { type JobHelpers, Logger, parseCronItems, type RunnerOptions, run } from 'graphile-worker';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Job, JobHandler } from './job.ts';
import type { JobCounts, JobQueue } from './queue.ts';
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

/** Returns whether a text is a schedule in cron syntax, such as `17 3 * * *`. */
export function isCron(text: string): boolean {
  try {
    return parseCronItems([{ task: 'any', match: text }]).length === 1;
  } catch {
    return false;
  }
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
  const pool = new Pool({
    ...clientConfig(getDirectConnection(connection), queue.schema),
    max: concurrency + 2,
  });
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
  events.on('pool:create', ({ workerPool }) => liveness.addWorker(workerPool.id));

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
      const context = { id, attempt, isLastAttempt, signal: helpers.abortSignal };
      await traceJob(`${queue.service} ${name}`, () =>
        runAsSystem(`${queue.service} ${name} ${id}`, log, () => handler(payload, context)),
      );
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

/** Performs a job in a span of its own. Without an OpenTelemetry SDK in the process, spans do nothing. */
const traceJob = (name: string, perform: () => Promise<void>): Promise<void> =>
  trace.getTracer('@escucho/jobs').startActiveSpan(`job ${name}`, async (span) => {
    try {
      await perform();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: getErrorMessage(error) });
      throw error;
    } finally {
      span.end();
    }
  });

/** Records the jobs of one service. */
export interface JobMetrics {
  recordAttempt(job: string, outcome: 'success' | 'retry' | 'dead', seconds: number): void;
}

type CountSource = () => Promise<JobCounts>;
const countSources = new WeakMap<Registry, Map<string, CountSource>>();

/**
 * Registers the metrics of background jobs: `job_attempts_total`, `job_duration_seconds` and, read from the database at
 * each scrape, `jobs`. Services that share a registry share the metrics, distinguished by the label `service`.
 */
export function registerJobMetrics(registry: Registry, service: string, countJobs: CountSource): JobMetrics {
  const sources = countSources.get(registry) ?? new Map<string, CountSource>();
  countSources.set(registry, sources.set(service, countJobs));
  if (!registry.getSingleMetric('jobs')) {
    new Gauge({
      name: 'jobs',
      help: 'Background jobs in the database, by state',
      labelNames: ['service', 'state'],
      registers: [registry],
      async collect() {
        // No value is better than an old one. The other metrics are needed while the database is away.
        this.reset();
        for (const [name, count] of sources) {
          const counts = await count().catch(() => ({}));
          for (const [state, value] of Object.entries(counts)) this.set({ service: name, state }, value);
        }
      },
    });
    new Counter({
      name: 'job_attempts_total',
      help: 'Attempts at background jobs, by outcome',
      labelNames: ['service', 'job', 'outcome'],
      registers: [registry],
    });
    new Histogram({
      name: 'job_duration_seconds',
      help: 'Time an attempt at a background job takes',
      labelNames: ['service', 'job'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers: [registry],
    });
  }
  const attempts = registry.getSingleMetric('job_attempts_total');
  const durations = registry.getSingleMetric('job_duration_seconds');
  return {
    recordAttempt(job, outcome, seconds) {
      if (attempts instanceof Counter) attempts.inc({ service, job, outcome });
      if (durations instanceof Histogram) durations.observe({ service, job }, seconds);
    },
  };
}
