export { schema } from './database.ts';
export { type MediaLocation, openMediaStore } from './media/file-store.ts';
export { hashFile, type MediaStore, moveMedia } from './media/media-store.ts';
export { media } from './media/routes.ts';
export type { AwsKeys } from './media/s3-store.ts';
export type { OperatorOptions } from './operators/service.ts';
export { type InstallationJobs, portal } from './portal.ts';
export { loadLibrary, publishNotification, seedUser } from './seed.ts';
