import { createTestDatabase, silentLog } from '@escucho/database/testing';
import type { QueryConfig } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { openJobConnections } from './index.ts';

const { pool, close } = await openJobConnections({ connection: await createTestDatabase(), log: silentLog });
afterAll(close);

it.each<[string, [string | QueryConfig, unknown[]?]]>([
  ['text and values', ['select $1::text as name', ['Ana']]],
  ['a statement with values', [{ text: 'select $1::text as name', values: ['Ana'] }]],
])('performs a query of %s', async (_, args) => {
  const client = await pool.connect();
  try {
    expect(await client.query(...args)).toMatchObject({ rows: [{ name: 'Ana' }] });
  } finally {
    client.release();
  }
});
