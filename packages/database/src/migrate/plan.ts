import { createHash } from 'node:crypto';
import { DatabaseError } from '../database-error.ts';

/** A migration as it lies on disk. */
export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** A migration as the database remembers it. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** `checksum` covers the text alone: line ends of Windows do not count. */
export function migrationFile(name: string, text: string): MigrationFile {
  const sql = text.replaceAll('\r\n', '\n');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/**
 * The names of the migrations among a folder's files, in order: `0001-name.sql`, each number once.
 * @throws DatabaseFault `migration-name`
 */
export function migrationNames(files: readonly string[]): string[] {
  const names = files.filter((file) => file.endsWith('.sql')).sort();
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) {
      throw new DatabaseError(
        'migration-name',
        `${name} is not named as a migration is, like 0001-accounts.sql.`,
      );
    }
    if (names[index - 1]?.slice(0, 4) === name.slice(0, 4)) {
      throw new DatabaseError('migration-name', `${names[index - 1]} and ${name} have the same number.`);
    }
  }
  return names;
}

/**
 * The files that still have to run, in order.
 * @throws DatabaseFault `migration-unknown`, `migration-changed` or `migration-order`, naming the file
 */
export function pendingMigrations(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): readonly MigrationFile[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = byName.get(name);
    if (!file) {
      throw new DatabaseError(
        'migration-unknown',
        `The database has migration ${name}, which this program does not know: start the newer version.`,
      );
    }
    if (file.checksum !== checksum) {
      throw new DatabaseError(
        'migration-changed',
        `Migration ${name} was changed after it was applied: undo that, and write the change as a new migration.`,
      );
    }
  }
  const known = new Set(applied.map(({ name }) => name));
  const last = [...known].sort().at(-1) ?? '';
  const pending = files.filter(({ name }) => !known.has(name));
  const late = pending.find(({ name }) => name < last);
  if (late) {
    throw new DatabaseError(
      'migration-order',
      `Migration ${late.name} would run after ${last}, which is applied already: give it a higher number.`,
    );
  }
  return pending;
}
