import { createHash } from 'node:crypto';
import type { User } from '@escucho/contracts';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import type { Grant } from '../subscriptions/policy.ts';
import type { Profile } from './tokens.ts';

/** A reader as stored, with all that was ever granted. */
export interface Account extends Profile {
  id: string;
  platform: User['platform'];
  /** Names that were set here, which later sign-ins leave alone. */
  hasCustomNames: boolean;
  /** When the reader's operator was last asked, and since when it says that the subscription has ended. */
  operatorCheckedAt: Date | null;
  operatorEndedAt: Date | null;
  grants: Grant[];
  /** When purchases were asked for; null: never. */
  purchasesSyncedAt: Date | null;
  subject: string;
}

/** An erased reader's subject, as it is kept: nobody can tell from it who that was. */
export const hashSubject = (subject: string): Buffer => createHash('sha256').update(subject).digest();

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Readers by the subject of the identity provider, who owns the row. */
export function createAccountRepository(db: Database) {
  return {
    async find(subject: string): Promise<Account | undefined> {
      const row = await db
        .selectFrom('users as u')
        .select((eb) => [
          ...([
            'u.id',
            'u.email',
            'u.first_name',
            'u.last_name',
            'u.platform',
            'u.has_custom_names',
          ] as const),
          ...(['u.operator_checked_at', 'u.operator_ended_at'] as const),
          jsonArrayFrom(
            eb
              .selectFrom('subscription_grant as g')
              .select(['g.store', 'g.expires_at', 'g.unsubscribe_detected_at', 'g.billing_issue_detected_at'])
              .whereRef('g.user_id', '=', 'u.id')
              .orderBy('g.created_at'),
          ).as('grants'),
          eb
            .selectFrom('subscription_sync as c')
            .select('c.synced_at')
            .whereRef('c.user_id', '=', 'u.id')
            .as('synced_at'),
        ])
        .where('u.subject', '=', subject)
        .executeTakeFirst();
      if (!row) return undefined;
      const { id, email, first_name: firstName, last_name: lastName, platform } = row;
      const { has_custom_names: hasCustomNames, synced_at: purchasesSyncedAt } = row;
      const { operator_checked_at: operatorCheckedAt, operator_ended_at: operatorEndedAt } = row;
      const grants = row.grants.map((grant) => ({
        store: grant.store,
        expiresAt: toDate(grant.expires_at),
        unsubscribeDetectedAt: toDate(grant.unsubscribe_detected_at),
        billingIssueDetectedAt: toDate(grant.billing_issue_detected_at),
      }));
      const profile = { email, firstName, lastName };
      const asked = { operatorCheckedAt, operatorEndedAt, purchasesSyncedAt };
      return { id, subject, ...profile, platform, hasCustomNames: hasCustomNames, ...asked, grants };
    },

    /** Makes a row without a profile, unless there is one by now. */
    async create(subject: string, now: Date): Promise<void> {
      await db
        .insertInto('users')
        .values({ subject, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.column('subject').doNothing())
        .execute();
    },

    /**
     * When somebody of this subject was erased, as long as tokens from before may be about, and whether they have still to
     * go elsewhere.
     */
    async findDeletion(subject: string): Promise<{ erasedAt: Date; isGoingOn: boolean } | undefined> {
      const row = await db
        .selectFrom('deleted_user as r')
        .select((eb) => [
          'r.deleted_at as erasedAt',
          eb
            .exists(
              eb
                .selectFrom('account_deletion as e')
                .select('e.user_id')
                .whereRef('e.subject_hash', '=', 'r.subject_hash'),
            )
            .as('isGoingOn'),
        ])
        .where('r.subject_hash', '=', hashSubject(subject))
        .executeTakeFirst();
      return row && { erasedAt: row.erasedAt, isGoingOn: Boolean(row.isGoingOn) };
    },

    async update(subject: string, { email, firstName, lastName }: Profile, now: Date): Promise<void> {
      await db
        .updateTable('users')
        .set({ email, first_name: firstName, last_name: lastName, updated_at: now })
        .where('subject', '=', subject)
        .execute();
    },
  };
}

export type AccountRepository = ReturnType<typeof createAccountRepository>;
