import { describe, expect, it } from 'vitest';
import { assertUnchanged, toMigrationFiles } from './plan.ts';

const [one, two, three] = toMigrationFiles(
  [1, 2, 3].map((number) => [`000${number}_step.sql`, `select ${number};`] as const),
);
const [changed] = toMigrationFiles([['0001_step.sql', 'select 100;']]);
const list = (...files: readonly (typeof one)[]) => files.flatMap((file) => (file ? [file] : []));
const namesOf = (...files: string[]) =>
  toMigrationFiles(files.map((file) => [file, ''] as const)).map(({ name }) => name);

describe('migration files', () => {
  it('are ordered by number', () => {
    const names = namesOf('0010_late.sql', '0001_accounts.sql', '0002_words_2.sql');
    expect(names).toEqual(['0001_accounts', '0002_words_2', '0010_late']);
  });

  it.each([
    [['1_short.sql'], '1_short.sql'],
    [['0001-dash.sql'], '0001-dash.sql'],
    [['0001_Upper.sql'], '0001_Upper.sql'],
    [['0001_one.sql', '0001_two.sql'], '0001_two.sql'],
  ])('named %j are refused with migration-name', (files, named) => {
    expect(() => namesOf(...files)).toThrow(
      expect.objectContaining({ code: 'migration-name', message: expect.stringContaining(named) }),
    );
  });

  it('have the same checksum with line ends of Windows', () => {
    expect(toMigrationFiles([['0001_a.sql', 'a\r\nb\r\n']])).toEqual(
      toMigrationFiles([['0001_a.sql', 'a\nb\n']]),
    );
  });
});

describe('applied migrations', () => {
  it.each([
    ['none', list(one, two), list()],
    ['the first', list(one, two, three), list(one)],
    ['all', list(one, two), list(one, two)],
    ['none of none', list(), list()],
  ])('may be %s', (_, files, applied) => {
    expect(() => assertUnchanged(files, applied)).not.toThrow();
  });

  it.each([
    ['migration-changed', 'an applied file was changed', list(changed, two), list(one), '0001_step'],
    ['migration-unknown', 'an applied file is missing', list(one), list(one, two), '0002_step'],
    [
      'migration-order',
      'a new file precedes an applied one',
      list(one, two, three),
      list(one, three),
      '0002_step',
    ],
  ])('fail with %s when %s', (code, _, files, applied, named) => {
    expect(() => assertUnchanged(files, applied)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(named) }),
    );
  });
});
