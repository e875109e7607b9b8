import { codeDelivery } from '../users/presenter.ts';
import type { Users } from '../users/service.ts';
import type { Gate } from './gate.ts';
import { clientOperation, type Operation } from './operation.ts';
import * as schemas from './schemas.ts';

interface Ports {
  clientId: string;
  users: Users;
  gate: Gate;
}

/** The operations of who has no session yet: an account, its code, a new password. */
export function accountOperations({ clientId, users, gate }: Ports): Record<string, Operation> {
  return {
    SignUp: clientOperation(clientId, schemas.signUp, async (input, caller) => {
      const attributes = input.UserAttributes ?? [];
      const newcomer = { username: input.Username, password: input.Password, attributes };
      const { id, email } = await gate(() => users.signUp(newcomer, caller));
      return { UserConfirmed: false, UserSub: id, ...codeDelivery(email) };
    }),

    ConfirmSignUp: clientOperation(clientId, schemas.confirmSignUp, async (input) => {
      await users.confirmSignUp(input.Username, input.ConfirmationCode);
      return {};
    }),

    ResendConfirmationCode: clientOperation(clientId, schemas.forUsername, async (input, caller) =>
      codeDelivery(await users.resendCode(input.Username, caller)),
    ),

    ForgotPassword: clientOperation(clientId, schemas.forUsername, async (input, caller) =>
      codeDelivery(await users.forgotPassword(input.Username, caller)),
    ),

    ConfirmForgotPassword: clientOperation(clientId, schemas.confirmForgotPassword, async (input) => {
      await gate(() => users.confirmForgotPassword(input.Username, input.ConfirmationCode, input.Password));
      return {};
    }),
  };
}
