import type { Platform } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Profile } from '../accounts/tokens.ts';
import type { Database } from '../database.ts';
import { checkedBefore, type SignInAttempt } from './policy.ts';

/** Operators' readers in their own rows, and the links that let them in. */
export function createOperatorRepository(db: Database) {
  return {
    /**
     * Uses a link up and makes its reader known, or brings the profile up to date; names that the reader set here stay.
     * Out: false, and nothing changed, where the link was used before.
     */
    useLink: (
      { platform, subject, profile }: { platform: Platform; subject: string; profile: Profile },
      { fingerprint, endsAt }: SignInAttempt,
      now: Date,
    ): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        await tx.deleteFrom('used_operator_link').where('expires_at', '<=', now).execute();
        const used = await tx
          .insertInto('used_operator_link')
          .values({ platform, fingerprint, expires_at: endsAt })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (used.numInsertedOrUpdatedRows === 0n) return false;
        const asked = { operator_checked_at: now, operator_ended_at: null, updated_at: now };
        const { email, firstName: first_name, lastName: last_name } = profile;
        await tx
          .insertInto('users')
          .values({ subject, platform, email, first_name, last_name, created_at: now, ...asked })
          .onConflict((conflict) =>
            conflict.column('subject').doUpdateSet({
              ...asked,
              email: sql`coalesce(excluded.email, users.email)`,
              first_name: sql`case when users.has_custom_names or excluded.first_name = '' then users.first_name else excluded.first_name end`,
              last_name: sql`case when users.has_custom_names or excluded.first_name = '' then users.last_name else excluded.last_name end`,
            }),
          )
          .execute();
        return true;
      }),

    /** Notes that the operator is being asked now. Out: false where another process was quicker. */
    async claimCheck(subject: string, now: Date): Promise<boolean> {
      const claimed = await db
        .updateTable('users')
        .set({ operator_checked_at: now })
        .where('subject', '=', subject)
        .where((eb) =>
          eb.or([eb('operator_checked_at', 'is', null), eb('operator_checked_at', '<=', checkedBefore(now))]),
        )
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    },

    /** Keeps what the operator says of a reader: since when the subscription has ended, null while it runs. */
    async saveStatus(subject: string, endedAt: Date | null): Promise<void> {
      await db
        .updateTable('users')
        .set({ operator_ended_at: endedAt })
        .where('subject', '=', subject)
        .execute();
    },
  };
}

export type OperatorRepository = ReturnType<typeof createOperatorRepository>;
