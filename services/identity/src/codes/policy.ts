import { randomInt } from 'node:crypto';
import type { CodePurpose } from '../database.ts';

const hour = 3_600_000;

/** How long a code is good for, in milliseconds. */
export const codeLifetime: Record<CodePurpose, number> = {
  'sign-up': 24 * hour,
  reset: hour,
  email: 24 * hour,
};

/** A code is burnt by this many wrong tries. */
export const freeMisses = 15;

/** Six digits, each combination as likely as the other. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}
