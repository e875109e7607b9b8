export { defineJob, handleJob, type JobHandler } from './job.ts';
export {
  createJobQueue,
  type DeadJob,
  migrateJobQueue,
  toNewJob,
} from './queue.ts';
export { isCron, type JobWorker, type JobWorkerOptions, startJobWorker } from './worker.ts';
