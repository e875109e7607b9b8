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
export type JobPayload<J extends Job> = z.input<J['payload']>;

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
