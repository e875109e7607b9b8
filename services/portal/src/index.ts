export { migrationsDirectory, schema } from './database.ts';
export { openFileStore } from './media/file-store.ts';
export { type MediaOptions, media } from './media/routes.ts';
export type { MediaStore } from './media/store.ts';
export { type PortalOptions, portal } from './portal.ts';
export { loadLibrary, notifyReaders, seedReader } from './seed.ts';
