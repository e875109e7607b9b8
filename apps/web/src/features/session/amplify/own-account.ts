import { fetchAuthSession } from 'aws-amplify/auth';

export {
  confirmUserAttribute,
  sendUserAttributeVerificationCode,
  updatePassword,
  updateUserAttributes,
} from 'aws-amplify/auth';

/** Fetches tokens that say what is true now. */
export async function renewByForce(): Promise<void> {
  await fetchAuthSession({ forceRefresh: true });
}
