import { PurchasesError } from './errors.ts';

const placeholderIds = [
  'no_user',
  'null',
  'none',
  'nil',
  '(null)',
  'NaN',
  '\\x00',
  'unidentified',
  'undefined',
  'unknown',
];

/** Whether a public key belongs to a sandbox; such screens carry the 'Sandbox' badge (SUB-05). */
export const isSandboxKey = (apiKey: string): boolean => apiKey.startsWith('rcb_sb_');

/** Validates a public key (section 5, SUB-05). Throws InvalidCredentialsError. */
export function checkApiKey(apiKey: string): void {
  if (!/^rcb_[\w.-]+$/.test(apiKey))
    throw new PurchasesError('InvalidCredentialsError', 'The public key must start with rcb_.');
}

/** Validates a user id (section 5, SUB-05). Throws InvalidAppUserIdError. */
export function checkUserId(userId: string): void {
  if (userId === '' || userId.includes('/') || placeholderIds.includes(userId))
    throw new PurchasesError('InvalidAppUserIdError', `"${userId}" cannot be a user id.`);
}
