import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@escucho/database';
import { listenOnLoopback } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { prepareProduct } from '../testing/product.ts';

const { directory, connection, dataDir, createApp } = await prepareProduct();
const db = openDatabase<object>({ connection, schema: 'public', name: 'status test', maxConnections: 1 });
afterAll(() => db.destroy());
const noJobs = [undefined, { performJobs: false }] as const;
const app = await createApp({}, ...noJobs);

const json = { accept: 'application/json' };
const local = { url: '/status', remoteAddress: '127.0.0.1' };
const readPage = async (language = 'en', from = app) =>
  (await from.inject({ ...local, headers: { accept: 'text/html', 'accept-language': language } })).body;

/** Returns the text of a page, a line for each element. */
const toText = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<\/(?:h1|h2|dd|p|li)>/g, '\n')
    .replace(/<\/dt>/g, ': ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'");

describe('the status as JSON', () => {
  it('has versions, jobs, keys, disk and database', async () => {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(db);
    const response = await app.inject({ ...local, headers: json });
    expect(response.headers['cache-control']).toBe('no-store');
    const status = response.json();
    expect(status.process).toMatchObject({
      escucho: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.versions.node,
    });
    expect(status.database.value).toMatchObject({ version: rows[0]?.version, replicas: [] });
    expect(status.disk.value.directory).toBe(dataDir);
    expect(status.disk.value.freeBytes).toBeLessThan(status.disk.value.totalBytes);
    expect(status.signingKeys.value.map(({ use }: { use: string }) => use)).toEqual(['access', 'id']);
    expect(Date.parse(status.secretsFile.value)).toBeLessThanOrEqual(Date.now());
    expect([status.backups, status.certificate]).toEqual([{ state: 'unused' }, { state: 'unused' }]);
  });

  it('counts waiting, running and dead jobs of each service', async () => {
    await sql`
      insert into portal_jobs._private_tasks (identifier) values ('status_test')`.execute(db);
    for (const [attempts, lockedAt] of [
      [0, null],
      [0, null],
      [1, new Date()],
      [4, null],
    ])
      await sql`
        insert into portal_jobs._private_jobs (task_id, attempts, max_attempts, locked_at)
        select id, ${attempts}::integer, 4, ${lockedAt}::timestamptz
        from portal_jobs._private_tasks where identifier = 'status_test'`.execute(db);
    const { jobs } = (await app.inject({ ...local, headers: json })).json();
    expect(jobs.value).toContainEqual({ service: 'portal', waiting: 2, running: 1, dead: 1 });
    expect(toText(await readPage())).toContain('portal: 2 waiting, 1 running, 1 dead');
  });
});

describe('the status page', () => {
  it('shows in English and Spanish that no backup is configured', async () => {
    expect(toText(await readPage())).toContain('No backups are configured.');
    const spanish = await readPage('es');
    expect(spanish).toContain('<html lang="es">');
    expect(toText(spanish)).toContain('No hay copias de seguridad configuradas.');
  });

  it('shows the newest complete backup, and warns where there is none', async () => {
    const backups = join(directory, 'backups');
    const withBackups = await createApp(
      { BACKUP_TO: `file:${backups}`, BACKUP_SCHEDULE: '17 3 * * *' },
      ...noJobs,
    );
    expect(await readPage('en', withBackups)).toContain('<strong class="error">None yet</strong>');
    for (const [name, file] of [
      ['2026-01-02T03-17-00Z', 'manifest.json'],
      ['2026-01-03T03-17-00Z', 'database.gz'],
    ] as const) {
      await mkdir(join(backups, name), { recursive: true });
      await writeFile(join(backups, name, file), '{}');
    }
    const page = await readPage('en', withBackups);
    expect(page).toContain('datetime="2026-01-02T03:17:00.000Z"');
    expect(toText(page)).toContain('Backup sets: 1\n');
    expect(toText(page)).toContain('Schedule (UTC): 17 3 * * *\n');
  });

  it('leaves no connection to a bucket of backups open', async () => {
    const bucket = createServer({ keepAliveTimeout: 0 }, (_request, response) => {
      response.setHeader('content-type', 'application/xml').end('<ListBucketResult/>');
    });
    const port = await listenOnLoopback(bucket);
    const withBucket = await createApp(
      {
        BACKUP_TO: 's3://sets',
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
      },
      ...noJobs,
    );
    const { backups } = (await withBucket.inject({ ...local, headers: json })).json();
    expect(backups.value).toEqual({ schedule: null, count: 0, newest: null });
    await expect.poll(() => promisify(bucket.getConnections.bind(bucket))()).toBe(0);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
  ])('requests the certificate at the address %s', async (address, host) => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, address);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = Object(server.address());
    const secure = await createApp({ PUBLIC_URL: `https://${host}:${port}` }, ...noJobs);
    await secure.inject({ ...local, headers: json });
    expect(connections).toBe(1);
  });

  it('shows what it can read where a section cannot be read', async () => {
    const file = join(directory, 'a file');
    await writeFile(file, '');
    const broken = await createApp(
      { BACKUP_TO: `file:${join(file, 'backups')}`, PUBLIC_URL: 'https://127.0.0.1:1' },
      ...noJobs,
    );
    const status = (await broken.inject({ ...local, headers: json })).json();
    expect([status.backups.state, status.certificate.state, status.jobs.state]).toEqual([
      'failed',
      'failed',
      'ok',
    ]);
    const text = toText(await readPage('en', broken));
    expect(text).toContain('Certificate of PUBLIC_URL: This could not be read.');
    expect(text).toContain('Connections: ');
  });
});

