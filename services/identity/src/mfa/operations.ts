import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { cognitoErrors } from '../errors.ts';
import { createOperation, type Operation, requireParameter } from '../protocol/operation.ts';
import * as schemas from '../protocol/schemas.ts';
import type { OwnerLookup } from '../protocol/user-operations.ts';
import type { SessionService, SignInResult } from '../sessions/service.ts';
import type { ChallengeResponse } from '../sign-in/challenge-session.ts';
import type { MfaChallengeService } from './challenge-service.ts';
import type { MfaService } from './service.ts';

interface MfaOperationDeps {
  getOwner: OwnerLookup;
  mfa: MfaService;
  challenges: MfaChallengeService;
}

/**
 * Creates the operations by which users set up second factors: Cognito's, and `CreateRecoveryCodes` and
 * `GetRecoveryCodes`, which Cognito does not have.
 */
export function createMfaOperations({
  getOwner,
  mfa,
  challenges,
}: MfaOperationDeps): Record<string, Operation> {
  return {
    AssociateSoftwareToken: createOperation(schemas.associateSoftwareToken, async (input) => {
      if (input.AccessToken == null) {
        const setup = await challenges.associateInSetup(requireParameter(input, 'Session'));
        return { SecretCode: setup.secret, Session: setup.session };
      }
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      return { SecretCode: await mfa.associateSoftwareToken(user) };
    }),

    VerifySoftwareToken: createOperation(schemas.verifySoftwareToken, async (input, caller) => {
      const proof = { code: input.UserCode, deviceName: input.FriendlyDeviceName ?? undefined };
      if (input.AccessToken == null) {
        const session = await challenges.verifyInSetup(requireParameter(input, 'Session'), proof, caller);
        return { Status: 'SUCCESS', Session: session };
      }
      const { user } = await getOwner(input.AccessToken, { isSensitive: true });
      await mfa.verifySoftwareToken(user, proof, caller, { enable: false });
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

type ChallengeInput = z.infer<typeof schemas.respondToAuthChallenge>;
type ChallengeHandler = (input: ChallengeInput, caller: Caller) => Promise<SignInResult | ChallengeResponse>;

/** Creates the handlers of the challenges that follow a first factor. */
export function createMfaChallengeHandlers({
  sessions,
  challenges,
}: {
  sessions: SessionService;
  challenges: MfaChallengeService;
}): Record<string, ChallengeHandler> {
  const read = ({ Session, ChallengeResponses }: ChallengeInput, answerName: string) => ({
    session: requireParameter({ Session }, 'Session'),
    username: requireParameter(ChallengeResponses, 'USERNAME'),
    answer: requireParameter(ChallengeResponses, answerName),
  });
  return {
    SOFTWARE_TOKEN_MFA: async (input, caller) =>
      challenges.signInWithCode(
        read(input, 'SOFTWARE_TOKEN_MFA_CODE'),
        caller,
        sessions.createSignIn(caller),
      ),
    EMAIL_OTP: async (input, caller) =>
      challenges.signInWithMailedCode(read(input, 'EMAIL_OTP_CODE'), caller, sessions.createSignIn(caller)),
    SELECT_MFA_TYPE: async (input, caller) => challenges.selectMethod(read(input, 'ANSWER'), caller),
    MFA_SETUP: async (input, caller) =>
      challenges.completeSetup(read(input, 'USERNAME'), sessions.createSignIn(caller)),
  };
}
