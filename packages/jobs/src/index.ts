export { defineJob, handleJob, type Job, type JobContext, type JobHandler, type JobPayload } from './job.ts';
export { migrateJobQueue } from './migrate.ts';
export {
  createJobQueue,
  type DeadJob,
  type EnqueueOptions,
  type JobCounts,
  type JobQueue,
  type NewJob,
  toNewJob,
} from './queue.ts';
export { type JobWorker, type JobWorkerOptions, startJobWorker } from './worker.ts';
