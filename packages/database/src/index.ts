export { assertEmpty, assertMigrated, backup, type ReportProgress, restore } from './backup/backup.ts';
export { createBackupKey, encryptTo, openBackup } from './backup/encryption.ts';
export { readChecksums } from './backup/format.ts';
export { isReadOnly, setReadOnly, withBackupLock, withScratchDatabase } from './backup/maintenance.ts';
export {
  assertSameDirectDatabase,
  type Connection,
  clientConfig,
  connectionFromUrl,
  getDirectConnection,
  measureReplicaLag,
  removeBrackets,
} from './connection.ts';
export {
  DatabaseError,
  getErrorCode,
  getErrorMessage,
  isLockConflict,
  isMissingReference,
  isResponseTimeout,
  isTransientError,
  isUnstorableText,
} from './database-error.ts';
export { findRunningEmbedded } from './embedded/connect-or-launch.ts';
export { type Embedded, startEmbedded } from './embedded/start-embedded.ts';
export { keepConnected, type Listener, listen } from './keep-connected.ts';
export { migrateSchemas } from './migrate/migrate.ts';
export { type DatabaseOptions, type Log, openDatabase, openPool } from './open-database.ts';
export { resolveWithin } from './resolve-within.ts';
