import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client, type QueryResultRow } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Connection, clientConfig } from '../connection.ts';
import { query as queryIn } from '../embedded/testing/helpers.ts';
import { MIGRATION_LOCK, migrateSchemas } from '../migrate/migrate.ts';
import { createFolder, createTestDatabase, silentLog } from '../testing.ts';
import { backup, restore } from './backup.ts';
import { withScratchDatabase } from './maintenance.ts';

const TABLES = `
  create function fold(text text) returns text immutable language sql as $$ select lower(unaccent(text)) $$;
  create table author (
    id int generated always as identity primary key,
    name text not null,
    folded text generated always as (fold(name)) stored,
    favourite int
  );
  create table article (
    number bigserial primary key,
    author int not null references author (id),
    "Odd ""name""" text,
    body bytea, tags text[], facts jsonb, at timestamptz
  );
  alter table author add constraint favourite_fk foreign key (favourite) references article (number);
  create table change (at timestamptz not null default now(), what text);
  create function noted() returns trigger language plpgsql as
    $$ begin insert into change (what) values ('written'); return new; end $$;
  create trigger noted after insert on author for each row execute function noted();
  create table "empty" ();
`;

const ODD = ['tab\there', 'line\nline\r\n', '\\.', '\\N', 'back\\slash', '', 'ñ 🎧 \u2028 \u0085', null];

const query = <Row extends QueryResultRow>(connection: Connection, sql: string) =>
  queryIn<Row>(connection, sql, 'library');

/** Lists the backups that wait for a lock. */
const waiting = `select wait_event_type as on from pg_stat_activity where application_name = 'backup' and wait_event_type = 'Lock'`;

const folder = await createFolder();
let written = { tables: 0, rows: 0 };
const file = () => join(folder, 'backup.gz');
const [source, target, other] = [
  await createTestDatabase(),
  await createTestDatabase(),
  await createTestDatabase(),
];

async function migrated(connection: Connection, sql: string) {
  const directory = await mkdtemp(join(folder, 'migrations-'));
  await writeFile(join(directory, '0001_tables.sql'), sql);
  await migrateSchemas({ connection, schemas: [{ schema: 'library', directory }], log: silentLog });
}

/** Returns all rows of the database as one value. */
async function content(connection: Connection) {
  return [
    await query(connection, 'select * from author order by id'),
    await query(connection, 'select *, at::text as exact from article order by number'),
    await query(connection, 'select at::text, what from change order by at'),
    await query(connection, `select conname from pg_constraint where contype = 'f' order by 1`),
  ];
}

