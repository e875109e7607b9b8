import type { SettingsChange } from '@escucho/contracts';
import type { Database } from '../database.ts';

const columns = ['first_name', 'last_name', 'language', 'theme', 'level', 'learning_language'] as const;

/** What one reader chose, which lies in the reader's own row. */
export function createSettingsRepository(db: Database) {
  return {
    find: (reader: string) =>
      db.selectFrom('users').select(columns).where('id', '=', reader).executeTakeFirstOrThrow(),

    /** Writes what is named. Out: all of it as it is then. */
    change: (reader: string, { firstName, lastName, learningLanguage, ...rest }: SettingsChange, now: Date) =>
      db
        .updateTable('users')
        .set({
          ...rest,
          first_name: firstName,
          last_name: lastName,
          learning_language: learningLanguage,
          has_custom_names: firstName === undefined && lastName === undefined ? undefined : true,
          updated_at: now,
        })
        .where('id', '=', reader)
        .returning(columns)
        .executeTakeFirstOrThrow(),
  };
}

export type SettingsRepository = ReturnType<typeof createSettingsRepository>;
export type SettingsRow = Awaited<ReturnType<SettingsRepository['find']>>;
