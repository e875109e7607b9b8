import { fetchAuthSession } from 'aws-amplify/auth';

export {
  confirmUserAttribute,
  sendUserAttributeVerificationCode,
  updatePassword,
  updateUserAttributes,
} from 'aws-amplify/auth';

/** Renews the tokens although they have not expired, so that their claims are up to date. */
export async function renewTokensNow(): Promise<void> {
  await fetchAuthSession({ forceRefresh: true });
}
