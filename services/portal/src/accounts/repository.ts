import { createHash } from 'node:crypto';
import type { SettingsChange, User } from '@escucho/contracts';
import { type Insertable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { createBatcher } from '../batches.ts';
import type { Database, Tables } from '../database.ts';
import type { Grant } from '../subscriptions/policy.ts';
import type { Profile } from './tokens.ts';
import type { CurrentUser } from './user.ts';

/** A user with everything that decides about the subscription. */
export interface Account extends Omit<CurrentUser, 'subscription'> {
  createdAt: Date;
  operatorCheckedAt: Date | null;
  /** When the operator reported the end of the subscription; null while it is active. */
  operatorEndedAt: Date | null;
  /** When an operator's user last signed out. */
  signedOutAt: Date | null;
  grants: Grant[];
  /** When purchases were last read from the billing provider; null before the first time. */
  purchasesSyncedAt: Date | null;
}

const settingsColumns = [
  'first_name as firstName',
  'last_name as lastName',
  'language',
  'theme',
  'level',
  'learning_language as learningLanguage',
  'onboarded_at as onboardedAt',
] as const;

/** Returns what is stored of a deleted user's subject: it identifies the user, but does not reveal who it was. */
export const hashSubject = (subject: string): Buffer => createHash('sha256').update(subject).digest();

/** Operators' subscribers have not signed up here, so they are not asked. */
export const isOnboardingDue = (platform: User['platform'], onboardedAt: Date | null): boolean =>
  platform === null && onboardedAt === null;

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Users, by the subject of the identity provider or by id. */
export function createAccountRepository(db: Database) {
  async function findMany(subjects: readonly string[]): Promise<(Account | undefined)[]> {
    const rows = await db
      .selectFrom('users as u')
      .select((eb) => [
        'u.id',
        'u.subject',
        'u.email',
        'u.first_name as firstName',
        'u.last_name as lastName',
        'u.platform',
        'u.has_custom_names as hasCustomNames',
        'u.level',
        'u.learning_language as language',
        'u.onboarded_at as onboardedAt',
        'u.created_at as createdAt',
        'u.operator_checked_at as operatorCheckedAt',
        'u.operator_ended_at as operatorEndedAt',
        'u.signed_out_at as signedOutAt',
        jsonArrayFrom(
          eb
            .selectFrom('subscription_grant as g')
            .select([
              'g.store',
              'g.expires_at as expiresAt',
              'g.unsubscribe_detected_at as unsubscribeDetectedAt',
              'g.billing_issue_detected_at as billingIssueDetectedAt',
              'g.is_sandbox as isSandbox',
            ])
            .whereRef('g.user_id', '=', 'u.id')
            .orderBy('g.created_at'),
        ).as('grants'),
        eb
          .selectFrom('subscription_sync as s')
          .select('s.synced_at')
          .whereRef('s.user_id', '=', 'u.id')
          .as('purchasesSyncedAt'),
      ])
      .where('u.subject', '=', (eb) => eb.fn.any(eb.val([...subjects])))
      .execute();
    const accounts = rows.map(
      ({ level, language, onboardedAt, ...account }): Account => ({
        ...account,
        learning: { language, level },
        needsOnboarding: isOnboardingDue(account.platform, onboardedAt),
        grants: account.grants.map((grant) => ({
          ...grant,
          expiresAt: toDate(grant.expiresAt),
          unsubscribeDetectedAt: toDate(grant.unsubscribeDetectedAt),
          billingIssueDetectedAt: toDate(grant.billingIssueDetectedAt),
        })),
      }),
    );
    const bySubject = new Map(accounts.map((account) => [account.subject, account]));
    return subjects.map((subject) => bySubject.get(subject));
  }

  return {
    /** Returns the user of a subject. Each request needs one, so those of concurrent requests are read together. */
    find: createBatcher(findMany),

    /** Creates a user, without a profile by default, unless the subject is known. */
    async create(
      subject: string,
      now: Date,
      profile: Partial<Insertable<Tables['users']>> = {},
    ): Promise<void> {
      await db
        .insertInto('users')
        .values({ subject, created_at: now, updated_at: now, ...profile })
        .onConflict((conflict) => conflict.column('subject').doNothing())
        .execute();
    },

    /**
     * Updates a profile and returns it; names edited in the settings stay.
     *
     * @param issuedAt - when it was issued, without the fraction of a second
     * @returns undefined where the user has changed since: nothing is updated
     */
    updateProfile(
      subject: string,
      { email, firstName, lastName }: Profile,
      { issuedAt, now }: { issuedAt: Date; now: Date },
    ) {
      const latest = new Date(issuedAt.getTime() + 1000);
      return (
        db
          .updateTable('users')
          .set({
            email,
            first_name: sql`case when has_custom_names then first_name else ${firstName} end`,
            last_name: sql`case when has_custom_names then last_name else ${lastName} end`,
            updated_at: now,
          })
          .where('subject', '=', subject)
          // A user without an address has been created by the request, after the token was issued.
          .where((eb) => eb.or([eb('email', 'is', null), eb('updated_at', '<', latest)]))
          .returning(['email', 'first_name as firstName', 'last_name as lastName'])
          .executeTakeFirst()
      );
    },

    /**
     * Returns the latest deletion of a subject's account, as long as tokens from before its completion may be in use.
     * `completedAt` is null while it is pending.
     */
    findDeletion: (subject: string): Promise<{ completedAt: Date | null } | undefined> =>
      db
        .selectFrom('deleted_user')
        .select('completed_at as completedAt')
        .where('subject_hash', '=', hashSubject(subject))
        .executeTakeFirst(),

    /** Records that an operator's user signed out. */
    async signOut(userId: string, now: Date): Promise<void> {
      await db
        .updateTable('users')
        .set({ signed_out_at: now })
        .where('id', '=', userId)
        .where('platform', 'is not', null)
        .execute();
    },

    /** Returns undefined where the user was deleted since the request was authenticated, as `updateSettings` does. */
    findSettings: (userId: string) =>
      db.selectFrom('users').select(settingsColumns).where('id', '=', userId).executeTakeFirst(),

    /** Updates the given settings and returns all of them. */
    updateSettings(userId: string, change: SettingsChange, now: Date) {
      const { firstName, lastName, learningLanguage, isOnboarded, ...rest } = change;
      return db
        .updateTable('users')
        .set({
          ...rest,
          first_name: firstName,
          last_name: lastName,
          learning_language: learningLanguage,
          onboarded_at: isOnboarded ? now : undefined,
          has_custom_names: firstName === undefined && lastName === undefined ? undefined : true,
          updated_at: now,
        })
        .where('id', '=', userId)
        .returning(settingsColumns)
        .executeTakeFirst();
    },
  };
}

export type AccountRepository = ReturnType<typeof createAccountRepository>;
export type SettingsRow = NonNullable<Awaited<ReturnType<AccountRepository['findSettings']>>>;
