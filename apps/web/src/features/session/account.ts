import {
  api,
  type ChangePasswordForm,
  identityApi,
  type ResponseBody,
  type Session,
} from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';
import { withReauthentication } from './reauthentication.ts';
import { refreshProfile } from './session.ts';
import { forceTokenRefresh, getIdToken, importUserCode } from './tokens.ts';

const loadClient = importUserCode(() => import('./amplify/account.ts'));

/** Changes the password. Rejects with the provider's error. */
export async function changePassword({ current, password }: ChangePasswordForm): Promise<void> {
  await (await loadClient()).updatePassword({ oldPassword: current, newPassword: password });
}

/** Sends a verification code to a new e-mail address. */
export async function requestEmailChange(email: string): Promise<void> {
  const { updateUserAttributes } = await loadClient();
  await withReauthentication(() => updateUserAttributes({ userAttributes: { email } }));
}

/** Sends the verification code again. */
export async function resendEmailCode(): Promise<void> {
  await (await loadClient()).sendUserAttributeVerificationCode({ userAttributeKey: 'email' });
}

/** Updates the e-mail address at the portal to that of the identity provider. */
async function updatePortalEmail(): Promise<void> {
  await forceTokenRefresh();
  const idToken = getIdToken();
  if (idToken) await call(api.auth.signInCognito, { body: { idToken } });
  await refreshProfile();
}

/** Confirms the new e-mail address by its code, and updates it at the portal. */
export async function confirmEmailChange(code: string): Promise<void> {
  const { confirmUserAttribute } = await loadClient();
  await withReauthentication(() =>
    confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: code }),
  );
  // The address has changed, and the code cannot be used again: after a failure, the next visit updates the portal.
  await updatePortalEmail().catch(() => undefined);
}

const getSessionsBase = async () => ({ base: (await loadConfig()).identity.endpoint });

/** The devices on which the user is signed in, most recently used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }): Promise<readonly Session[]> => {
    const { docs } = await call(identityApi.listSessions, {}, { ...(await getSessionsBase()), signal });
    return docs;
  },
  // Other devices sign in and out at any time.
  staleTime: 0,
});

/** Signs out one device. */
export const revokeSession = async (id: string) =>
  call(identityApi.revokeSession, { params: { id } }, await getSessionsBase());

/** Signs out all other devices. */
export const revokeOtherSessions = async () =>
  withReauthentication(async () => call(identityApi.revokeOtherSessions, {}, await getSessionsBase()));

/** Fetches all stored data of the user. */
export const fetchDataExport = (): Promise<ResponseBody<typeof api.account.exportAccount>> =>
  withReauthentication(() => call(api.account.exportAccount, {}));

/** Deletes the account. */
export async function deleteAccount(): Promise<void> {
  await withReauthentication(() => call(api.account.deleteAccount, {}));
}
