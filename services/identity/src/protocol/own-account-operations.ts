import type { Sessions } from '../sessions/service.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { OwnAccount, Owner } from '../users/own-account.ts';
import { codeDelivery } from '../users/presenter.ts';
import type { Gate } from './gate.ts';
import { type Operation, operation } from './operation.ts';
import * as schemas from './schemas.ts';

interface Ports {
  sessions: Sessions;
  tokens: Tokens;
  ownAccount: OwnAccount;
  gate: Gate;
}

/** The operations by which somebody signed in changes their own account. */
export function ownAccountOperations(ports: Ports): Record<string, Operation> {
  const { sessions, tokens, ownAccount, gate } = ports;

  async function ownerOf(accessToken: string): Promise<Owner> {
    const claims = await tokens.readAccessToken(accessToken);
    return { person: await sessions.ownerOf(claims), sessionId: claims.origin_jti };
  }

  return {
    ChangePassword: operation(schemas.changePassword, async (input, caller) => {
      const owner = await ownerOf(input.AccessToken);
      const passwords = { previous: input.PreviousPassword, proposed: input.ProposedPassword };
      await gate(() => ownAccount.changePassword(owner, passwords, caller));
      return {};
    }),

    UpdateUserAttributes: operation(schemas.updateUserAttributes, async (input, caller) => {
      const owner = await ownerOf(input.AccessToken);
      const sentTo = await ownAccount.update(owner, input.UserAttributes, caller);
      const deliveries = sentTo === undefined ? [] : [codeDelivery(sentTo).CodeDeliveryDetails];
      return { CodeDeliveryDetailsList: deliveries };
    }),

    GetUserAttributeVerificationCode: operation(schemas.forAttribute, async (input, caller) => {
      const owner = await ownerOf(input.AccessToken);
      return codeDelivery(await ownAccount.resendCode(owner, input.AttributeName, caller));
    }),

    VerifyUserAttribute: operation(schemas.verifyUserAttribute, async (input, caller) => {
      await ownAccount.verify(await ownerOf(input.AccessToken), input.AttributeName, input.Code, caller);
      return {};
    }),

    DeleteUser: operation(schemas.forAccessToken, async (input) => {
      await ownAccount.erase(await ownerOf(input.AccessToken));
      return {};
    }),
  };
}
