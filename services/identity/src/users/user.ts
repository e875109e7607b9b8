import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { isUuid, type Secrets, toUuid } from '../crypto.ts';
import type { ProviderName, Tables } from '../database.ts';
import { type Credential, computeVerifier, N, pad, toNumber } from '../sign-in/srp.ts';

const SALT_LENGTH = 16;
const VERIFIER_LENGTH = 384;

export type AccountRow = Selectable<Tables['account']>;

/** What users may write about themselves. */
export type Profile = Pick<AccountRow, 'givenName' | 'familyName' | 'phoneNumber'>;

/** A user of the pool; the id is the `sub` claim. */
export interface User
  extends Profile,
    Pick<AccountRow, 'id' | 'email' | 'emailVerified' | 'status' | 'enabled'> {
  /** The `cognito:username` claim: the id, or for federated users the provider's subject (`google_1234`). */
  username: string;
  /** The identity at a federated provider; undefined for users with a password. */
  federated: { provider: ProviderName; subject: string; createdAt: Date } | undefined;
}

/** A user who signed up with an email address and a password. */
export interface LocalUser extends User {
  exists: true;
  email: string;
  /** A requested new address that is not verified yet. */
  pendingEmail: string | null;
  credential: Credential;
  /** The hash of the key of the browser that signed up. */
  signUpKeyHash: Buffer | null;
}

/** Takes the place of a user who does not exist, so that responses and their time are the same. No password matches. */
export interface DecoyUser {
  exists: false;
  id: string;
  email: string;
  credential: Credential;
}

export type ResolvedUser = LocalUser | DecoyUser;

/** Creates the id that a username has where no user has it: always the same. Limits of an address are counted by it. */
export const createDecoyId = (secrets: Secrets, username: string): string =>
  isUuid(username) ? username : toUuid(secrets.hmac('decoy', 'id', username));

/**
 * Creates the decoy of a username: always the same, so that repeated requests reveal nothing.
 * @param username an email address or an id, in lower case
 */
export function createDecoyUser(secrets: Secrets, username: string): DecoyUser {
  const id = createDecoyId(secrets, username);
  const letters = secrets.hmac('decoy', 'email', username).toString('hex').replace(/\d/g, '');
  const bytes = secrets.deriveBytes('decoy', SALT_LENGTH + VERIFIER_LENGTH, id);
  return {
    exists: false,
    id,
    email: username.includes('@') ? username : `${letters[0] ?? 'a'}@${letters[1] ?? 'a'}`,
    credential: {
      salt: toNumber(bytes.subarray(0, SALT_LENGTH)),
      verifier: toNumber(bytes.subarray(SALT_LENGTH)) % N,
    },
  };
}

/** Returns what distinguishes a user's password from later ones: each has a salt of its own. */
export const getPasswordVersion = ({ credential }: ResolvedUser): string => credential.salt.toString(36);

/** Creates what is stored of a password: the SRP verifier (RFC 2945) and its random salt. */
export function createCredential(poolName: string, userId: string, password: string): Credential {
  const salt = toNumber(randomBytes(SALT_LENGTH));
  return { salt, verifier: computeVerifier(poolName, userId, password, salt) };
}

/** Encrypts a credential for storage; it decrypts for this user only. */
export function encryptCredential(secrets: Secrets, userId: string, { salt, verifier }: Credential): Buffer {
  const saltBytes = Buffer.from(salt.toString(16).padStart(SALT_LENGTH * 2, '0'), 'hex');
  return secrets.encrypt('credential', userId, Buffer.concat([saltBytes, pad(verifier)]));
}

/** Decrypts a stored credential. Throws where it was encrypted for another user or with another secret. */
export function decryptCredential(secrets: Secrets, userId: string, encrypted: Buffer): Credential {
  const bytes = secrets.decrypt('credential', userId, encrypted);
  if (!bytes) throw new Error('A credential does not decrypt with the identity secret.');
  return {
    salt: toNumber(bytes.subarray(0, SALT_LENGTH)),
    verifier: toNumber(bytes.subarray(SALT_LENGTH)),
  };
}
