import { describe, expect, it } from 'vitest';
import { assertPassword, isEmail, parseProfile } from './policy.ts';

describe('password policy', () => {
  it.each([
    ['Abcdef1', 'Password did not conform with policy: Password not long enough'],
    ['abcdefg1', 'Password did not conform with policy: Password must have uppercase characters'],
    ['ABCDEFG1', 'Password did not conform with policy: Password must have lowercase characters'],
    ['Abcdefgh', 'Password did not conform with policy: Password must have numeric characters'],
    [`Aa1${'x'.repeat(254)}`, 'Password did not conform with policy: Password too long'],
    ['Password1', 'Password did not conform with policy: Password is too common'],
    ['Qwerty123', 'Password did not conform with policy: Password is too common'],
  ])('[AUTH-03] %s is refused', async (password, message) => {
    await expect(assertPassword(password)).rejects.toThrow(message);
  });

  it.each(['Abcdexg1', 'Ñandúes 2026', `Aa1${'x'.repeat(253)}`])(
    '[AUTH-03] %s is accepted',
    async (password) => {
      await expect(assertPassword(password)).resolves.toBeUndefined();
    },
  );
});

describe('username', () => {
  it.each([
    ['ana@escucho.test', true],
    ['ana+1@mail.escucho.test', true],
    ['ana', false],
    ['ana@escucho', false],
    ['@escucho.test', false],
    ['ana @escucho.test', false],
    ["ana@escucho.test' or '1'='1", false],
  ])('isEmail of %s returns %s', (text, expected) => {
    expect(isEmail(text)).toBe(expected);
  });
});

describe('sign-up attributes', () => {
  const parse = (...attributes: [string, string][]) =>
    parseProfile(
      'ana@escucho.test',
      attributes.map(([Name, Value]) => ({ Name, Value })),
    );

  it('become the profile', () => {
    const profile = parse(
      ['email', 'Ana@Escucho.test'],
      ['given_name', 'Ana'],
      ['family_name', 'Ruiz'],
      ['phone_number', '+51999888777'],
    );
    expect(profile).toEqual({ givenName: 'Ana', familyName: 'Ruiz', phoneNumber: '+51999888777' });
  });

  it.each<[string, [string, string][], string]>([
    ['sub', [['sub', 'x']], 'NotAuthorizedException'],
    ['email_verified', [['email_verified', 'true']], 'NotAuthorizedException'],
    ['cognito:groups', [['cognito:groups', 'admin']], 'NotAuthorizedException'],
    ['an unknown attribute', [['favourite', 'x']], 'InvalidParameterException'],
    ['an inherited property', [['constructor', 'x']], 'InvalidParameterException'],
    ['another address', [['email', 'eva@escucho.test']], 'InvalidParameterException'],
    ['a malformed address', [['email', 'ana']], 'InvalidParameterException'],
    ['a malformed phone number', [['phone_number', '999']], 'InvalidParameterException'],
    ['a name of 257 characters', [['given_name', 'x'.repeat(257)]], 'InvalidParameterException'],
    [
      'a name twice',
      [
        ['given_name', 'A'],
        ['given_name', 'B'],
      ],
      'InvalidParameterException',
    ],
  ])('[IDP-03] %s is refused', (_, attributes, type) => {
    expect(() => parse(...attributes)).toThrow(expect.objectContaining({ type }));
  });
});
