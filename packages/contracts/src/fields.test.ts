import { describe, expect, it } from 'vitest';
import { api, isBillingEmail } from './index.ts';

describe('lists of ids in a form', () => {
  const a = '00000000-0000-4000-8000-00000000000a';
  const b = '00000000-0000-4000-8000-00000000000b';
  const schema = api.playlists.changePlaylist.body;

  it.each([
    ['one', a, [a]],
    ['the name several times', [a, b], [a, b]],
    ['several after commas', `${b},${a}`, [b, a]],
    ['a JSON list', JSON.stringify([a, b]), [a, b]],
    ['one twice counts once', [a, b, a], [a, b]],
    ['nothing', '', []],
  ])('[LIST-01] %s', (_name, input, expected) => {
    expect(schema.parse({ _id: a, 'articles.added': input })['articles.added']).toEqual(expected);
  });

  it.each([
    ['x'],
    [`${a};${b}`],
    ['[1]'],
    ['["'],
    ['{}'],
    [Array.from({ length: 501 }, (_, n) => `${a.slice(0, 32)}${String(n).padStart(4, '0')}`)],
  ])('[API-03] %o is refused', (input) => {
    expect(schema.safeParse({ _id: a, 'articles.added': input }).success).toBe(false);
  });

  it('[LIST-06] a move has the track before it, or null for the top', () => {
    const moved = [`${a}:${b}`, `${b}:`];
    expect(schema.parse({ _id: a, 'articles.moved': moved })['articles.moved']).toEqual([
      { track: a, after: b },
      { track: b, after: null },
    ]);
  });
});

describe('an address for receipts', () => {
  it.each([
    ['ana@mail.com', true],
    ['ana+bills@sub.mail.com', true],
    ['añá@correo.españa', true],
    ['ana', false],
    ['ana@mail', false],
    ['ana@mail.com.', false],
    ['ana@mail@com.es', false],
    ['ana b@mail.com', false],
    ['ana\u0000@mail.com', false],
    ['ana\ud800@mail.com', false],
    [`${'a'.repeat(246)}@mail.com`, false],
  ])('[BUY-03] %j is valid: %s', (text, isValid) => {
    expect(isBillingEmail(text)).toBe(isValid);
  });
});
