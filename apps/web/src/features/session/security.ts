import { api } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError, call } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';
import { lazyImport } from '#shared/lazy.ts';
import { withReauthentication } from './reauthentication.ts';
import { getBearerToken, importUserCode, loadIdentityClient } from './tokens.ts';

const loadClient = importUserCode(() => import('./amplify/account.ts'));
const importPasskeys = lazyImport(() => import('./amplify/passkeys.ts'));

const createdCodes = z.object({ RecoveryCodes: z.array(z.string()) });
const remainingCodes = z.object({ RemainingCount: z.number() });
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

/** Calls an operation that the identity client does not have, for the signed-in user. */
async function callAsUser(operation: string, input: object = {}): Promise<unknown> {
  const [client, config, token] = await Promise.all([loadIdentityClient(), loadConfig(), getBearerToken()]);
  if (!token) throw new ApiError('unauthorized', 401);
  return client.callIdentity(config.identity.endpoint, operation, { AccessToken: token, ...input });
}

/** The queries of the security settings: a change of one of them also adds an event. */
export const securityQueries = { queryKey: ['security'] };

/** Whether sign-in asks for the code of an authenticator app. */
export const authenticatorQuery = queryOptions({
  queryKey: ['security', 'authenticator'],
  queryFn: async (): Promise<{ isOn: boolean }> => {
    const { enabled } = await (await loadClient()).fetchMFAPreference();
    return { isOn: enabled?.includes('TOTP') === true };
  },
});

/** Creates the key of an authenticator app, which is used once a code of it is confirmed. */
export async function createAuthenticatorKey(): Promise<string> {
  const { setUpTOTP } = await loadClient();
  return withReauthentication(async () => (await setUpTOTP()).sharedSecret);
}

/** Turns the authenticator app on by a code of it. */
export async function turnOnAuthenticator(code: string): Promise<void> {
  const { updateMFAPreference, verifyTOTPSetup } = await loadClient();
  await withReauthentication(() => verifyTOTPSetup({ code }));
  await withReauthentication(() => updateMFAPreference({ totp: 'PREFERRED' }));
}

/** Turns the authenticator app off. */
export async function turnOffAuthenticator(): Promise<void> {
  const { updateMFAPreference } = await loadClient();
  await withReauthentication(() => updateMFAPreference({ totp: 'DISABLED' }));
}

/** The number of unused recovery codes. Only the embedded provider has any. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['security', 'recovery-codes'],
  queryFn: async () => remainingCodes.parse(await callAsUser('GetRecoveryCodes')).RemainingCount,
});

/** Creates a set of recovery codes, which replaces the previous one and is readable only now. */
export const createRecoveryCodes = (): Promise<readonly string[]> =>
  withReauthentication(async () => createdCodes.parse(await callAsUser('CreateRecoveryCodes')).RecoveryCodes);

/** The user's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ['security', 'passkeys'],
  queryFn: async () => credentialList.parse(await callAsUser('ListWebAuthnCredentials')).Credentials,
});

/** Creates a passkey with a name. */
export async function addPasskey(name: string): Promise<void> {
  const { registerPasskey } = await importPasskeys();
  await withReauthentication(() => registerPasskey(callAsUser, name));
}

/** Deletes a passkey. */
export async function removePasskey(id: string): Promise<void> {
  await withReauthentication(() => callAsUser('DeleteWebAuthnCredential', { CredentialId: id }));
}

const EVENTS_PAGE_SIZE = 10;

/** The events of the user's account, newest first. */
export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ['security', 'events'],
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: EVENTS_PAGE_SIZE, ...(pageParam && { after: pageParam }) };
    return (await call(api.account.findSecurityEvents, { query }, { signal })).docs;
  },
  initialPageParam: '',
  getNextPageParam: (page) => (page.length < EVENTS_PAGE_SIZE ? undefined : page.at(-1)?.id),
  // Other pages and devices add events at any time.
  staleTime: 0,
});