beforeAll(async () => {
  await migrated(source, TABLES);
  await migrated(target, TABLES);
  await migrated(other, `${TABLES} create table later ();`);
  await query(source, `insert into author (name) values ('Borges'), ('Córtazar')`);
  for (const odd of ODD) {
    const text =
      odd === null
        ? 'null'
        : `E'${[...odd].map((c) => `\\U${(c.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}'`;
    await query(
      source,
      `insert into article (author, "Odd ""name""", body, tags, facts, at)
       values (1, ${text}, convert_to(${text}, 'UTF8'), array[${text}, 'x'], jsonb_build_object('it', ${text}), now())`,
    );
  }
  await query(source, 'update author set favourite = 3');
  written = await backup({ connection: source, file: file() });
});

describe('a backup', () => {
  it('restores all rows and sequences in another database', async () => {
    expect(await content(target)).not.toEqual(await content(source));
    expect(await restore({ connection: target, file: file() })).toEqual(written);
    expect(written.rows).toBeGreaterThan(ODD.length);
    expect(await content(target)).toEqual(await content(source));
    const odd = await query<{ text: string }>(
      target,
      'select "Odd ""name""" as text from article order by number',
    );
    expect(odd.map(({ text }) => text)).toEqual(ODD);

    for (const connection of [source, target]) {
      expect(await query(connection, `insert into author (name) values ('Paz') returning id`)).toEqual([
        { id: 3 },
      ]);
      expect(await query(connection, `select count(*)::int as changes from change`)).toEqual([
        { changes: 3 },
      ]);
    }
    await expect(query(target, 'delete from article where number = 3')).rejects.toMatchObject({
      code: '23503',
    });
  });

  it('reports its progress in bytes, as a restore does', async () => {
    const reports: [number, number][] = [];
    const onProgress = (...report: [number, number]) => reports.push(report);
    await backup({ connection: source, file: file(), onProgress });
    const backupReports = reports.splice(0);
    await restore({ connection: target, file: file(), replace: true, onProgress });
    for (const list of [backupReports, reports]) {
      const [done = 0, total] = list.at(-1) ?? [];
      expect([done > 0, done]).toEqual([true, total]);
      expect(list.map(([bytes]) => bytes)).toEqual(list.map(([bytes]) => bytes).toSorted((a, b) => a - b));
    }
  });

  it('has no job queue of another application in the database', async () => {
    await query(source, 'create schema graphile_worker');
    for (const name of ['migrations', '_private_jobs'])
      await query(source, `create table graphile_worker.${name} as select 1 as id`);
    const shared = join(folder, 'shared.gz');
    await backup({ connection: source, file: shared });
    await restore({ connection: source, file: shared, replace: true });
    expect(await query(source, 'select id from graphile_worker._private_jobs')).toEqual([{ id: 1 }]);
    await query(source, 'drop schema graphile_worker cascade');
    await restore({ connection: target, file: shared, replace: true });
    expect(await content(target)).toEqual(await content(source));
  });

  it('is readable by its owner only and replaces an older file', async () => {
    await chmod(file(), 0o400);
    await backup({ connection: source, file: file() });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('of a database without tables is refused, and an earlier file stays', async () => {
    const earlier = await readFile(file());
    await withScratchDatabase(source, async (connection) => {
      const taking = backup({ connection, file: file() });
      await expect(taking).rejects.toMatchObject({ code: 'backup-empty' });
    });
    expect(await readFile(file())).toEqual(earlier);
  });

  it('is a consistent snapshot during concurrent writes', async () => {
    const moment = join(folder, 'moment.gz');
    const writer = new Client({
      ...clientConfig(source, 'writer'),
      options: '-c search_path=library,public',
    });
    await writer.connect();
    await writer.query('begin; lock table article');
    const taking = backup({ connection: source, file: moment });
    await expect.poll(() => query(source, waiting)).toEqual([{ on: 'Lock' }]);
    await writer.query(`insert into author (name) values ('Too late'); commit`);
    await writer.end();
    await taking;

    await restore({ connection: target, file: moment, replace: true });
    expect(await query(target, `select what from change`)).toHaveLength(3);
    expect(await query(source, `select what from change`)).toHaveLength(4);
  });

  it('waits for a migration that rewrites a table, and has its rows', async () => {
    const before = await backup({ connection: source, file: file() });
    const migration = new Client({
      ...clientConfig(source, 'migration'),
      options: '-c search_path=library,public',
    });
    await migration.connect();
    await migration.query('select pg_advisory_lock($1, $2)', MIGRATION_LOCK);
    const taking = backup({ connection: source, file: file() });
    await expect.poll(() => query(source, waiting)).toEqual([{ on: 'Lock' }]);
    await migration.query('alter table change alter what type varchar(80)');
    await migration.end();
    expect(await taking).toEqual(before);
  });
});

describe('restore', () => {
  it('refuses a database with rows unless they may be replaced', async () => {
    const before = await content(source);
    await expect(restore({ connection: source, file: file() })).rejects.toMatchObject({
      code: 'backup-not-empty',
    });
    await backup({ connection: source, file: file() });
    await query(source, `insert into author (name) values ('Later')`);
    await restore({ connection: source, file: file(), replace: true });
    expect(await content(source)).toEqual(before);
  });

  it('refuses a database with other migrations', async () => {
    await expect(restore({ connection: other, file: file() })).rejects.toMatchObject({
      code: 'backup-mismatch',
    });
  });

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, whole.length - 20)],
    [
      'short of rows',
      (whole: Buffer) => gzipSync(gunzipSync(whole).toString().split('\n').slice(0, -4).join('\n')),
    ],
    ['altered', (whole: Buffer) => whole.fill(0, whole.length - 8, whole.length - 4)],
    ['too long', (whole: Buffer) => gzipSync(`${gunzipSync(whole)}more`)],
    ['no gzip at all', () => Buffer.from('hello')],
    ['something else in gzip', () => gzipSync('hello')],
    ['broken in its first line', () => gzipSync('escucho backup 1 {')],
  ])('refuses a file that is %s, and changes nothing', async (_, damage) => {
    const before = await content(source);
    const damaged = join(folder, 'damaged.gz');
    await writeFile(damaged, damage(await readFile(file())));
    await expect(restore({ connection: source, file: damaged, replace: true })).rejects.toMatchObject({
      code: 'backup-damaged',
    });
    expect(await content(source)).toEqual(before);
  });

  it('reports a missing file', async () => {
    await expect(restore({ connection: target, file: join(folder, 'none') })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('a scratch database', () => {
  it('replaces those that a killed process left, and not those of other databases', async () => {
    const abandoned = `escucho_scratch_${source.database}_0123abcd`;
    const foreign = `escucho_scratch_${source.database}_2_0123abcd`;
    for (const name of [abandoned, foreign]) await query(source, `create database ${name}`);
    const list = async () => {
      const scratch = await query<{ datname: string }>(
        source,
        `select datname from pg_database where starts_with(datname, 'escucho_scratch_${source.database}')`,
      );
      return scratch.map(({ datname }) => datname);
    };
    const during = await withScratchDatabase(source, async ({ database }) => {
      expect(await list()).toContain(database);
      return list();
    });
    expect(during).toHaveLength(2);
    expect(await list()).toEqual([foreign]);
    await query(source, `drop database ${foreign}`);
  });
});
