import { type Connection, clientConfig, getDirectConnection } from '@escucho/database';
import { Logger, runMigrations } from 'graphile-worker';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Pool } from 'pg';
import type { ZodMiniType, z } from 'zod/mini';

/** A kind of background job: its name and the shape of its payload, which is stored as JSON. */
export interface Job<Schema extends ZodMiniType = ZodMiniType> {
  /** Unique within a service, in snake case: `send_mail`. */
  readonly name: string;
  readonly payload: Schema;
  /** Attempts before the job counts as dead; 25 spread over about four days unless stated. */
  readonly maxAttempts?: number;
}

/** The payload a caller enqueues. */
type JobPayload<J extends Job> = z.input<J['payload']>;

/** A job and the function that performs it, as `startJobWorker` takes them. */
export interface JobHandler {
  readonly job: Job;
  perform(payload: unknown): Promise<void>;
}

/**
 * Declares a kind of job.
 *
 * @example
 * export const deleteAccount = defineJob({ name: 'delete_account', payload: z.object({ userId: z.string() }) });
 */
export const defineJob = <const Schema extends ZodMiniType>(job: Job<Schema>): Job<Schema> => job;

/**
 * Binds a function to a kind of job. A job runs at least once: the function must be idempotent.
 *
 * @param perform - receives the payload as its schema parsed it; what it throws is logged and the job is tried again
 */
export function handleJob<Schema extends ZodMiniType>(
  job: Job<Schema>,
  perform: (payload: z.output<Schema>) => Promise<void>,
): JobHandler {
  return { job, perform: async (payload) => perform(job.payload.parse(payload)) };
}

/** Marks the jobs that were enqueued with a key: one that has none any more was replaced or cancelled while it ran. */
const KEYED = 'keyed';

/** Options of a job that is enqueued. */
interface EnqueueOptions {
  /** Waits so many milliseconds before the first attempt. */
  readonly delayMs?: number;
  /** A job with the key of a waiting one replaces it; one that runs already is not tried again. */
  readonly key?: string;
  /** Jobs of one queue run one at a time, in order of their due time. */
  readonly queueName?: string;
}

/** A job to enqueue together with others. */
interface NewJob extends EnqueueOptions {
  readonly job: Job;
  readonly payload: unknown;
}

/** Builds a job for `enqueueAll`, whose payload has the type of the job. */
export const toNewJob = <J extends Job>(
  job: J,
  payload: JobPayload<J>,
  options: EnqueueOptions = {},
): NewJob => ({ job, payload, ...options });

/** A job that failed on every attempt. It stays in the database until it is retried or deleted. */
export interface DeadJob {
  readonly id: string;
  readonly name: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly failedAt: Date;
}

/**
 * The background jobs of one service, stored by graphile-worker in the schema `<service>_jobs` of the same database.
 * Every method takes the database or the transaction to use: a job enqueued in a transaction exists if and only if
 * the transaction commits.
 *
 * @param service - the service's name, e.g. `billing`
 */
export function createJobQueue(service: string) {
  const schema = `${service}_jobs`;
  const call = (name: string) => sql.id(schema, name);

  return {
    service,
    schema,

    /** Enqueues a job. */
    async enqueue<J extends Job>(
      db: QueryExecutorProvider,
      job: J,
      payload: JobPayload<J>,
      options?: EnqueueOptions,
    ): Promise<void> {
      await this.enqueueAll(db, [toNewJob(job, payload, options)]);
    },

    /**
     * Enqueues several jobs with one statement. A transaction that enqueues jobs notifies the workers, and PostgreSQL
     * commits such transactions one at a time, so enqueue many jobs in one transaction.
     */
    async enqueueAll(db: QueryExecutorProvider, jobs: readonly NewJob[]): Promise<void> {
      if (jobs.length === 0) return;
      const specs = jobs.map(({ job: { name, maxAttempts }, payload, delayMs = 0, key, queueName }) => ({
        name,
        maxAttempts,
        payload,
        delayMs,
        key,
        queueName,
        flags: key === undefined ? null : [KEYED],
      }));
      await sql`
        select from ${call('add_jobs')}(array(
          select (name, payload, "queueName", now() + "delayMs" * interval '1 millisecond', "maxAttempts", key, null, flags)
            ::${call('job_spec')}
          from json_to_recordset(${JSON.stringify(specs)}::json) as spec(
            name text, payload json, "queueName" text, "delayMs" double precision, "maxAttempts" smallint, key text, flags text[])
        ))`.execute(db);
    },

    /** Removes the waiting job with a key, if there is one. */
    async cancel(db: QueryExecutorProvider, key: string): Promise<void> {
      await sql`select from ${call('remove_job')}(${key}::text)`.execute(db);
    },

    /**
     * Returns whether a running job that was enqueued with a key has lost it: another job with the key was enqueued, or the
     * key was cancelled. graphile-worker then takes the job's other attempts away.
     */
    async isReplaced(db: QueryExecutorProvider, id: string): Promise<boolean> {
      const { rows } = await sql`select from ${call('jobs')} where id = ${id} and key is null`.execute(db);
      return rows.length > 0;
    },

    /**
     * Deletes the jobs that workers were performing when their processes ended, as far as they were replaced or cancelled.
     * Without other attempts they would count as dead.
     */
    async deleteReplacedJobs(db: QueryExecutorProvider, workerIds: readonly string[]): Promise<void> {
      await sql`
        delete from ${call('_private_jobs')}
        where locked_by = any(${workerIds}::text[]) and key is null and flags ? ${KEYED}`.execute(db);
    },

    /** Returns the jobs that failed on every attempt, newest failure first. */
    async findDeadJobs(db: QueryExecutorProvider): Promise<DeadJob[]> {
      const { rows } = await sql<DeadJob>`
        select id::text, task_identifier as name, attempts::integer, last_error as "lastError", updated_at as "failedAt"
        from ${call('jobs')} where attempts >= max_attempts and locked_at is null
        order by updated_at desc limit 1000`.execute(db);
      return rows;
    },

    /** Makes dead jobs due again, with all their attempts. */
    async retryDeadJobs(db: QueryExecutorProvider, ids: readonly string[]): Promise<void> {
      await sql`
        select from ${call('reschedule_jobs')}(${ids}::bigint[], run_at => now(), attempts => 0)`.execute(db);
    },

    /** Counts the jobs that wait, run and are dead. */
    async countJobs(db: QueryExecutorProvider): Promise<JobCounts> {
      const { rows } = await sql<JobCounts>`
        select count(*) filter (where attempts < max_attempts and locked_at is null)::integer as waiting,
          count(*) filter (where locked_at is not null)::integer as running,
          count(*) filter (where attempts >= max_attempts and locked_at is null)::integer as dead
        from ${call('jobs')}`.execute(db);
      return rows[0] ?? { waiting: 0, running: 0, dead: 0 };
    },
  };
}

/** How many jobs of a service are in which state. */
export interface JobCounts {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
}

export type JobQueue = ReturnType<typeof createJobQueue>;

/** Creates or updates the tables of a service's job queue. Any number of processes may do so at the same time. */
export async function migrateJobQueue(connection: Connection, queue: JobQueue): Promise<void> {
  const pool = new Pool({
    ...clientConfig(getDirectConnection(connection), `migrate ${queue.schema}`),
    max: 2,
  });
  // A connection that is lost fails the migration itself.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => void client.on('error', ignore));
  try {
    await runMigrations({ pgPool: pool, schema: queue.schema, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}
