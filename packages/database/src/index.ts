export { type BackupOptions, backup } from './backup/backup.ts';
export { type RestoreOptions, restore } from './backup/restore.ts';
export { type Connection, connectionFromUrl } from './connection.ts';
export { runningEmbedded } from './embedded/running-embedded.ts';
export { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded/start-embedded.ts';
export { DatabaseFault, type FaultCode } from './fault.ts';
export type { Log } from './log.ts';
export { type MigrateOptions, migrate } from './migrate/migrate.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
