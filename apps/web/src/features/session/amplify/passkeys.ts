import type { PublicConfig } from '@escucho/contracts';
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import { callIdentity, storeTokens } from './client.ts';

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
const credentialList = z.object({
  Credentials: z.array(
    z.object({
      CredentialId: z.string(),
      FriendlyCredentialName: z.string(),
      CreatedAt: z.number(),
      LastUsedAt: z.nullish(z.number()),
    }),
  ),
});

/** A passkey of the user. Times in seconds since the epoch. */
export type Passkey = z.infer<typeof credentialList>['Credentials'][number];

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

/** Returns whether the browser can offer passkeys in its autofill. */
export const supportsAutofill = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Creates a passkey with a name. */
export async function registerPasskey(endpoint: string, AccessToken: string, name: string): Promise<void> {
  const { CredentialCreationOptions } = creation.parse(
    await callIdentity(endpoint, 'StartWebAuthnRegistration', { AccessToken }),
  );
  const Credential = await startRegistration({ optionsJSON: CredentialCreationOptions });
  await callIdentity(endpoint, 'CompleteWebAuthnRegistration', {
    AccessToken,
    Credential,
    FriendlyCredentialName: name,
  });
}

/** Fetches the user's passkeys. */
export async function fetchPasskeys(endpoint: string, AccessToken: string): Promise<readonly Passkey[]> {
  return credentialList.parse(await callIdentity(endpoint, 'ListWebAuthnCredentials', { AccessToken }))
    .Credentials;
}

/** Deletes a passkey. */
export async function deletePasskey(endpoint: string, AccessToken: string, id: string): Promise<void> {
  await callIdentity(endpoint, 'DeleteWebAuthnCredential', { AccessToken, CredentialId: id });
}
