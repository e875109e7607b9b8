import * as z from 'zod/mini';
import { cognitoErrors } from '../errors.ts';
import type { MfaService } from '../mfa/service.ts';
import { attestationResponse, type RelyingParty } from '../passkeys/policy.ts';
import type { Passkey } from '../passkeys/repository.ts';
import type { PasskeyService } from '../passkeys/service.ts';
import type { OwnerLookup } from '../users/account-service.ts';
import { createOperation, type Operation } from './operation.ts';
import * as schemas from './schemas.ts';

interface MfaOperationDeps {
  getOwner: OwnerLookup;
  mfa: MfaService;
}

/**
 * Creates the operations by which users set up second factors: Cognito's, and `CreateRecoveryCodes` and
 * `GetRecoveryCodes`, which Cognito does not have.
 */
export function createMfaOperations({ getOwner, mfa }: MfaOperationDeps): Record<string, Operation> {
  return {
    AssociateSoftwareToken: createOperation(schemas.accessToken, async (input) => {
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      return { SecretCode: await mfa.associateSoftwareToken(user) };
    }),

    VerifySoftwareToken: createOperation(schemas.verifySoftwareToken, async (input, caller) => {
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      await mfa.verifySoftwareToken(user, input.UserCode, caller);
      return { Status: 'SUCCESS' };
    }),

    SetUserMFAPreference: createOperation(schemas.setUserMfaPreference, async (input, caller) => {
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      if (input.SMSMfaSettings?.Enabled) throw cognitoErrors.smsNotSupported();
      const changes = {
        ...(input.SoftwareTokenMfaSettings && { SOFTWARE_TOKEN_MFA: input.SoftwareTokenMfaSettings }),
        ...(input.EmailMfaSettings && { EMAIL_OTP: input.EmailMfaSettings }),
      };
      await mfa.setPreference(user, changes, caller);
      return {};
    }),

    CreateRecoveryCodes: createOperation(schemas.accessToken, async (input, caller) => {
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      return { RecoveryCodes: await mfa.createRecoveryCodes(user, caller) };
    }),

    GetRecoveryCodes: createOperation(schemas.accessToken, async (input) => {
      const { user } = await getOwner(input.AccessToken);
      return { RemainingCount: await mfa.countRecoveryCodes(user.id) };
    }),
  };
}

interface PasskeyOperationDeps {
  getOwner: OwnerLookup;
  passkeys: PasskeyService;
  relyingParty: RelyingParty;
}

const completeRegistration = z.object({
  ...schemas.accessToken.shape,
  Credential: attestationResponse,
  /** An extension of Cognito's protocol: how the user calls the passkey. */
  FriendlyCredentialName: z.nullish(z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]{0,100}$/u))),
});
const credentialId = z.object({
  ...schemas.accessToken.shape,
  CredentialId: z.string().check(z.minLength(1), z.maxLength(2048), z.regex(/^[\w-]+$/)),
});

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

const toDescription = (
  { id, name, attachment, transports, createdAt, lastUsedAt }: Passkey,
  rpId: string,
) => ({
  CredentialId: id,
  FriendlyCredentialName: name,
  RelyingPartyId: rpId,
  ...(attachment !== null && { AuthenticatorAttachment: attachment }),
  AuthenticatorTransports: transports,
  CreatedAt: toSeconds(createdAt),
  // An extension: Cognito does not report when a passkey was used.
  ...(lastUsedAt !== null && { LastUsedAt: toSeconds(lastUsedAt) }),
});

/** Creates the operations by which users register, list and delete passkeys. */
export function createPasskeyOperations(deps: PasskeyOperationDeps): Record<string, Operation> {
  const { getOwner, passkeys, relyingParty } = deps;
  return {
    StartWebAuthnRegistration: createOperation(schemas.accessToken, async (input) => {
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      return { CredentialCreationOptions: await passkeys.startRegistration(user) };
    }),

    CompleteWebAuthnRegistration: createOperation(completeRegistration, async (input, caller) => {
      const owner = await getOwner(input.AccessToken);
      const requestedName = input.FriendlyCredentialName ?? undefined;
      await passkeys.completeRegistration(owner, input.Credential, { requestedName, caller });
      return {};
    }),

    // A user has at most as many passkeys as a page of Cognito's list, so there is never a NextToken.
    ListWebAuthnCredentials: createOperation(schemas.accessToken, async (input) => {
      const { user } = await getOwner(input.AccessToken);
      const list = await passkeys.listPasskeys(user.id);
      return { Credentials: list.map((passkey) => toDescription(passkey, relyingParty.id)) };
    }),

    DeleteWebAuthnCredential: createOperation(credentialId, async (input, caller) => {
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      await passkeys.deletePasskey(user, input.CredentialId, caller);
      return {};
    }),
  };
}
