import { EventEmitter } from 'node:events';
import { runAsSystem } from '@escucho/audit';
import { getErrorMessage, type Log, resolveWithin } from '@escucho/database';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import {
  type JobHelpers,
  Logger,
  type ParsedCronItem,
  parseCronItems,
  run,
  type WorkerEvents,
} from 'graphile-worker';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JobConnections } from './connections.ts';
import type { Job, JobCounts, JobHandler, JobQueue } from './queue.ts';
import { releaseJobsOfKilledWorkers } from './worker-liveness.ts';

/** How often one of a process's workers looks for jobs that have become due; new jobs are announced. */
const POLL_INTERVAL_MS = 1000;
/** How often each worker would look by itself: `concurrency` statements for what one statement can find. */
const WORKER_POLL_INTERVAL_MS = 60_000;
/** Failures of jobs are logged with their details. That there are fewer connections than jobs at a time is on purpose. */
const ignoredMessages = /^(Failed task|WARNING: having maxPoolSize)/;
/** Prometheus waits 10 s for a scrape, which must succeed while the database does not respond, too. */
const COUNT_TIMEOUT_MS = 3000;

/** A job to enqueue by the clock, in UTC: `{ job: deleteExpiredSessions, cron: '17 * * * *' }`. */
interface ScheduledJob {
  readonly job: Job;
  readonly cron: string;
}

export interface JobWorkerOptions {
  readonly queue: JobQueue;
  readonly connections: JobConnections;
  readonly handlers: readonly JobHandler[];
  readonly schedule?: readonly ScheduledJob[];
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

/** Converts a schedule to that of graphile-worker, which enqueues each job with its number of attempts. */
export const toCronItems = (schedule: readonly ScheduledJob[]): ParsedCronItem[] =>
  parseCronItems(
    schedule.map(({ job: { name, maxAttempts }, cron }) => ({
      task: name,
      match: cron,
      identifier: name,
      options: { ...(maxAttempts !== undefined && { maxAttempts }) },
    })),
  );

/**
 * Performs the jobs of a service until it is stopped. Any number of processes may run a worker for the same service.
 *
 * A job that throws is tried again after 3 s, 7 s, 20 s and so on, up to six hours apart; after its last attempt it is
 * dead and stays in the database for `findDeadJobs`. A job that fails after it was replaced or cancelled is done. A new
 * job starts at once, a delayed one within a second of its time. The jobs of a process that is killed are performed by
 * another one within seconds.
 */
export async function startJobWorker(options: JobWorkerOptions) {
  const { queue, connections, handlers, schedule = [], concurrency = 4, log, registry } = options;
  const { pool, db } = connections;
  const countJobs = () => queue.countJobs(db);
  const metrics = registry && registerJobMetrics({ registry, service: queue.service, handlers, countJobs });
  const stopReleasing = await releaseJobsOfKilledWorkers(connections, queue, (error) =>
    log.warn(
      { service: queue.service, reason: getErrorMessage(error) },
      'jobs of killed processes not released yet',
    ),
  );

  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => connections.lockWorker(workerPool.id));
  pollJobs(events);

  async function perform(
    { job: { name }, perform: handler }: JobHandler,
    payload: unknown,
    helpers: JobHelpers,
  ) {
    const { id, key, attempts: attempt, max_attempts } = helpers.job;
    const isLastAttempt = attempt >= max_attempts;
    const startedAt = performance.now();
    const record = (outcome: (typeof outcomes)[number]) =>
      metrics?.recordAttempt(name, outcome, (performance.now() - startedAt) / 1000);
    try {
      await traceJob(`${queue.service} ${name}`, () =>
        runAsSystem(`${queue.service} ${name} ${id}`, log, () => handler(payload)),
      );
      record('success');
    } catch (error) {
      const details = { service: queue.service, job: name, id, attempt, reason: getErrorMessage(error) };
      if (key && (await queue.isReplaced(db, id).catch(() => false))) {
        // Its failure would leave a dead job, and a retry of that would do what is out of date.
        record('replaced');
        log.info(details, 'job failed after another one had replaced it');
        return;
      }
      record(isLastAttempt ? 'dead' : 'retry');
      if (isLastAttempt) log.error(details, 'job failed on its last attempt');
      else log.warn(details, 'job failed and will be tried again');
      throw error;
    }
  }

