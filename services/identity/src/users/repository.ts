import { randomUUID } from 'node:crypto';
import { anonymizeAuditEvents, recordAuditEvent } from '@escucho/audit';
import { getErrorCode } from '@escucho/database';
import { isUuid, type Secrets } from '../crypto.ts';
import type { Database, ProviderName } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import type { ProviderProfile } from '../federation/providers.ts';
import { deleteQueuedMail } from '../mail/repository.ts';
import { N } from '../sign-in/srp.ts';
import { normalizeUsername } from './policy.ts';
import {
  type AccountRow,
  createDecoyUser,
  decryptCredential,
  encryptCredential,
  getPasswordVersion,
  type LocalUser,
  type Profile,
  type ResolvedUser,
  type User,
} from './user.ts';

export interface NewUser extends Profile, Pick<LocalUser, 'id' | 'email' | 'credential' | 'signUpKeyHash'> {
  confirmed: boolean;
}

/** Changes of a user; undefined members are left unchanged. */
type UserChanges = Partial<Omit<LocalUser, 'id' | 'username' | 'federated' | 'exists'>>;

function toUser({ provider, providerSubject: subject, createdAt, ...row }: AccountRow): User {
  const federated = provider && subject ? { provider, subject, createdAt } : undefined;
  const { id, email, emailVerified, givenName, familyName, phoneNumber, status, enabled } = row;
  const username = federated ? `${federated.provider}_${federated.subject}` : id;
  const profile = { email, emailVerified, givenName, familyName, phoneNumber };
  return { id, username, ...profile, status, enabled, federated };
}

const UNIQUE_VIOLATION = '23505';

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const selectLocalId = (tx: Database, email: string) =>
  tx.selectFrom('account').select('id').where('email', '=', email).where('provider', 'is', null);

/**
 * Locks a user until the transaction ends. A transaction locks the user before their codes, counters, second factors and
 * passkeys: in another order two transactions could wait for each other.
 * @returns the user's email address as it is now; undefined where there is no such user
 */
export function lockAccount(tx: Database, id: string): Promise<Pick<User, 'email'> | undefined> {
  return tx.selectFrom('account').select('email').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Deletes a user with everything stored about it; the audit events about it become anonymous. */
export async function deleteUser(tx: Database, id: string): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('account').where('id', '=', id).executeTakeFirst();
  await tx.deleteFrom('verification_code').where('userId', '=', id).execute();
  await tx.deleteFrom('attempt_counter').where('subject', '=', id).execute();
  await tx.deleteFrom('outbox_mail').where('accountId', '=', id).execute();
  await deleteQueuedMail(tx, id);
  // A concurrent request or job may have deleted the account.
  if (numDeletedRows > 0n) await recordAuditEvent(tx, { type: 'account_deleted' });
  await anonymizeAuditEvents(tx, [id]);
}

