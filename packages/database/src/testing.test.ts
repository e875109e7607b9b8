import { describe, expect, inject, it } from 'vitest';
import { query } from './embedded/testing/helpers.ts';
import { createTestDatabase } from './testing.ts';

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
