import { recordAuditEvent } from '@escucho/audit';
import type { Platform } from '@escucho/contracts';
import { sql } from 'kysely';
import { deleteUser } from '../account-data/repository.ts';
import type { Profile } from '../accounts/tokens.ts';
import type { CurrentUser } from '../accounts/user.ts';
import type { Database } from '../database.ts';
import { getCheckLimits, type SignInAttempt } from './policy.ts';

/** Marks a link as used. Returns false when it was used before or has expired since it was verified. */
async function markLinkUsed(
  tx: Database,
  { platform, fingerprint, expiresAt }: SignInAttempt & { platform: Platform },
  now: Date,
): Promise<boolean> {
  // Its first use may be deleted.
  if (expiresAt <= now) return false;
  await tx.deleteFrom('used_operator_link').where('expires_at', '<=', now).execute();
  const used = await tx
    .insertInto('used_operator_link')
    .values({ platform, fingerprint, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return used.numInsertedOrUpdatedRows !== 0n;
}

/** The audit event of a refused link, by what the link was for. */
export type RefusedLinkEvent = 'sign_in_failed' | 'account_deletion_failed';

/** Operators' users and their used sign-in links. */
export function createOperatorRepository(db: Database) {
  return {
    /**
     * Marks a link as used and creates or updates its user; names edited in the settings stay.
     *
     * @returns false, with nothing changed, when the link was used before or has expired since it was verified
     */
    useLink: (
      { platform, subject, profile }: { platform: Platform; subject: string; profile: Profile },
      attempt: SignInAttempt,
      now: Date,
    ): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        if (!(await markLinkUsed(tx, { ...attempt, platform }, now))) return false;
        const status = { operator_checked_at: now, operator_ended_at: null, updated_at: now };
        const { email, firstName: first_name, lastName: last_name } = profile;
        const { id: userId } = await tx
          .insertInto('users')
          .values({ subject, platform, email, first_name, last_name, created_at: now, ...status })
          .onConflict((conflict) =>
            conflict.column('subject').doUpdateSet({
              ...status,
              // Times at which the clock was ahead would refuse the tokens of this sign-in.
              created_at: sql`least(users.created_at, excluded.created_at)`,
              signed_out_at: sql`case when users.signed_out_at > excluded.created_at then excluded.created_at else users.signed_out_at end`,
              email: sql`coalesce(excluded.email, users.email)`,
              first_name: sql`case when users.has_custom_names or excluded.first_name = '' then users.first_name else excluded.first_name end`,
              last_name: sql`case when users.has_custom_names or excluded.first_name = '' then users.last_name else excluded.last_name end`,
            }),
          )
          .returning('id')
          .executeTakeFirstOrThrow();
        await recordAuditEvent(tx, { type: 'signed_in', userId, details: { method: platform } });
        return true;
      }),

    /**
     * Marks a link as used and deletes its user.
     *
     * @returns false, with nothing changed, when the link was used before or has expired since it was verified
     */
    deleteByLink: (
      user: Pick<CurrentUser, 'id' | 'subject'>,
      link: SignInAttempt & { platform: Platform },
      now: Date,
    ): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        if (!(await markLinkUsed(tx, link, now))) return false;
        await deleteUser(tx, user, undefined, now);
        return true;
      }),

    /** Records that a link was refused, whose user is not known. */
    recordRefusedLink: (type: RefusedLinkEvent, platform: Platform, reason: string): Promise<void> =>
      recordAuditEvent(db, { type, details: { method: platform, reason } }),

    /** Records that the subscription is being checked. Returns false when another process is doing so. */
    async claimCheck(subject: string, now: Date): Promise<boolean> {
      const { earliest, latest } = getCheckLimits(now);
      const claimed = await db
        .updateTable('users')
        .set({ operator_checked_at: now })
        .where('subject', '=', subject)
        .where((eb) =>
          eb.or([
            eb('operator_checked_at', 'is', null),
            eb('operator_checked_at', '<=', earliest),
            eb('operator_checked_at', '>=', latest),
          ]),
        )
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    },

    /**
     * Saves the result of a check, unless the user has signed in through the operator since.
     *
     * @param checkedAt - the time with which the check was claimed
     * @param endedAt - when the operator reported the end of the subscription; null while it is active
     */
    async saveStatus(subject: string, checkedAt: Date, endedAt: Date | null): Promise<void> {
      await db
        .updateTable('users')
        .set({ operator_ended_at: endedAt })
        .where('subject', '=', subject)
        .where('operator_checked_at', '=', checkedAt)
        .execute();
    },
  };
}

export type OperatorRepository = ReturnType<typeof createOperatorRepository>;
