import { dictionary } from '@zxcvbn-ts/language-common';

/** The 49,000 most common passwords, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
