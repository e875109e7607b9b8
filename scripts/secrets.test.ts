import { describe, expect, it } from 'vitest';
import { findSecrets } from './secrets.mjs';

/** Secrets in parts, so that this file contains none. */
const secrets = [
  ['a private key', ['-----BEGIN PRIVATE', ` KEY-----\n${'A'.repeat(64)}`]],
  ['an AWS access key', ['AKIA', 'ABCDEFGHIJKLMNOP']],
  ['a live key of Stripe', ['sk_live_', 'a'.repeat(24)]],
  ['a webhook secret of Stripe', ['whsec_', 'a'.repeat(32)]],
  ['a token of GitHub', ['ghp_', 'a'.repeat(36)]],
  ['a secret key of age', ['AGE-SECRET-KEY-1', 'Q'.repeat(58)]],
  ['a signed token', [`eyJ${'a'.repeat(20)}.eyJ${'a'.repeat(20)}`, `.${'a'.repeat(43)}`]],
] as const;

describe('the search for secrets', () => {
  it.each(secrets)('finds %s and names file and line', (name, parts) => {
    const secret = parts.join('');
    const [message = '', ...more] = findSecrets([
      { path: 'src/a.ts', text: `one\nconst key = '${secret}';\n` },
    ]);
    expect(more).toEqual([]);
    expect(message).toContain(`src/a.ts:2  contains ${name}`);
    expect(message).not.toContain(secret);
  });

  it.each([
    'sk_live_',
    'AKIA',
    'whsec_a',
    'sk_test_51aaaaaaaaaaaaaaaaaaaaaaaa',
    'postgres://user:password@host/name',
  ])('accepts %s', (text) => {
    expect(findSecrets([{ path: 'a.ts', text }])).toEqual([]);
  });
});
