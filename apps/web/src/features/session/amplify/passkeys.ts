import type { PublicConfig } from '@escucho/contracts';
import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import { callIdentity, storeTokens } from './client.ts';

export { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser';

// The identity client cannot sign in without a user name, offer passkeys in the browser's autofill, or name a passkey.

const challenge = z.object({
  Session: z.string(),
  ChallengeParameters: z.object({ CREDENTIAL_REQUEST_OPTIONS: z.string() }),
});
const signInResult = z.object({
  AuthenticationResult: z.object({ AccessToken: z.string(), IdToken: z.string(), RefreshToken: z.string() }),
});
const creation = z.object({
  CredentialCreationOptions: z.looseObject({
    challenge: z.string(),
    rp: z.looseObject({ name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  }),
});

/**
 * Signs in with a passkey that the user selects, and stores the tokens. Rejects with the provider's or the browser's error.
 *
 * @param autofill until when the browser offers the passkeys in its autofill; it shows a dialog without
 * @param onSelected called once the user has selected a passkey
 */
export async function signInWithPasskey(
  config: PublicConfig,
  autofill?: AbortSignal,
  onSelected?: () => void,
): Promise<void> {
  const { endpoint, clientId: ClientId } = config.identity;
  const { Session, ChallengeParameters } = challenge.parse(
    await callIdentity(endpoint, 'InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { PREFERRED_CHALLENGE: 'WEB_AUTHN' },
    }),
  );
  autofill?.throwIfAborted();
  autofill?.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony());
  const credential = await startAuthentication({
    optionsJSON: JSON.parse(ChallengeParameters.CREDENTIAL_REQUEST_OPTIONS),
    useBrowserAutofill: autofill !== undefined,
  });
  onSelected?.();
  const { AuthenticationResult } = signInResult.parse(
    await callIdentity(endpoint, 'RespondToAuthChallenge', {
      ClientId,
      Session,
      ChallengeName: 'WEB_AUTHN',
      ChallengeResponses: { CREDENTIAL: JSON.stringify(credential) },
    }),
  );
  const { AccessToken: access, IdToken: id, RefreshToken: refresh } = AuthenticationResult;
  await storeTokens(config, { access, id, refresh });
}

/**
 * Creates a passkey with a name.
 *
 * @param callAsUser calls an operation of the identity provider for the signed-in user
 */
export async function registerPasskey(
  callAsUser: (operation: string, input?: object) => Promise<unknown>,
  name: string,
): Promise<void> {
  const { CredentialCreationOptions } = creation.parse(await callAsUser('StartWebAuthnRegistration'));
  const Credential = await startRegistration({ optionsJSON: CredentialCreationOptions });
  await callAsUser('CompleteWebAuthnRegistration', { Credential, FriendlyCredentialName: name });
}
