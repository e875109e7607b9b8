import { setAuditSource } from '@escucho/audit';
import { isEqualInConstantTime } from '@escucho/service-kit';
import type { Database } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import type { IdentityOptions } from '../options.ts';
import type { AccountService, OwnerLookup } from '../users/account-service.ts';
import { normalizeUsername } from '../users/policy.ts';
import { toCodeDelivery } from '../users/presenter.ts';
import type { UserRepository } from '../users/repository.ts';
import type { UserService } from '../users/service.ts';
import {
  type ConcurrencyLimiter,
  createClientOperations,
  createOperation,
  type Operation,
} from './operation.ts';
import * as schemas from './schemas.ts';

interface SignUpOperationDeps {
  clientId: string;
  users: UserService;
  limitConcurrency: ConcurrencyLimiter;
}

/** Creates the operations that need no session: sign-up, confirmation and password recovery. */
export function createSignUpOperations(deps: SignUpOperationDeps): Record<string, Operation> {
  const { clientId, users, limitConcurrency } = deps;
  const clientOperation = createClientOperations(clientId);
  return {
    SignUp: clientOperation(schemas.signUp, async (input, caller) => {
      const attributes = input.UserAttributes ?? [];
      const user = { username: input.Username, password: input.Password, attributes };
      const { id, email } = await limitConcurrency(() => users.signUp(user, caller));
      return { UserConfirmed: false, UserSub: id, ...toCodeDelivery(email) };
    }),

    ConfirmSignUp: clientOperation(schemas.confirmSignUp, async (input, caller) => {
      await users.confirmSignUp(input.Username, input.ConfirmationCode, caller);
      return {};
    }),

    ResendConfirmationCode: clientOperation(schemas.username, async (input, caller) =>
      toCodeDelivery(await users.resendConfirmationCode(input.Username, caller)),
    ),

    ForgotPassword: clientOperation(schemas.username, async (input, caller) =>
      toCodeDelivery(await users.forgotPassword(input.Username, caller)),
    ),

    ConfirmForgotPassword: clientOperation(schemas.confirmForgotPassword, async (input, caller) => {
      const { Username: username, ConfirmationCode: code, Password: password } = input;
      await limitConcurrency(() => users.confirmForgotPassword({ username, code, password }, caller));
      return {};
    }),
  };
}

interface AccountOperationDeps {
  getOwner: OwnerLookup;
  account: AccountService;
  limitConcurrency: ConcurrencyLimiter;
  deleteUserData: IdentityOptions['deleteUserData'];
}

/** Creates the operations by which signed-in users change and delete their own account. */
export function createAccountOperations(deps: AccountOperationDeps): Record<string, Operation> {
  const { getOwner, account, limitConcurrency, deleteUserData } = deps;

  return {
    ChangePassword: createOperation(schemas.changePassword, async (input, caller) => {
      const owner = await getOwner(input.AccessToken);
      const passwords = { previous: input.PreviousPassword, proposed: input.ProposedPassword };
      await limitConcurrency(() => account.changePassword(owner, passwords, caller));
      return {};
    }),

    UpdateUserAttributes: createOperation(schemas.updateUserAttributes, async (input, caller) => {
      const isSensitive = input.UserAttributes.some(({ Name }) => Name === 'email');
      const owner = await getOwner(input.AccessToken, { isSensitive });
      const email = await account.updateAttributes(owner, input.UserAttributes, caller);
      const deliveries = email === undefined ? [] : [toCodeDelivery(email).CodeDeliveryDetails];
      return { CodeDeliveryDetailsList: deliveries };
    }),

    GetUserAttributeVerificationCode: createOperation(schemas.attribute, async (input, caller) => {
      const owner = await getOwner(input.AccessToken);
      return toCodeDelivery(await account.resendVerificationCode(owner, input.AttributeName, caller));
    }),

    VerifyUserAttribute: createOperation(schemas.verifyUserAttribute, async (input, caller) => {
      const owner = await getOwner(input.AccessToken, { isSensitive: true });
      await account.verifyAttribute(owner, input.AttributeName, input.Code, caller);
      return {};
    }),

    DeleteUser: createOperation(schemas.accessToken, async ({ AccessToken }) => {
      const owner = await getOwner(AccessToken, { isSensitive: true });
      await deleteUserData?.(AccessToken);
      await account.deleteAccount(owner);
      return {};
    }),
  };
}

interface AdminOperationDeps {
  db: Database;
  poolId: string;
  adminKey: string;
  users: UserRepository;
}

/** Creates the operations of the installation's other servers. AWS requires SigV4 here; we require a bearer key. */
export function createAdminOperations(deps: AdminOperationDeps): Record<string, Operation> {
  const { db, poolId, adminKey, users } = deps;

  function checkAdminKey(key: string | undefined): void {
    if (key === undefined) throw cognitoErrors.adminKeyMissing();
    if (!isEqualInConstantTime(key, adminKey)) throw cognitoErrors.adminKeyInvalid();
    setAuditSource('admin', 'identity key');
  }

  const adminDeleteUser = createOperation(schemas.adminDeleteUser, async ({ UserPoolId, Username }) => {
    if (UserPoolId !== poolId) throw cognitoErrors.poolNotFound(UserPoolId);
    await db.transaction().execute(async (tx) => {
      const [user, ...others] = await users.findByName(tx, normalizeUsername(Username));
      if (!user || others.length > 0) throw cognitoErrors.userNotFound();
      await users.deleteUser(tx, user.id);
    });
    return {};
  });

  return {
    AdminDeleteUser: async (body, caller) => {
      checkAdminKey(caller.bearer);
      return adminDeleteUser(body, caller);
    },
  };
}
