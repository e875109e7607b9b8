import type { Database } from '../database.ts';
import { isUuid } from '../uuid.ts';
import { columns, personOf } from './row.ts';
import type { Person } from './subject.ts';

/** What an operator looks for and changes; every call takes the database or the transaction it is part of. */
export const adminRepository = {
  /** Everybody a name may mean: an address, an id, or a username such as `google_1234`, in lower case. */
  async named(db: Database, name: string): Promise<Person[]> {
    const [, provider, subject] = /^(google|facebook)_(.+)$/.exec(name) ?? [];
    const rows = await db
      .selectFrom('account')
      .select(columns)
      .where((where) =>
        where.or([
          where('email', '=', name),
          ...(isUuid(name) ? [where('id', '=', name)] : []),
          ...(subject === undefined
            ? []
            : [
                where.and([
                  where('provider', '=', provider === 'google' ? 'google' : 'facebook'),
                  where('provider_subject', 'ilike', subject.replace(/[\\%_]/g, '\\$&')),
                ]),
              ]),
        ]),
      )
      .execute();
    return rows.map(personOf);
  },

  /** Whose address or provider's name for them holds a text, newest first, at most so many. */
  async search(db: Database, text: string, limit: number): Promise<Person[]> {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await db
      .selectFrom('account')
      .select(columns)
      .where((where) =>
        where.or([where('email', 'like', pattern), where('provider_subject', 'ilike', pattern)]),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(personOf);
  },

  async setEnabled(tx: Database, id: string, enabled: boolean, now: Date): Promise<void> {
    await tx.updateTable('account').set({ enabled, updated_at: now }).where('id', '=', id).execute();
  },

  async requireReset(tx: Database, id: string, now: Date): Promise<void> {
    await tx
      .updateTable('account')
      .set({ status: 'RESET_REQUIRED', updated_at: now })
      .where('id', '=', id)
      .execute();
  },
};
