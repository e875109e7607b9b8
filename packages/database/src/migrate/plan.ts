import { createHash } from 'node:crypto';
import { DatabaseError } from '../database-error.ts';

/** A migration file; its name comes without `.sql`. */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** A migration that a database has applied, with the checksum of its file. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/**
 * Turns files into migrations, in the order of their numbers.
 *
 * @param files - names and texts; line ends of Windows do not change a checksum
 * @throws DatabaseError `migration-name` for a name unlike `0001_accounts.sql`, or a number that occurs twice
 */
export function toMigrationFiles(files: readonly (readonly [name: string, text: string])[]): MigrationFile[] {
  const sorted = files.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([file, content], index) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(file)) {
      throw new DatabaseError(
        'migration-name',
        `${file} is not a valid migration name: use four digits and snake case, like 0001_accounts.sql.`,
      );
    }
    const previous = sorted[index - 1]?.[0];
    if (previous?.slice(0, 4) === file.slice(0, 4)) {
      throw new DatabaseError('migration-name', `${previous} and ${file} have the same number.`);
    }
    const text = content.replaceAll('\r\n', '\n');
    return {
      name: file.replace(/\.sql$/, ''),
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    };
  });
}

/**
 * Checks that the files agree with what a database has applied.
 *
 * @throws DatabaseError `migration-unknown`, `migration-changed` or `migration-order`, naming the file
 */
export function assertUnchanged(files: readonly MigrationFile[], applied: readonly AppliedMigration[]): void {
  const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of applied) {
    if (!checksums.has(name)) {
      throw new DatabaseError(
        'migration-unknown',
        `The database was upgraded by a newer version, which added migration ${name}: start that version again, or restore a backup that this version took into another database.`,
      );
    }
    if (checksums.get(name) !== checksum) {
      throw new DatabaseError(
        'migration-changed',
        `Migration ${name} was changed after it was applied: undo the change, and write it as a new migration.`,
      );
    }
  }
  const names = new Set(applied.map(({ name }) => name));
  const last = [...names].toSorted().at(-1) ?? '';
  const skipped = files.find(({ name }) => !names.has(name) && name < last);
  if (skipped) {
    throw new DatabaseError(
      'migration-order',
      `Migration ${skipped.name} would run after ${last}, which is applied already: give it a higher number.`,
    );
  }
}
