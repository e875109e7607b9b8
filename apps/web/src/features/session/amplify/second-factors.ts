import * as z from 'zod/mini';
import { callIdentity } from './client.ts';

export { fetchMFAPreference, setUpTOTP, updateMFAPreference, verifyTOTPSetup } from 'aws-amplify/auth';

const createdCodes = z.object({ RecoveryCodes: z.array(z.string()) });
const remainingCodes = z.object({ RemainingCount: z.number() });

/** Creates a set of recovery codes, which replaces the previous one. An operation of the embedded provider only. */
export async function createRecoveryCodes(endpoint: string, AccessToken: string): Promise<readonly string[]> {
  return createdCodes.parse(await callIdentity(endpoint, 'CreateRecoveryCodes', { AccessToken }))
    .RecoveryCodes;
}

/** Fetches the number of unused recovery codes. An operation of the embedded provider only. */
export async function countRecoveryCodes(endpoint: string, AccessToken: string): Promise<number> {
  return remainingCodes.parse(await callIdentity(endpoint, 'GetRecoveryCodes', { AccessToken }))
    .RemainingCount;
}