/** Creates the repository of users; every method takes the database or a transaction. */
export function createUserRepository(secrets: Secrets) {
  function toLocalUser(row: AccountRow): LocalUser | undefined {
    if (!row.credential || row.email === null) return undefined;
    const credential = decryptCredential(secrets, row.id, row.credential);
    const { email, pendingEmail, signUpKeyHash } = row;
    return { ...toUser(row), exists: true, email, pendingEmail, credential, signUpKeyHash };
  }

  async function lockLocalUser(tx: Database, id: string): Promise<LocalUser | undefined> {
    const row = await tx
      .selectFrom('account')
      .selectAll()
      .where('id', '=', id)
      .where('provider', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row && toLocalUser(row);
  }

  const decoyId = randomUUID();
  const decoyCredential = encryptCredential(secrets, decoyId, { salt: 1n, verifier: N - 1n });

  /**
   * Finds a user with a password. It takes as long where there is none.
   * @param username an email address or an id, in lower case
   */
  async function findLocalUser(db: Database, username: string): Promise<LocalUser | undefined> {
    const row = await db
      .selectFrom('account')
      .selectAll()
      .where(isUuid(username) ? 'id' : 'email', '=', username)
      .where('provider', 'is', null)
      .executeTakeFirst();
    if (row) return toLocalUser(row);
    decryptCredential(secrets, decoyId, decoyCredential);
    return undefined;
  }

  return {
    findLocalUser,

    /** Returns the user of a username, or a decoy; both take the same time. */
    async resolveUser(db: Database, username: string): Promise<ResolvedUser> {
      const normalized = normalizeUsername(username);
      const decoy = createDecoyUser(secrets, normalized);
      return (await findLocalUser(db, normalized)) ?? decoy;
    },

    async findById(db: Database, id: string): Promise<User | undefined> {
      const row = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toUser(row);
    },

    /**
     * Locks a user with a password until the transaction ends, so that the account does not change while its owner is
     * signed in. Returns the user as they are now.
     */
    lockLocalUser,

    /** Locks a user as `lockLocalUser` does; returns nobody where the password is another than the one that was proven. */
    async lockUser(
      tx: Database,
      id: string,
      passwordVersion: string | undefined,
    ): Promise<LocalUser | undefined> {
      const user = await lockLocalUser(tx, id);
      return user && getPasswordVersion(user) === passwordVersion ? user : undefined;
    },

    /**
     * Finds all users a name may refer to.
     * @param name an email address, an id, or a username such as `google_1234`, in lower case
     */
    async findByName(db: Database, name: string): Promise<User[]> {
      const [, provider, subject] = /^(google|facebook)_(.+)$/.exec(name) ?? [];
      const rows = await db
        .selectFrom('account')
        .selectAll()
        .where((where) =>
          where.or([
            where('email', '=', name),
            ...(isUuid(name) ? [where('id', '=', name)] : []),
            ...(subject === undefined
              ? []
              : [
                  where.and([
                    where('provider', '=', provider === 'google' ? 'google' : 'facebook'),
                    where('providerSubject', 'ilike', escapeLike(subject)),
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
        .selectAll()
        .where((where) =>
          where.or([where('email', 'like', pattern), where('providerSubject', 'ilike', pattern)]),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toUser);
    },

    /** Inserts a user; returns false where the email address is taken. */
    async insert(
      tx: Database,
      { id, confirmed, credential, ...profile }: NewUser,
      now: Date,
    ): Promise<boolean> {
      const inserted = await tx
        .insertInto('account')
        .values({
          id,
          ...profile,
          emailVerified: confirmed,
          status: confirmed ? 'CONFIRMED' : 'UNCONFIRMED',
          credential: encryptCredential(secrets, id, credential),
          createdAt: now,
          updatedAt: now,
        })
        .onConflict((conflict) => conflict.column('email').where('provider', 'is', null).doNothing())
        .executeTakeFirst();
      return inserted.numInsertedOrUpdatedRows === 1n;
    },

    /** Replaces a sign-up that is not confirmed; returns false where it was confirmed in the meantime. */
    async replaceSignUp(
      tx: Database,
      { id, credential, confirmed: _, ...profile }: NewUser,
      now: Date,
    ): Promise<boolean> {
      const updated = await tx
        .updateTable('account')
        .set({ ...profile, credential: encryptCredential(secrets, id, credential), updatedAt: now })
        .where('id', '=', id)
        .where('status', '=', 'UNCONFIRMED')
        .executeTakeFirst();
      return updated.numUpdatedRows === 1n;
    },

    /**
     * Updates a user.
     * @throws AliasExistsException where a new email address is taken
     */
    async update(tx: Database, id: string, changes: UserChanges, now: Date): Promise<void> {
      const { credential, ...columns } = changes;
      const encrypted = credential && { credential: encryptCredential(secrets, id, credential) };
      await tx
        .updateTable('account')
        .set({ ...columns, ...encrypted, updatedAt: now })
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => {
          throw getErrorCode(error) === UNIQUE_VIOLATION ? cognitoErrors.aliasExists() : error;
        });
    },

    /** Inserts a federated user or updates their profile; returns the user's id. */
    async upsertFederatedUser(
      tx: Database,
      provider: ProviderName,
      { subject, email, emailVerified, givenName, familyName }: ProviderProfile,
      now: Date,
    ): Promise<string> {
      const profile = {
        email: email?.toLowerCase() ?? null,
        emailVerified: email !== null && emailVerified,
        givenName,
        familyName,
        updatedAt: now,
      };
      const { id } = await tx
        .insertInto('account')
        .values({
          id: randomUUID(),
          phoneNumber: null,
          status: 'CONFIRMED',
          credential: null,
          provider,
          providerSubject: subject,
          createdAt: now,
          ...profile,
        })
        .onConflict((conflict) => conflict.columns(['provider', 'providerSubject']).doUpdateSet(profile))
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** Returns whether an address belongs to an account; a sign-up that is not confirmed proves nothing. */
    async isEmailTaken(tx: Database, email: string): Promise<boolean> {
      const row = await selectLocalId(tx, email).where('status', '!=', 'UNCONFIRMED').executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes the sign-up of an address where nobody confirmed it. */
    async deleteSignUp(tx: Database, email: string): Promise<void> {
      const row = await selectLocalId(tx, email)
        .where('status', '=', 'UNCONFIRMED')
        .forUpdate()
        .executeTakeFirst();
      if (row) await deleteUser(tx, row.id);
    },

    deleteUser,
  };
}

export type UserRepository = ReturnType<typeof createUserRepository>;
