export { backup } from './backup/backup.ts';
export { readChecksums } from './backup/checksums.ts';
export { createBackupKey, encryptTo, openBackup } from './backup/encryption.ts';
export { isReadOnly, setReadOnly } from './backup/read-only.ts';
export { assertEmpty, restore } from './backup/restore.ts';
export { withBackupLock, withScratchDatabase } from './backup/scratch.ts';
export { type Connection, clientConfig, connectionFromUrl, getDirectConnection } from './connection.ts';
export {
  DatabaseError,
  getErrorMessage,
  isLockConflict,
  isMissingReference,
  isResponseTimeout,
  isTransientError,
  isUnstorableText,
} from './database-error.ts';
export { assertSameDirectDatabase } from './direct-address.ts';
export { findRunningEmbedded } from './embedded/connect-or-launch.ts';
export { type Embedded, startEmbedded } from './embedded/start-embedded.ts';
export { type Listener, listen } from './listen.ts';
export type { Log } from './log.ts';
export { migrateSchemas } from './migrate/migrate.ts';
export { type DatabaseOptions, openDatabase, openPool } from './open-database.ts';
export { measureReplicaLag } from './replica-lag.ts';
export { resolveWithin } from './resolve-within.ts';
