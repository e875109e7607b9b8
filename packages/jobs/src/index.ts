export { type JobConnections, openJobConnections } from './connections.ts';
export {
  createJobQueue,
  type DeadJob,
  defineJob,
  handleJob,
  type JobHandler,
  migrateJobQueue,
  toNewJob,
} from './queue.ts';
export { isCron, type JobWorker, type JobWorkerOptions, startJobWorker } from './worker.ts';