describe('the replica of DATABASE_READ_URL', () => {
  const { host, user, database } = connection;
  const DATABASE_URL = `postgres://${user}@database/${database}?host=${host}`;

  it('has no row where there is none', async () => {
    expect(toText(await readPage())).not.toContain('Replica that lists are read from');
  });

  it.each([
    ['0 MB behind', DATABASE_URL],
    ['unreachable, the primary is read', 'postgres://escucho@127.0.0.1:1/escucho'],
  ])('is %s', async (state, DATABASE_READ_URL) => {
    const withReplica = await createApp({ DATABASE_URL, DATABASE_READ_URL }, ...noJobs);
    const text = toText(await readPage('en', withReplica));
    expect(text).toContain(`Replica that lists are read from: ${state}\n`);
    expect(text).toContain('Connections: ');
  });
});

describe('access to the status', () => {
  it('is hidden from other machines without METRICS_TOKEN', async () => {
    expect((await app.inject({ url: '/status', remoteAddress: '10.0.0.9' })).statusCode).toBe(404);
    const proxied = await app.inject({ ...local, headers: { 'x-forwarded-for': '10.0.0.9' } });
    expect(proxied.statusCode).toBe(404);
  });

  it('is hidden without METRICS_TOKEN from pages with names of others', async () => {
    expect((await app.inject({ ...local, authority: 'evil.example' })).statusCode).toBe(404);
  });

  it.each([
    ['nothing', undefined, 401],
    ['a wrong bearer token', 'Bearer another token of the operator', 401],
    ['a wrong password', `Basic ${btoa('admin:another token of the operator')}`, 401],
    ['the token without a scheme', 'the token of the operator', 401],
    ['the bearer token', 'Bearer the-token:of-the-operator', 200],
    ['the token as the password of any name', `Basic ${btoa('admin:the-token:of-the-operator')}`, 200],
  ])('with METRICS_TOKEN, %s has its status', async (_, authorization, status) => {
    const guarded = await createApp({ METRICS_TOKEN: 'the-token:of-the-operator' }, ...noJobs);
    const headers = authorization === undefined ? {} : { authorization };
    const response = await guarded.inject({ ...local, headers });
    expect(response.statusCode).toBe(status);
    if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Basic realm="Escucho"/);
    expect(response.body.includes('PostgreSQL')).toBe(status === 200);
  });
});
