import { api } from '@escucho/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';
import { lazyImport } from '#shared/lazy.ts';
import type { Passkey } from './amplify/passkeys.ts';
import { withReauthentication } from './reauthentication.ts';
import { getBearerToken, importUserCode } from './tokens.ts';

export type { Passkey };

const loadSecondFactors = importUserCode(() => import('./amplify/second-factors.ts'));

const loadPasskeys = lazyImport(() => import('./amplify/passkeys.ts'));

/** Returns the identity provider's endpoint with an access token that has not expired. */
async function getAccess(): Promise<[endpoint: string, accessToken: string]> {
  const [{ identity }, token] = await Promise.all([loadConfig(), getBearerToken()]);
  if (!token) throw new ApiError('unauthorized', 401);
  return [identity.endpoint, token];
}

/** The queries of the security settings: a change of one of them also adds an event. */
export const securityQueries = { queryKey: ['security'] };

/** Whether sign-in asks for the code of an authenticator app. */
export const authenticatorQuery = queryOptions({
  queryKey: ['security', 'authenticator'],
  queryFn: async (): Promise<{ isOn: boolean }> => {
    const { enabled } = await (await loadSecondFactors()).fetchMFAPreference();
    return { isOn: enabled?.includes('TOTP') === true };
  },
});

/** Creates the key of an authenticator app, which is used once a code of it is confirmed. */
export async function createAuthenticatorKey(): Promise<string> {
  const { setUpTOTP } = await loadSecondFactors();
  return withReauthentication(async () => (await setUpTOTP()).sharedSecret);
}

/** Turns the authenticator app on by a code of it. */
export async function turnOnAuthenticator(code: string): Promise<void> {
  const { updateMFAPreference, verifyTOTPSetup } = await loadSecondFactors();
  await withReauthentication(() => verifyTOTPSetup({ code }));
  await withReauthentication(() => updateMFAPreference({ totp: 'PREFERRED' }));
}

/** Turns the authenticator app off. */
export async function turnOffAuthenticator(): Promise<void> {
  const { updateMFAPreference } = await loadSecondFactors();
  await withReauthentication(() => updateMFAPreference({ totp: 'DISABLED' }));
}

/** The number of unused recovery codes. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['security', 'recovery-codes'],
  queryFn: async (): Promise<number> =>
    (await loadSecondFactors()).countRecoveryCodes(...(await getAccess())),
});

/** Creates a set of recovery codes, which replaces the previous one and is readable only now. */
export async function createRecoveryCodes(): Promise<readonly string[]> {
  const { createRecoveryCodes } = await loadSecondFactors();
  return withReauthentication(async () => createRecoveryCodes(...(await getAccess())));
}

/** The user's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ['security', 'passkeys'],
  queryFn: async () => (await loadPasskeys()).fetchPasskeys(...(await getAccess())),
});

/** Creates a passkey with a name. */
export async function addPasskey(name: string): Promise<void> {
  const { registerPasskey } = await loadPasskeys();
  await withReauthentication(async () => registerPasskey(...(await getAccess()), name));
}

/** Deletes a passkey. */
export async function removePasskey(id: string): Promise<void> {
  const { deletePasskey } = await loadPasskeys();
  await withReauthentication(async () => deletePasskey(...(await getAccess()), id));
}

const EVENTS_PAGE_SIZE = 10;

/** The events of the user's account, newest first. */
export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ['security', 'events'],
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: EVENTS_PAGE_SIZE, ...(pageParam && { after: pageParam }) };
    return (await call(api.securityEvents.findSecurityEvents, { query }, { signal })).docs;
  },
  initialPageParam: '',
  getNextPageParam: (page) => (page.length < EVENTS_PAGE_SIZE ? undefined : page.at(-1)?.id),
  // Other pages and devices add events at any time.
  staleTime: 0,
});
