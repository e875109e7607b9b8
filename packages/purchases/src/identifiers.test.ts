import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createBilling } from './billing.ts';
import { createFakeClock, createFakeProvider } from './testing/fake-provider.ts';
import { isSandboxKey } from './transport.ts';

const warn = vi.fn<(message: string) => void>();
beforeEach(() => warn.mockClear());

const create = (apiKey: string, userId: string) => () =>
  createBilling({
    baseUrl: 'https://billing.test',
    apiKey,
    userId,
    fetch: createFakeProvider({}).fetch,
    clock: createFakeClock().clock,
    warn,
  });

describe('[SUB-05] an invalid key or user id is logged and refused', () => {
  it.each(['', 'rcb_', 'sk_live_1', 'rcb-1', 'rcb_a b', 'rcb_ä', 'xrcb_a', 'rcb_a\n'])(
    'the key %j is refused',
    (key) => {
      expect(create(key, 'user-1')).toThrow(expect.objectContaining({ code: 'InvalidCredentialsError' }));
      expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('InvalidCredentialsError'));
    },
  );

  it.each(['rcb_a', 'rcb_A1_b.c-d', 'rcb_sb_key'])('the key %j is accepted', (key) => {
    expect(create(key, 'user-1')).not.toThrow();
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
  ])('the id %j is refused', (id) => {
    expect(create('rcb_a', id)).toThrow(expect.objectContaining({ code: 'InvalidAppUserIdError' }));
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('InvalidAppUserIdError'));
  });

  it.each(['nobody', 'Null', '00000000-0000-4000-8000-000000000001', 'a b'])(
    'the id %j is accepted',
    (id) => {
      expect(create('rcb_a', id)).not.toThrow();
    },
  );

  it('recognizes a sandbox by its key', () => {
    expect([isSandboxKey('rcb_sb_1'), isSandboxKey('rcb_live_1'), isSandboxKey('rcb_1sb_')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(create('rcb_sb_1', 'user-1')().isSandbox).toBe(true);
  });
});
