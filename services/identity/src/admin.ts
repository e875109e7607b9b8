import { randomUUID } from 'node:crypto';
import { recordAuditEvent } from '@escucho/audit';
import { createSecrets } from './crypto.ts';
import { openIdentityDatabase } from './database.ts';
import { createQueueMailer } from './jobs.ts';
import { createOutboxMailer } from './mail/repository.ts';
import { createNotifier } from './mail/templates.ts';
import { mfaRepository } from './mfa/repository.ts';
import { getPoolName, type IdentityOptions } from './options.ts';
import { passkeyRepository } from './passkeys/repository.ts';
import { resetCounter } from './rate-limits/repository.ts';
import { sessionRepository } from './sessions/repository.ts';
import { rotateKeys } from './tokens/keys.ts';
import { listKeyAges } from './tokens/repository.ts';
import { normalizeUsername } from './users/policy.ts';
import { createUserRepository, lockAccount } from './users/repository.ts';
import { createCredential, type User } from './users/user.ts';

export type UserSummary = Pick<User, 'username' | 'email' | 'status' | 'enabled'>;

/** A name that does not identify exactly one suitable user. */
export class UserLookupError extends Error {}

type AdminOptions = Pick<IdentityOptions, 'connection' | 'poolId' | 'secret' | 'smtp' | 'clock'>;

/** The owner's mail is in every language where the request of a client does not choose one. */
const unknownLanguage = { language: undefined };

const toSummary = ({ username, email, status, enabled }: User): UserSummary => ({
  username,
  email,
  status,
  enabled,
});

/** Creates the administration of users and keys, which works whether or not the provider runs. Call `close` at the end. */
export function createIdentityAdmin({
  connection,
  poolId,
  secret,
  smtp,
  clock = () => new Date(),
}: AdminOptions) {
  const secrets = createSecrets(secret, poolId);
  const mailer = smtp ? createQueueMailer(secrets) : createOutboxMailer(secrets);
  const notifyOwner = createNotifier({ mailer, clock });
  const users = createUserRepository(secrets);
  const db = openIdentityDatabase(connection, 'escucho identity admin', 2);

  /** Finds the one user of an address, an id, or a username such as `google_1234`. */
  async function getUser(name: string): Promise<User> {
    const matches = await users.findByName(db, normalizeUsername(name));
    const [user] = matches;
    if (!user) throw new UserLookupError(`There is no account ${name}.`);
    if (matches.length === 1) return user;
    const usernames = matches.map(({ username }) => username).join(', ');
    throw new UserLookupError(`${name} means several accounts: ${usernames}. Name one of them.`);
  }

  /** Changes a user. Every session is revoked, unless the user is enabled. */
  async function changeUser(
    user: User,
    changes: Partial<Pick<User, 'enabled' | 'status'>>,
    type: 'account_enabled' | 'account_disabled' | 'password_reset_required',
  ): Promise<UserSummary> {
    await db.transaction().execute(async (tx) => {
      await users.update(tx, user.id, changes, clock());
      if (!changes.enabled) await sessionRepository.revokeAll(tx, user.id, clock());
      await recordAuditEvent(tx, { type, userId: user.id });
    });
    return { ...toSummary(user), ...changes };
  }

  return {
    /** Returns the users whose address or username contains a text, newest first. */
    async listUsers(text: string, limit: number): Promise<UserSummary[]> {
      return (await users.search(db, normalizeUsername(text), limit)).map(toSummary);
    },

    /** Returns all users of an address: that with a password, and those of Google and Facebook. */
    async findUsersByEmail(email: string): Promise<UserSummary[]> {
      const address = normalizeUsername(email);
      const matches = await users.findByName(db, address);
      return matches.filter((user) => user.email === address).map(toSummary);
    },

    /** Disables a user and revokes every session. */
    async disableUser(name: string): Promise<UserSummary> {
      return changeUser(await getUser(name), { enabled: false }, 'account_disabled');
    },

    async enableUser(name: string): Promise<UserSummary> {
      return changeUser(await getUser(name), { enabled: true }, 'account_enabled');
    },

    /** Requires a new password, set by a mailed code, and revokes every session. */
    async resetPassword(name: string): Promise<UserSummary> {
      const user = await getUser(name);
      if (user.federated) throw new UserLookupError(`${user.username} has no password here.`);
      // Its code would not confirm it any more, and the address would count as taken without a proof.
      if (user.status === 'UNCONFIRMED') throw new UserLookupError(`${name} has not confirmed the address.`);
      return changeUser(user, { status: 'RESET_REQUIRED' }, 'password_reset_required');
    },

    /**
     * Removes the second factors, recovery codes and passkeys of a user who lost them, and revokes every session. The owner
     * is notified by mail.
     */
    async removeFactors(name: string): Promise<UserSummary> {
      const user = await getUser(name);
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, user.id);
        for (const method of await mfaRepository.delete(tx, user.id)) {
          await recordAuditEvent(tx, { type: 'mfa_disabled', userId: user.id, details: { method } });
          await notifyOwner(tx, user, 'second-factor-removed', unknownLanguage);
        }
        if (await passkeyRepository.deleteAll(tx, user.id)) {
          await recordAuditEvent(tx, { type: 'passkey_removed', userId: user.id });
          await notifyOwner(tx, user, 'passkey-removed', unknownLanguage);
        }
        await resetCounter(tx, user.id, 'second-factor');
        await sessionRepository.revokeAll(tx, user.id, clock());
      });
      return toSummary(user);
    },

    async deleteUser(name: string): Promise<UserSummary> {
      const user = await getUser(name);
      await db.transaction().execute((tx) => users.deleteUser(tx, user.id));
      return toSummary(user);
    },

    /** Publishes new signing keys, which are used after ten minutes. */
    rotateKeys: () => rotateKeys(db, secrets, clock()),

    /** Returns when each key that signs tokens was created. */
    listKeyAges: () => listKeyAges(db, clock()),

    close: () => db.destroy(),
  };
}

interface SeedAccount {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/**
 * Inserts a confirmed account; an existing one of the same address is left unchanged.
 * @returns the account's `sub`
 */
export async function seedAccount(
  { connection, poolId, secret }: Pick<IdentityOptions, 'connection' | 'poolId' | 'secret'>,
  { email, password, firstName, lastName }: SeedAccount,
): Promise<string> {
  const users = createUserRepository(createSecrets(secret, poolId));
  await using db = openIdentityDatabase(connection, 'escucho identity seed', 1);
  const username = normalizeUsername(email);
  const id = randomUUID();
  const user = {
    id,
    email: username,
    confirmed: true,
    signUpKeyHash: null,
    credential: createCredential(getPoolName(poolId), id, password),
    givenName: firstName,
    familyName: lastName,
    phoneNumber: null,
  };
  await users.insert(db, user, new Date());
  return (await users.findLocalUser(db, username))?.id ?? id;
}
