import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientConfig } from './connection.ts';
import { createStatementNames, openDatabase } from './open-database.ts';
import { createTestDatabase, silentLog } from './testing.ts';

interface Tables {
  word: { id: number; text: string };
}

const connection = await createTestDatabase();
const open = (schema: string, maxConnections = 1) =>
  openDatabase<Tables>({ connection, schema, maxConnections, name: `test ${schema}`, log: silentLog });
const left = open('left_room');
const right = open('right_room');
const admin = new Client(clientConfig(connection, 'admin'));

beforeAll(async () => {
  await admin.connect();
  for (const schema of ['left_room', 'right_room']) {
    await admin.query(
      `create schema ${schema}; create table ${schema}.word (id int primary key, text text not null)`,
    );
  }
  await admin.query('create table left_room.secret ()');
});

afterAll(async () => {
  await Promise.all([left.destroy(), right.destroy(), admin.end()]);
});

describe('openDatabase', () => {
  it('resolves unqualified names in the service’s schema', async () => {
    await left.insertInto('word').values({ id: 1, text: 'left' }).execute();
    expect(await right.selectFrom('word').selectAll().execute()).toEqual([]);
    expect(await left.selectFrom('word').selectAll().execute()).toEqual([{ id: 1, text: 'left' }]);
    await expect(sql`select from secret`.execute(right)).rejects.toMatchObject({ code: '42P01' });
  });

  it('refuses a schema name that would need quotes', () => {
    expect(() => open('a,b')).toThrow('Not a schema name');
  });

  it('has no statement timeout for background work', async () => {
    const patient = openDatabase({ connection, schema: 'left_room', name: 'patient', hasNoTimeouts: true });
    const { rows } = await sql`show statement_timeout`.execute(patient);
    expect(rows).toEqual([{ statement_timeout: '0' }]);
    await patient.destroy();
  });

  it('sets the application name and a statement timeout', async () => {
    expect((await sql`show application_name`.execute(left)).rows).toEqual([
      { application_name: 'test left_room' },
    ]);
    expect((await sql`show statement_timeout`.execute(left)).rows).toEqual([{ statement_timeout: '15s' }]);
  });

  it.each([
    ['a count', 'count(*)', 1],
    ['a large whole number', '9007199254740993::int8', 9007199254740993n],
    ['the largest exact number', '9007199254740991::int8', 9007199254740991],
    ['a moment', "'2026-01-02 03:04:05+01'::timestamptz", new Date('2026-01-02T02:04:05Z')],
    ['a day', "'2026-01-02'::date", '2026-01-02'],
    ['json', `'{"a": [1]}'::jsonb`, { a: [1] }],
    ['a decimal', '1.10::numeric', '1.10'],
  ])('gives %s as what it is', async (_, expression, value) => {
    const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(left);
    expect(rows).toEqual([{ value }]);
  });
});

describe('statements', () => {
  const prepared = () =>
    sql<{ statement: string; uses: number }>`
      select statement, (generic_plans + custom_plans) as uses from pg_prepared_statements`
      .execute(left)
      .then(({ rows }) => rows.filter(({ statement }) => statement.includes('"text" =')));

  it('are prepared once per connection', async () => {
    for (const text of ['a', 'b', 'c'])
      await left.selectFrom('word').select('id').where('text', '=', text).execute();
    expect(await prepared()).toEqual([{ statement: 'select "id" from "word" where "text" = $1', uses: 3 }]);
  });

  it('work after one has failed', async () => {
    const find = (id: unknown) => sql`select ${id}::int as id`.execute(left);
    await expect(find('x')).rejects.toMatchObject({ code: '22P02' });
    expect((await find(7)).rows).toEqual([{ id: 7 }]);
  });

  it('survive a migration that changes their table', async () => {
    const findIds = (db: typeof right) => db.selectFrom('word').select('id').execute();
    const inTransaction = () => right.transaction().execute(findIds);
    await right.insertInto('word').values({ id: 1, text: 'right' }).execute();
    expect(await findIds(right)).toEqual([{ id: 1 }]);
    await admin.query('alter table right_room.word alter column id type bigint');
    expect(await findIds(right)).toEqual([{ id: 1 }]);
    await admin.query('alter table right_room.word alter column id type int');
    await expect(inTransaction()).rejects.toMatchObject({ code: '0A000' });
    expect(await inTransaction()).toEqual([{ id: 1 }]);
  });

  it('of all columns survive a migration that adds one, also in a transaction', async () => {
    const inTransaction = () =>
      right
        .transaction()
        .execute(async (transaction) => [
          await transaction.selectFrom('word').selectAll().execute(),
          await transaction.selectFrom('word').selectAll('word').execute(),
          await transaction.updateTable('word').set({ text: 'right' }).returningAll().execute(),
        ]);
    expect(await inTransaction()).toEqual(Array(3).fill([{ id: 1, text: 'right' }]));
    await admin.query('alter table right_room.word add column more int');
    expect(await inTransaction()).toEqual(Array(3).fill([{ id: 1, text: 'right', more: null }]));
  });

  it('of a transaction are not lost in silence where one failed', async () => {
    const write = right.transaction().execute(async (transaction) => {
      await transaction.insertInto('word').values({ id: 2, text: 'lost' }).execute();
      await sql`select 1 / 0`.execute(transaction).catch(() => {});
    });
    await expect(write).rejects.toThrow('rolled back instead of committed');
    expect(await right.selectFrom('word').select('id').where('id', '=', 2).execute()).toEqual([]);
  });

  it('are named by their text, up to a limit, and only where a plan helps', () => {
    const names = createStatementNames(2);
    const first = names.get('select 1');
    expect(first).toMatch(/^s_[\w-]{16}$/);
    expect([names.get('begin'), names.get('select 1')]).toEqual([undefined, first]);
    expect(names.get('with x as (select 2) select * from x')).not.toBe(first);
    expect(names.get('select 3')).toBeUndefined();
    names.renew('select 1');
    expect([names.get('select 1') === first, names.get('select 1')]).toEqual([false, `${first}.1`]);
  });
});

describe('a lost connection', () => {
  const cut = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test left_room'`,
    );

  it('is replaced when it was idle', async () => {
    await sql`select 1`.execute(left);
    await cut();
    await expect
      .poll(() =>
        sql`select 2 as two`.execute(left).then(
          ({ rows }) => rows,
          () => 'lost',
        ),
      )
      .toEqual([{ two: 2 }]);
  });

  it('fails only the transaction it carried', async () => {
    const broken = left.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await cut();
      await sql`select 2`.execute(transaction);
    });
    await expect(broken).rejects.toThrow();
    expect((await sql`select 3 as three`.execute(left)).rows).toEqual([{ three: 3 }]);
  });
});
