import { open } from './database.ts';
import type { IdentityOptions } from './options.ts';
import { createSecrets } from './secrets.ts';
import { sessionRepository } from './sessions/repository.ts';
import { rotateKeys } from './tokens/keys.ts';
import { adminRepository } from './users/admin-repository.ts';
import { nameOf } from './users/policy.ts';
import { createUserRepository } from './users/repository.ts';
import type { Person } from './users/subject.ts';

/** What an operator sees of somebody. */
export interface ListedPerson {
  username: string;
  email: string | null;
  status: Person['status'];
  enabled: boolean;
}

/** Nobody, or not only one, is meant by a name. */
export class NameFault extends Error {}

type Options = Pick<IdentityOptions, 'connection' | 'poolId' | 'secret' | 'clock'>;

const listed = ({ username, email, status, enabled }: Person): ListedPerson => ({
  username,
  email,
  status,
  enabled,
});

/** What an operator does to accounts and keys, whether or not the provider runs. `close` lets the database go. */
export function identityAdmin({ connection, poolId, secret, clock = () => new Date() }: Options) {
  const secrets = createSecrets(secret, poolId);
  const users = createUserRepository(secrets);
  const db = open(connection, 'escucho identity admin', 2);

  /** In: an address, an id, or a username such as `google_1234`. */
  async function theOne(name: string): Promise<Person> {
    const found = await adminRepository.named(db, nameOf(name));
    const [person] = found;
    if (!person) throw new NameFault(`There is no account ${name}.`);
    if (found.length === 1) return person;
    const usernames = found.map(({ username }) => username).join(', ');
    throw new NameFault(`${name} means several accounts: ${usernames}. Name one of them.`);
  }

  return {
    /** Accounts whose address or username holds a text, newest first, at most so many; all texts hold the empty one. */
    async list(text: string, limit: number): Promise<ListedPerson[]> {
      return (await adminRepository.search(db, nameOf(text), limit)).map(listed);
    },

    /** Lets nobody in any more, and ends every session. */
    async disable(name: string): Promise<ListedPerson> {
      const person = await theOne(name);
      await db.transaction().execute(async (tx) => {
        await adminRepository.setEnabled(tx, person.id, false, clock());
        await sessionRepository.revokeAll(tx, person.id, clock());
      });
      return { ...listed(person), enabled: false };
    },

    async enable(name: string): Promise<ListedPerson> {
      const person = await theOne(name);
      await adminRepository.setEnabled(db, person.id, true, clock());
      return { ...listed(person), enabled: true };
    },

    /** Makes the password useless: the next sign-in asks for a new one, by a code. Ends every session. */
    async reset(name: string): Promise<ListedPerson> {
      const person = await theOne(name);
      if (person.door) throw new NameFault(`${person.username} has no password here.`);
      await db.transaction().execute(async (tx) => {
        await adminRepository.requireReset(tx, person.id, clock());
        await sessionRepository.revokeAll(tx, person.id, clock());
      });
      return { ...listed(person), status: 'RESET_REQUIRED' };
    },

    /** Forgets an account, with all that is its here. */
    async remove(name: string): Promise<ListedPerson> {
      const person = await theOne(name);
      await db.transaction().execute((tx) => users.erase(tx, person));
      return listed(person);
    },

    /** New signing keys, used in ten minutes; those before stay good for what they signed. */
    rotateKeys: () => rotateKeys(db, secrets, clock()),

    close: () => db.destroy(),
  };
}
