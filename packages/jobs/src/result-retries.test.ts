import { clientConfig } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { Pool, type QueryConfig } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { retryResults } from './result-retries.ts';

const pool = new Pool(clientConfig(await createTestDatabase(), 'tests'));
afterAll(() => pool.end());

it.each<[string, [string | QueryConfig, unknown[]?]]>([
  ['text and values', ['select $1::text as name', ['Ana']]],
  ['a statement with values', [{ text: 'select $1::text as name', values: ['Ana'] }]],
])('performs a query of %s', async (_, args) => {
  const client = await retryResults(pool, () => {}).connect();
  try {
    expect(await client.query(...args)).toMatchObject({ rows: [{ name: 'Ana' }] });
  } finally {
    client.release();
  }
});
