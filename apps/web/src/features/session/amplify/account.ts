import { fetchAuthSession } from 'aws-amplify/auth';

export {
  confirmUserAttribute,
  sendUserAttributeVerificationCode,
  updatePassword,
  updateUserAttributes,
} from 'aws-amplify/auth';

/** Refreshes the tokens although they have not expired, so that their claims are up to date. */
export async function forceTokenRefresh(): Promise<void> {
  await fetchAuthSession({ forceRefresh: true });
}
