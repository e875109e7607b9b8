export { defineJob, handleJob, type Job, type JobHandler, type JobPayload } from './job.ts';
export {
  createJobQueue,
  type DeadJob,
  type EnqueueOptions,
  type JobCounts,
  type JobQueue,
  migrateJobQueue,
  type NewJob,
  toNewJob,
} from './queue.ts';
export { isCron, type JobWorker, type JobWorkerOptions, startJobWorker } from './worker.ts';
