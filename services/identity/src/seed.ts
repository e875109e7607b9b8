import { randomUUID } from 'node:crypto';
import { open } from './database.ts';
import { type IdentityOptions, poolNameOf } from './options.ts';
import { createSecrets } from './secrets.ts';
import { nameOf } from './users/policy.ts';
import { createUserRepository } from './users/repository.ts';
import { newCredential } from './users/subject.ts';

/** An account that needs no code, for demonstrations. */
export interface SeedAccount {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/**
 * Puts a confirmed account in, unless the address has one already, which then stays as it is.
 * @returns the account's `sub`
 */
export async function seedAccount(
  {
    connection,
    poolId,
    secret,
    clock = () => new Date(),
  }: Pick<IdentityOptions, 'connection' | 'poolId' | 'secret' | 'clock'>,
  { email, password, firstName, lastName }: SeedAccount,
): Promise<string> {
  const users = createUserRepository(createSecrets(secret, poolId));
  const db = open(connection, 'escucho identity seed', 1);
  try {
    const name = nameOf(email);
    const id = randomUUID();
    const profile = { givenName: firstName, familyName: lastName, phoneNumber: null };
    const credential = newCredential(poolNameOf(poolId), id, password);
    const account = { id, email: name, confirmed: true, credential, ...profile };
    await users.insert(db, account, clock());
    return (await users.find(db, name))?.id ?? id;
  } finally {
    await db.destroy();
  }
}
