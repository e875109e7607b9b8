import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import { faults } from '../faults.ts';
import type { Secrets } from '../secrets.ts';
import { N } from '../srp/group.ts';
import type { Credential } from '../srp/srp.ts';
import { isUuid } from '../uuid.ts';
import type { Profile } from './policy.ts';
import { columns, personOf, type Row } from './row.ts';
import { type Account, openCredential, type Person, sealCredential } from './subject.ts';

/** A person who signs up: the password is already a credential. */
export interface NewAccount extends Profile {
  id: string;
  email: string;
  confirmed: boolean;
  credential: Credential;
}

/** Accounts in the database; every call takes the database or the transaction it is part of. */
export function createUserRepository(secrets: Secrets) {
  /** Nothing for a row without a password. */
  function accountOf(row: Row): Account | undefined {
    if (!row.credential || row.email === null) return undefined;
    const credential = openCredential(secrets, row.id, row.credential);
    return { ...personOf(row), real: true, email: row.email, credential };
  }

  const nobody = randomUUID();
  const decoy = sealCredential(secrets, nobody, { salt: 1n, verifier: N - 1n });

  return {
    /** Anybody by their id, whichever way they come. */
    async person(db: Database, id: string): Promise<Person | undefined> {
      const row = await db.selectFrom('account').select(columns).where('id', '=', id).executeTakeFirst();
      return row && personOf(row);
    },

    /**
     * Somebody with a password. In: an e-mail address or an id, in lower case. Finding nobody takes as long as finding
     * somebody.
     */
    async find(db: Database, name: string): Promise<Account | undefined> {
      const row = await db
        .selectFrom('account')
        .select(columns)
        .where(isUuid(name) ? 'id' : 'email', '=', name)
        .where('provider', 'is', null)
        .executeTakeFirst();
      if (row) return accountOf(row);
      openCredential(secrets, nobody, decoy);
      return undefined;
    },

    /** Out: whether it was put in; not where the address is taken. */
    async insert(tx: Database, account: NewAccount, now: Date): Promise<boolean> {
      const inserted = await tx
        .insertInto('account')
        .values({
          id: account.id,
          email: account.email,
          email_verified: account.confirmed,
          given_name: account.givenName,
          family_name: account.familyName,
          phone_number: account.phoneNumber,
          status: account.confirmed ? 'CONFIRMED' : 'UNCONFIRMED',
          credential: sealCredential(secrets, account.id, account.credential),
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('email').where('provider', 'is', null).doNothing())
        .executeTakeFirst();
      return inserted.numInsertedOrUpdatedRows === 1n;
    },

    /** The address is proved to be theirs. */
    async confirm(tx: Database, id: string, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ status: 'CONFIRMED', email_verified: true, updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    /** A new password, by a code that also proves the address. */
    async renew(tx: Database, id: string, credential: Credential, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({
          credential: sealCredential(secrets, id, credential),
          status: 'CONFIRMED',
          email_verified: true,
          updated_at: now,
        })
        .where('id', '=', id)
        .execute();
    },

    /** A new password by the one before. */
    async setPassword(tx: Database, id: string, credential: Credential, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ credential: sealCredential(secrets, id, credential), updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    async setProfile(tx: Database, id: string, profile: Partial<Profile>, now: Date): Promise<void> {
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

    /** Whether an address is that of somebody with a password. */
    async isTaken(tx: Database, email: string): Promise<boolean> {
      const row = await tx
        .selectFrom('account')
        .select('id')
        .where('email', '=', email)
        .where('provider', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The address somebody wants to have, if any. */
    async pendingEmail(tx: Database, id: string): Promise<string | null> {
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

    /** The address is proved to be theirs. Throws where somebody else was faster. */
    async setEmail(tx: Database, id: string, email: string, now: Date): Promise<void> {
      await tx
        .updateTable('account')
        .set({ email, email_verified: true, pending_email: null, updated_at: now })
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => {
          throw Object(error).code === '23505' ? faults.emailExists() : error;
        });
    },

    /** Forgets somebody, with all that is theirs. */
    async erase(tx: Database, { id }: Person): Promise<void> {
      await tx.deleteFrom('account').where('id', '=', id).execute();
      await tx.deleteFrom('code').where('subject', '=', id).execute();
      await tx.deleteFrom('attempt').where('subject', '=', id).execute();
      await tx.deleteFrom('mail').where('account_id', '=', id).execute();
      await tx.deleteFrom('queued_mail').where('account_id', '=', id).execute();
    },
  };
}

export type UserRepository = ReturnType<typeof createUserRepository>;
