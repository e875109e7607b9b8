import { describe, expect, it } from 'vitest';
import { migrationFile, migrationNames, pendingMigrations } from './plan.ts';

const [one, two, three] = [1, 2, 3].map((number) =>
  migrationFile(`000${number}-step.sql`, `select ${number};`),
);
const changed = migrationFile('0001-step.sql', 'select 100;');
const list = (...files: readonly (typeof one)[]) => files.flatMap((file) => (file ? [file] : []));

describe('the names of migrations', () => {
  it('come in order, without what else lies in the folder', () => {
    const files = ['0010-late.sql', 'README.md', '0001-accounts.sql', '0002-words-2.sql'];
    expect(migrationNames(files)).toEqual(['0001-accounts.sql', '0002-words-2.sql', '0010-late.sql']);
  });

  it.each([
    [['1-short.sql'], '1-short.sql'],
    [['0001_under.sql'], '0001_under.sql'],
    [['0001-Upper.sql'], '0001-Upper.sql'],
    [['0001-one.sql', '0001-two.sql'], '0001-two.sql'],
  ])('are refused as in %j', (files, named) => {
    expect(() => migrationNames(files)).toThrow(
      expect.objectContaining({ code: 'migration-name', message: expect.stringContaining(named) }),
    );
  });
});

describe('what has to run', () => {
  it.each([
    ['all, on a new database', list(one, two), list(), ['0001-step.sql', '0002-step.sql']],
    ['what is new', list(one, two, three), list(one), ['0002-step.sql', '0003-step.sql']],
    ['nothing, when all of it ran', list(one, two), list(one, two), []],
    ['nothing, when there is nothing', list(), list(), []],
  ])('is %s', (_, files, applied, names) => {
    expect(pendingMigrations(files, applied).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['migration-changed', 'one that ran was changed', list(changed, two), list(one), '0001-step.sql'],
    ['migration-unknown', 'one ran that is not there', list(one), list(one, two), '0002-step.sql'],
    [
      'migration-order',
      'one comes before another that ran',
      list(one, two, three),
      list(one, three),
      '0002-step.sql',
    ],
  ])('is a fault of kind %s when %s', (code, _, files, applied, named) => {
    expect(() => pendingMigrations(files, applied)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(named) }),
    );
  });

  it('does not change with the ends of lines', () => {
    expect(migrationFile('0001-a.sql', 'a\r\nb\r\n')).toEqual(migrationFile('0001-a.sql', 'a\nb\n'));
  });
});
