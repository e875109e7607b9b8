import { describe, expect, it } from 'vitest';
import { createBilling } from './billing.ts';
import { isSandboxKey } from './identifiers.ts';
import { hastyClock, provider } from './testing/provider.ts';

const configured = (apiKey: string, userId: string) => () =>
  createBilling({
    baseUrl: 'https://billing.test',
    apiKey,
    userId,
    fetch: provider({}).fetch,
    clock: hastyClock().clock,
    warn: () => undefined,
  });

describe('[SUB-05] an invalid key or user id is refused before any request', () => {
  it.each(['', 'rcb_', 'sk_live_1', 'rcb-1', 'rcb_a b', 'rcb_ä', 'xrcb_a', 'rcb_a\n'])(
    'the key %j is refused',
    (key) =>
      expect(configured(key, 'reader-1')).toThrow(
        expect.objectContaining({ code: 'InvalidCredentialsError' }),
      ),
  );

  it.each(['rcb_a', 'rcb_A1_b.c-d', 'rcb_sb_key'])('the key %j is taken', (key) => {
    expect(configured(key, 'reader-1')).not.toThrow();
  });

  it.each([
    '',
    'a/b',
    '/',
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
  ])('the id %j is refused', (id) =>
    expect(configured('rcb_a', id)).toThrow(expect.objectContaining({ code: 'InvalidAppUserIdError' })),
  );

  it.each(['nobody', 'Null', '00000000-0000-4000-8000-000000000001', 'a b'])('the id %j is taken', (id) => {
    expect(configured('rcb_a', id)).not.toThrow();
  });

  it('knows a sandbox by its key', () => {
    expect([isSandboxKey('rcb_sb_1'), isSandboxKey('rcb_live_1'), isSandboxKey('rcb_1sb_')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(configured('rcb_sb_1', 'reader-1')().isSandbox).toBe(true);
  });
});
