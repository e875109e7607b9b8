import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { isUuid, type Secrets } from '../crypto.ts';
import type { Database, Tables } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import { deleteQueuedMail } from '../mail/repository.ts';
import { type Credential, N } from '../sign-in/srp.ts';
import type { Profile } from './policy.ts';
import { decryptCredential, encryptCredential, type LocalUser, type User } from './user.ts';

/** A user who signs up. */
export interface NewUser extends Profile {
  id: string;
  email: string;
  confirmed: boolean;
  credential: Credential;
}

const columns = [
  'id',
  'email',
  'email_verified',
  'given_name',
  'family_name',
  'phone_number',
  'status',
  'enabled',
  'credential',
  'provider',
  'provider_subject',
  'created_at',
] as const;

type Row = Pick<Selectable<Tables['account']>, (typeof columns)[number]>;

function toUser(row: Row): User {
  const { provider, provider_subject: subject } = row;
  const federated = provider && subject ? { provider, subject, createdAt: row.created_at } : undefined;
  return {
    id: row.id,
    username: federated ? `${federated.provider}_${federated.subject}` : row.id,
    email: row.email,
    emailVerified: row.email_verified,
    givenName: row.given_name,
    familyName: row.family_name,
    phoneNumber: row.phone_number,
    status: row.status,
    enabled: row.enabled,
    federated,
  };
}

const UNIQUE_VIOLATION = '23505';

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Creates the repository of users; every method takes the database or a transaction. */
export function createUserRepository(secrets: Secrets) {
  function toLocalUser(row: Row): LocalUser | undefined {
    if (!row.credential || row.email === null) return undefined;
    const credential = decryptCredential(secrets, row.id, row.credential);
    return { ...toUser(row), exists: true, email: row.email, credential };
  }

  const decoyId = randomUUID();
  const decoyCredential = encryptCredential(secrets, decoyId, { salt: 1n, verifier: N - 1n });

  return {
    async findById(db: Database, id: string): Promise<User | undefined> {
      const row = await db.selectFrom('account').select(columns).where('id', '=', id).executeTakeFirst();
      return row && toUser(row);
    },

    /**
     * Finds a user with a password. It takes as long where there is none.
     * @param username an email address or an id, in lower case
     */
    async findLocalUser(db: Database, username: string): Promise<LocalUser | undefined> {
      const row = await db
        .selectFrom('account')
        .select(columns)
        .where(isUuid(username) ? 'id' : 'email', '=', username)
        .where('provider', 'is', null)
        .executeTakeFirst();
      if (row) return toLocalUser(row);
      decryptCredential(secrets, decoyId, decoyCredential);
      return undefined;
    },

    /**
     * Finds all users a name may refer to.
     * @param name an email address, an id, or a username such as `google_1234`, in lower case
     */
    async findByName(db: Database, name: string): Promise<User[]> {
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
                    where('provider_subject', 'ilike', escapeLike(subject)),
                  ]),
                ]),
          ]),
        )
        .execute();
      return rows.map(toUser);
    },

    /** Returns the users whose email address or provider subject contains a text, newest first. */
    async search(db: Database, text: string, limit: number): Promise<User[]> {
      const pattern = `%${escapeLike(text)}%`;
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
      return rows.map(toUser);
    },

    /** Inserts a user; returns false where the email address is taken. */
    async insert(tx: Database, user: NewUser, now: Date): Promise<boolean> {
      const inserted = await tx
        .insertInto('account')
        .values({
          id: user.id,
          email: user.email,
          email_verified: user.confirmed,
          given_name: user.givenName,
          family_name: user.familyName,
          phone_number: user.phoneNumber,
          status: user.confirmed ? 'CONFIRMED' : 'UNCONFIRMED',
          credential: encryptCredential(secrets, user.id, user.credential),
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('email').where('provider', 'is', null).doNothing())
        .executeTakeFirst();
      return inserted.numInsertedOrUpdatedRows === 1n;
    },

    async confirm(tx: Database, id: string, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ status: 'CONFIRMED', email_verified: true, updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    /** Sets a password by a mailed code, which also verifies the address. */
    async resetPassword(tx: Database, id: string, credential: Credential, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({
          credential: encryptCredential(secrets, id, credential),
          status: 'CONFIRMED',
          email_verified: true,
          updated_at: now,
        })
        .where('id', '=', id)
        .execute();
    },

    async setPassword(tx: Database, id: string, credential: Credential, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ credential: encryptCredential(secrets, id, credential), updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    async updateProfile(tx: Database, id: string, profile: Partial<Profile>, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({
          ...(profile.givenName !== undefined && { given_name: profile.givenName }),
          ...(profile.familyName !== undefined && { family_name: profile.familyName }),
          ...(profile.phoneNumber !== undefined && { phone_number: profile.phoneNumber }),
          updated_at: now,
        })
        .where('id', '=', id)
        .execute();
    },

    async isEmailTaken(tx: Database, email: string): Promise<boolean> {
      const row = await tx
        .selectFrom('account')
        .select('id')
        .where('email', '=', email)
        .where('provider', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns the requested email address that is not verified yet. */
    async findPendingEmail(tx: Database, id: string): Promise<string | null> {
      const row = await tx
        .selectFrom('account')
        .select('pending_email')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.pending_email ?? null;
    },

    async setPendingEmail(tx: Database, id: string, email: string | null): Promise<void> {
      await tx.updateTable('account').set({ pending_email: email }).where('id', '=', id).execute();
    },

    /** Sets a verified email address. Throws AliasExistsException where it has been taken in the meantime. */
    async setEmail(tx: Database, id: string, email: string, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ email, email_verified: true, pending_email: null, updated_at: now })
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => {
          throw Object(error).code === UNIQUE_VIOLATION ? cognitoErrors.aliasExists() : error;
        });
    },

    async setEnabled(tx: Database, id: string, enabled: boolean, now: Date): Promise<void> {
      await tx.updateTable('account').set({ enabled, updated_at: now }).where('id', '=', id).execute();
    },

    async requirePasswordReset(tx: Database, id: string, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ status: 'RESET_REQUIRED', updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    /** Deletes a user with all data that belongs to them. */
    async deleteUser(tx: Database, id: string): Promise<void> {
      await tx.deleteFrom('account').where('id', '=', id).execute();
      await tx.deleteFrom('verification_code').where('user_id', '=', id).execute();
      await tx.deleteFrom('attempt_counter').where('subject', '=', id).execute();
      await tx.deleteFrom('outbox_mail').where('account_id', '=', id).execute();
      await deleteQueuedMail(tx, id);
    },
  };
}

export type UserRepository = ReturnType<typeof createUserRepository>;
