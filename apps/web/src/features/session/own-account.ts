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
import { renewal } from './renewal.ts';
import { refreshProfile } from './runner.ts';
import { idToken } from './tokens.ts';

async function client() {
  const [functions] = await Promise.all([import('./amplify/own-account.ts'), renewal()]);
  return functions;
}

/** Sets a new password by the one before. Rejects with the provider's error. */
export async function changePassword({ current, password }: ChangePasswordForm): Promise<void> {
  await (await client()).updatePassword({ oldPassword: current, newPassword: password });
}

/** Asks for another address: a code goes there. */
export async function askForEmail(email: string): Promise<void> {
  await (await client()).updateUserAttributes({ userAttributes: { email } });
}

/** Sends the code for the new address again. */
export async function resendEmailCode(): Promise<void> {
  await (await client()).sendUserAttributeVerificationCode({ userAttributeKey: 'email' });
}

/** Proves the new address by its code; the portal learns of it at once. */
export async function confirmEmail(code: string): Promise<void> {
  const { confirmUserAttribute, renewByForce } = await client();
  await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: code });
  await renewByForce();
  const token = idToken();
  if (token) await call(api.auth.signInCognito, { body: { idToken: token } });
  await refreshProfile();
}

const sessionsAt = async () => ({ base: (await loadConfig()).identity.endpoint });

/** Where the reader is signed in, last used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }): Promise<readonly Session[]> => {
    const { docs } = await call(identityApi.sessions.listSessions, {}, { ...(await sessionsAt()), signal });
    return docs;
  },
});

/** Signs out where a session is. */
export const endSessionOf = async (id: string) =>
  call(identityApi.sessions.revokeSession, { params: { id } }, await sessionsAt());

/** Signs out everywhere but here. */
export const endOtherSessions = async () =>
  call(identityApi.sessions.revokeOtherSessions, {}, await sessionsAt());

/** Everything that is kept of the reader. */
export const fetchRecords = (): Promise<ResponseBody<typeof api.account.exportAccount>> =>
  call(api.account.exportAccount, {});

/** Erases the account everywhere. Resolves once that cannot be undone and the reader is out. */
export async function eraseAccount(): Promise<void> {
  await call(api.account.deleteAccount, {});
}
