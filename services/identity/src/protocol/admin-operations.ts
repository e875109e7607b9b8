import type { Database } from '../database.ts';
import { faults } from '../faults.ts';
import { hash } from '../srp/group.ts';
import { equalBytes } from '../srp/srp.ts';
import { adminRepository } from '../users/admin-repository.ts';
import { nameOf } from '../users/policy.ts';
import type { UserRepository } from '../users/repository.ts';
import { type Operation, operation } from './operation.ts';
import * as schemas from './schemas.ts';

interface Ports {
  db: Database;
  poolId: string;
  adminKey: string;
  users: UserRepository;
}

/** The operations of the installation's other servers. Amazon signs such calls; here they bear a key. */
export function adminOperations({ db, poolId, adminKey, users }: Ports): Record<string, Operation> {
  function checkKey(given: string | undefined): void {
    if (given === undefined) throw faults.keyMissing();
    if (!equalBytes(hash(given), hash(adminKey))) throw faults.keyUnknown();
  }

  const adminDeleteUser = operation(schemas.adminDeleteUser, async ({ UserPoolId, Username }) => {
    if (UserPoolId !== poolId) throw faults.poolNamedUnknown(UserPoolId);
    await db.transaction().execute(async (tx) => {
      const [person, ...others] = await adminRepository.named(tx, nameOf(Username));
      if (!person || others.length > 0) throw faults.userGone();
      await users.erase(tx, person);
    });
    return {};
  });

  return {
    AdminDeleteUser: async (body, caller) => {
      checkKey(caller.key);
      return adminDeleteUser(body, caller);
    },
  };
}
