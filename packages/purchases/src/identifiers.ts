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

/** Returns whether a public key belongs to a sandbox; such screens have the 'Sandbox' badge (SUB-05). */
export const isSandboxKey = (apiKey: string): boolean => apiKey.startsWith('rcb_sb_');

/** Returns why a public key or a user id is invalid (section 5, SUB-05); undefined if both are valid. */
export function findInvalidIdentifier(apiKey: string, userId: string): PurchasesError | undefined {
  if (!/^rcb_[\w.-]+$/.test(apiKey))
    return new PurchasesError('InvalidCredentialsError', 'The public key must start with rcb_.');
  if (userId === '' || userId.includes('/') || placeholderIds.includes(userId))
    return new PurchasesError('InvalidAppUserIdError', `"${userId}" cannot be a user id.`);
  return undefined;
}
