export { migrationsDirectory, schema } from './database.ts';
export { moveMedia } from './media/move.ts';
export { type MediaPlace, openMediaStore } from './media/open-store.ts';
export { type MediaOptions, media } from './media/routes.ts';
export type { MediaStore } from './media/store.ts';
export type { OperatorOptions } from './operators/routes.ts';
export { type PortalOptions, portal } from './portal.ts';
export { loadLibrary, publishNotification, seedUser } from './seed.ts';