  const runner = await run({
    pgPool: pool,
    schema: queue.schema,
    concurrency,
    pollInterval: WORKER_POLL_INTERVAL_MS,
    noHandleSignals: true,
    events,
    logger: new Logger(() => (level, message) => {
      if ((level === 'error' || level === 'warning') && !ignoredMessages.test(message)) {
        log.warn({ service: queue.service }, message);
      }
    }),
    taskList: Object.fromEntries(
      handlers.map((handler) => [handler.job.name, (payload, helpers) => perform(handler, payload, helpers)]),
    ),
    parsedCronItems: toCronItems(schedule),
  });

  return {
    /** Takes no further jobs and resolves once those that run are done. */
    async stop(): Promise<void> {
      await runner.stop();
      stopReleasing();
    },
  };
}

/** Lets one idle worker look for jobs at each interval, and another one whenever one has found a job. */
function pollJobs(events: WorkerEvents): void {
  events.on('pool:create', ({ workerPool }) => {
    const nudge = () => workerPool.nudge(1);
    const timer = setInterval(nudge, POLL_INTERVAL_MS);
    events.on('job:start', nudge);
    events.once('pool:gracefulShutdown', () => {
      clearInterval(timer);
      events.off('job:start', nudge);
    });
  });
}

export type JobWorker = Awaited<ReturnType<typeof startJobWorker>>;

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

type CountSource = () => Promise<JobCounts>;

/** How an attempt at a job ends: `retry` and `dead` are failures, `replaced` is one of a job whose key a newer one has. */
const outcomes = ['success', 'retry', 'dead', 'replaced'] as const;

/** The metrics of each registry, which the services that share it share. */
const metricsByRegistry = new WeakMap<Registry, ReturnType<typeof createMetrics>>();

function createMetrics(registry: Registry) {
  /** The functions that count the jobs of each service. */
  const counts = new Map<string, CountSource>();
  const registers = [registry];
  new Gauge({
    name: 'jobs',
    help: 'Background jobs in the database, by state',
    labelNames: ['service', 'state'],
    registers,
    async collect() {
      // No value is better than an old one. The other metrics are needed while the database is away.
      this.reset();
      const setCounts = async ([service, countJobs]: [string, CountSource]) => {
        const states = await resolveWithin<Partial<JobCounts>>(COUNT_TIMEOUT_MS, countJobs(), {});
        for (const [state, value] of Object.entries(states)) this.set({ service, state }, value);
      };
      await Promise.all([...counts].map(setCounts));
    },
  });
  const attempts = new Counter({
    name: 'job_attempts_total',
    help: 'Attempts at background jobs, by outcome',
    labelNames: ['service', 'job', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time an attempt at a background job takes',
    labelNames: ['service', 'job'],
    buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers,
  });
  return { counts, attempts, durations };
}

interface JobMetricsOptions {
  readonly registry: Registry;
  readonly service: string;
  readonly handlers: readonly JobHandler[];
  readonly countJobs: CountSource;
}

/**
 * Registers the metrics of background jobs: `job_attempts_total`, `job_duration_seconds` and, read from the database at
 * each scrape, `jobs`. Services that share a registry share the metrics, distinguished by the label `service`.
 */
export function registerJobMetrics({ registry, service, handlers, countJobs }: JobMetricsOptions) {
  const metrics = metricsByRegistry.get(registry) ?? createMetrics(registry);
  metricsByRegistry.set(registry, metrics);
  const { counts, attempts, durations } = metrics;
  counts.set(service, countJobs);
  // Prometheus sees no increase from no value to 1: the first attempt would not count.
  for (const { job } of handlers)
    for (const outcome of outcomes) attempts.inc({ service, job: job.name, outcome }, 0);
  return {
    recordAttempt(job: string, outcome: (typeof outcomes)[number], seconds: number): void {
      attempts.inc({ service, job, outcome });
      durations.observe({ service, job }, seconds);
    },
  };
}
