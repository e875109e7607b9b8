import type { Guests } from '../guests/service.ts';
import { type Operation, operation } from './operation.ts';
import * as schemas from './schemas.ts';

/** The operations of an identity pool, which is a service of its own in AWS and shares our address. */
export function identityPoolOperations(guests: Guests): Record<string, Operation> {
  return {
    GetId: operation(schemas.getId, async (input) => ({
      IdentityId: await guests.identityOf(input.IdentityPoolId, input.Logins),
    })),

    GetCredentialsForIdentity: operation(schemas.getCredentialsForIdentity, async (input) => ({
      IdentityId: input.IdentityId,
      Credentials: await guests.credentialsFor(input.IdentityId, input.Logins),
    })),
  };
}
