import { api, type ChangePasswordForm, identityApi, type Session } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { create } from 'zustand';
import { call } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';
import { withReauthentication } from './reauthentication.ts';
import { getUser, updatePortalProfile, useSession } from './session.ts';
import { forceTokenRefresh, importUserCode } from './tokens.ts';

const loadClient = importUserCode(() => import('./amplify/account.ts'));

interface EmailChange {
  userId: string | undefined;
  newEmail: string;
  /** When the code expires, in milliseconds since the epoch. */
  expiresAt: number;
}

/** How long Cognito and the embedded identity provider accept the code. */
const CODE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The change of the e-mail address whose code is not entered yet; it outlives its dialog, but not the page. */
const useEmailChange = create<{ change: EmailChange | null }>(() => ({ change: null }));

const startEmailChange = (newEmail: string): void =>
  useEmailChange.setState({
    change: { userId: getUser()?._id, newEmail, expiresAt: Date.now() + CODE_LIFETIME_MS },
  });

/** Forgets the change of the e-mail address, after which another one can be requested. */
export const endEmailChange = (): void => useEmailChange.setState({ change: null });

/** Returns the address to which this user was sent a code that is still valid, or null. */
export function usePendingEmail(): string | null {
  const { user } = useSession();
  const change = useEmailChange((state) => state.change);
  return change && change.userId === user?._id && Date.now() < change.expiresAt ? change.newEmail : null;
}

/** Changes the password, which also cancels a change of the e-mail address. Rejects with the provider's error. */
export async function changePassword({ current, password }: ChangePasswordForm): Promise<void> {
  await (await loadClient()).updatePassword({ oldPassword: current, newPassword: password });
  endEmailChange();
}

/** Sends a verification code to a new e-mail address. */
export async function requestEmailChange(email: string): Promise<void> {
  const { updateUserAttributes } = await loadClient();
  await withReauthentication(() => updateUserAttributes({ userAttributes: { email } }));
  startEmailChange(email);
}

/** Sends another verification code to the new e-mail address. */
export async function resendEmailCode(email: string): Promise<void> {
  await (await loadClient()).sendUserAttributeVerificationCode({ userAttributeKey: 'email' });
  startEmailChange(email);
}

/** Confirms the new e-mail address by its code, and updates it at the portal. */
export async function confirmEmailChange(code: string): Promise<void> {
  const { confirmUserAttribute } = await loadClient();
  await withReauthentication(() =>
    confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: code }),
  );
  // The address has changed, and the code cannot be used again: after a failure, the next visit updates the portal.
  await forceTokenRefresh()
    .then(updatePortalProfile)
    .catch(() => undefined);
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
export const fetchDataExport = () => withReauthentication(() => call(api.account.exportAccount, {}));

/** Deletes the account. */
export async function deleteAccount(): Promise<void> {
  await withReauthentication(() => call(api.account.deleteAccount, {}));
}
