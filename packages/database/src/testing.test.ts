import { afterAll, describe, expect, inject, it } from 'vitest';
import { query } from './embedded/testing/helpers.ts';
import { createTestDatabase, watchRows } from './testing.ts';

describe('test databases', () => {
  const names: string[] = [];

  describe('created in a describe', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    names.push(one.database, two.database);

    it('are isolated from each other', async () => {
      await query(one, 'create table mine ()');
      await expect(query(two, 'select from mine')).rejects.toMatchObject({ code: '42P01' });
    });
  });

  it('are dropped when the describe ends', async () => {
    const { connection } = inject('database');
    expect(names).toHaveLength(2);
    const left = await query(
      connection,
      `select from pg_database where datname in ('${names.join("', '")}')`,
    );
    expect(left).toEqual([]);
  });
});

describe('watchRows', async () => {
  const connection = await createTestDatabase();
  await query(
    connection,
    'create schema shop; create table shop.item (name text); create table shop.counter ()',
  );
  const { listChanges, close } = await watchRows(connection, {
    schemas: ['shop'],
    ignoredTables: ['counter'],
    reset: 'delete from shop.counter',
  });
  afterAll(close);

  it.each([
    ['an inserted row', "insert into shop.item values ('pen')", ['insert shop.item (pen)']],
    ['an updated row', "update shop.item set name = 'cup'", ['update shop.item (cup)']],
    ['no row with the same values', "update shop.item set name = 'cup'", []],
    ['no row that is rolled back', 'begin; delete from shop.item; rollback', []],
    ['no row of an ignored table', 'insert into shop.counter default values', []],
    ['a deleted row', 'delete from shop.item', ['delete shop.item (cup)']],
  ])('lists %s', async (_, statement, changes) => {
    await query(connection, statement);
    expect(await listChanges()).toEqual(changes);
    expect(await listChanges()).toEqual([]);
  });

  it('runs the reset', async () => {
    expect(await query(connection, 'select from shop.counter')).toEqual([]);
  });
});
