import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { type JobWorker, openJobConnections, startJobWorker } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { createSmtpTransport } from '@escucho/service-kit';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets } from './crypto.ts';
import { openIdentityDatabase } from './database.ts';
import { createQueueMailer, createSendMailHandler } from './jobs.ts';
import { jobQueue } from './mail/repository.ts';
import { createMail as createCodeMail } from './mail/templates.ts';
import { startMailServer } from './testing/mail-server.ts';
import { clientId, password, poolId, secret, startPool } from './testing/pool.ts';
import { createUserRepository } from './users/repository.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const from = 'Escucho <no-reply@escucho.test>';
const connection = await createTestDatabase();
const secrets = createSecrets(secret, poolId);
const db = openIdentityDatabase(connection, 'test', 4);
afterAll(() => db.destroy());

const time = { now: Date.now() };
const clock = () => new Date(time.now);
const log: string[] = [];
const workers: JobWorker[] = [];
const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));
beforeEach(async () => {
  time.now = Date.now();
  log.length = 0;
  await sql`delete from identity_jobs._private_jobs`.execute(db);
});
afterEach(stopWorkers);

const write = (details: object, message: string) => log.push(`${message} ${JSON.stringify(details)}`);
const testLog = { info: write, warn: write, error: write };
const connections = await openJobConnections({ connection, workers: 3, log: testLog });
afterAll(connections.close);

async function startWorker(url: string): Promise<void> {
  const transport = await createSmtpTransport({ url, from });
  const handlers = [createSendMailHandler({ secrets, transport, log: testLog, clock })];
  workers.push(await startJobWorker({ queue: jobQueue, connections, handlers, log: testLog }));
}

async function enqueueMail(
  to: string,
  { code = '123456', deliver = true, accountId = randomUUID() } = {},
): Promise<void> {
  const mail = { accountId, to, ...createCodeMail('sign-up', code, 'en'), code, createdAt: clock() };
  const expiresAt = new Date(time.now + 24 * HOUR_MS);
  const mailer = createQueueMailer(secrets);
  await db.transaction().execute((tx) => mailer.enqueue(tx, { ...mail, expiresAt }, deliver));
}

interface QueuedJob {
  payload: { encryptedContent: string };
  attempts: number;
  retryDelaySeconds: number;
}

async function listJobs(): Promise<QueuedJob[]> {
  const { rows } = await sql<QueuedJob>`
    select *, extract(epoch from run_at - updated_at)::float as "retryDelaySeconds"
    from identity_jobs._private_jobs`.execute(db);
  return rows;
}

describe('the mail queue', () => {
  it('[IDP-04] sends a mail once, as text and HTML, from the configured address', async () => {
    const server = await startMailServer();
    await enqueueMail('ana@example.test', { code: '007123' });
    await startWorker(server.url);
    await settleJobs(db, jobQueue);
    await settleJobs(db, jobQueue, { advanceMs: HOUR_MS });
    expect(server.received).toHaveLength(1);
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ana@example.test']);
    expect(mail?.raw).toMatch(/^From: Escucho <no-reply@escucho.test>\r$/m);
    expect(mail?.raw).toMatch(/^Subject: Confirm your Escucho account\r$/m);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@escucho.test>\r$/m);
    expect(mail?.raw).toMatch(
      /Content-Type: text\/plain[\s\S]*007123[\s\S]*Content-Type: text\/html[\s\S]*007123/,
    );
    expect(await listJobs()).toEqual([]);
    expect(log).toEqual([]);
    await server.stop();
  });

  it.each([
    'ana@example.test, eve@example.test',
    'ana@example.test; eve@example.test',
    'ana@example.test <eve@example.test>',
    'friends: ana@example.test, eve@example.test;',
    'ana, eve@example.test',
  ])('[IDP-04] sends nothing to addresses inside of an address: %s', async (address) => {
    const server = await startMailServer();
    await enqueueMail(address);
    await startWorker(server.url);
    await settleJobs(db, jobQueue);
    // The server refuses the one recipient that it is asked about.
    expect(server.received).toEqual([]);
    expect(log.join()).toContain('the mail server rejected it');
    await server.stop();
  });

  it('[IDP-04] retries with growing delays while the server is down, also after a restart', async () => {
    const server = await startMailServer();
    await server.stop();
    await enqueueMail('ana@example.test');
    await startWorker(server.url);
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await settleJobs(db, jobQueue, { advanceMs: (delays.at(-1) ?? 0) * 1000 });
      const [job] = await listJobs();
      expect(job?.attempts).toBe(attempt);
      delays.push(job?.retryDelaySeconds ?? 0);
      expect(delays.at(-1)).toBeGreaterThan(Math.exp(attempt) - 0.1);
    }
    await stopWorkers();
    const restarted = await startMailServer({ port: server.port });
    await startWorker(restarted.url);
    await settleJobs(db, jobQueue, { advanceMs: MINUTE_MS });
    expect(restarted.received).toHaveLength(1);
    expect(await listJobs()).toEqual([]);
    await restarted.stop();
  });

  it('[IDP-04] several processes send each mail once', async () => {
    const server = await startMailServer();
    const addresses = Array.from({ length: 12 }, () => `${randomUUID()}@example.test`);
    for (const address of addresses) await enqueueMail(address);
    await Promise.all([1, 2, 3].map(() => startWorker(server.url)));
    await settleJobs(db, jobQueue);
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
    await server.stop();
  });

  it('[IDP-04] drops a mail the server rejects permanently, and sends the others', async () => {
    const server = await startMailServer({ rejects: 'nobody@example.test' });
    await enqueueMail('nobody@example.test');
    await enqueueMail('ana@example.test');
    await startWorker(server.url);
    await settleJobs(db, jobQueue);
    expect(server.received.map(({ to }) => to)).toEqual([['ana@example.test']]);
    expect(await listJobs()).toEqual([]);
    expect(log.join()).toContain('the mail server rejected it');
    await server.stop();
  });

  it.each([
    { at: 'MAIL FROM', status: 530, text: 'Authentication required' },
    { at: 'RCPT TO', status: 554, text: '5.7.1 Relay access denied' },
  ] as const)(
    '[IDP-04] keeps a mail whose sender is refused at $at, until it is accepted',
    async (refuses) => {
      const refusing = await startMailServer({ refuses });
      await enqueueMail('ana@example.test');
      await startWorker(refusing.url);
      await settleJobs(db, jobQueue);
      expect(await listJobs()).toHaveLength(1);
      await stopWorkers();
      await refusing.stop();

      const server = await startMailServer();
      await startWorker(server.url);
      await settleJobs(db, jobQueue, { advanceMs: MINUTE_MS });
      expect(server.received).toHaveLength(1);
      await server.stop();
    },
  );

  it('[IDP-04] drops a mail whose code has expired', async () => {
    const server = await startMailServer();
    await enqueueMail('ana@example.test');
    time.now += 24 * HOUR_MS;
    await startWorker(server.url);
    await settleJobs(db, jobQueue);
    expect(server.received).toEqual([]);
    expect(await listJobs()).toEqual([]);
    await server.stop();
  });

  it('[IDP-03] enqueues a mail that reaches nobody as well, but does not send it', async () => {
    const server = await startMailServer();
    await enqueueMail('nobody@example.test', { deliver: false });
    await enqueueMail('ana@example.test');
    const [decoy, real] = await listJobs();
    expect(Object.keys(Object(decoy?.payload))).toEqual(Object.keys(Object(real?.payload)));
    await startWorker(server.url);
    await settleJobs(db, jobQueue);
    expect(server.received.map(({ to }) => to)).toEqual([['ana@example.test']]);
    expect(await listJobs()).toEqual([]);
    expect(log).toEqual([]);
    await server.stop();
  });

  it('[IDP-01] deleting an account deletes its queued mail and no other', async () => {
    const accountId = randomUUID();
    await enqueueMail('ana@example.test', { accountId });
    await enqueueMail('ana@example.test', { accountId });
    await enqueueMail('eva@example.test');
    await createUserRepository(secrets).deleteUser(db, accountId);
    expect(await listJobs()).toHaveLength(1);
  });

  it('[IDP-03] stores no code in the clear, and logs neither codes nor addresses', async () => {
    const server = await startMailServer({ rejects: 'nobody@example.test' });
    await enqueueMail('nobody@example.test', { code: '918273' });
    const [job] = await listJobs();
    expect(JSON.stringify(job)).not.toMatch(/918273|nobody@/);
    const content = Buffer.from(job?.payload.encryptedContent ?? '', 'base64');
    expect(content.includes(Buffer.from('918273'))).toBe(false);
    await startWorker(server.url);
    await settleJobs(db, jobQueue);
    expect(log.join()).not.toMatch(/918273|nobody@/);
    await server.stop();
  });
});

describe('a provider with a mail server', () => {
  it('[IDP-04] mails the code of a sign-up, in both languages where the user’s is unknown', async () => {
    const server = await startMailServer();
    const pool = await startPool(connection, { smtp: { url: server.url, from } });
    const email = `ana-${randomUUID()}@example.test`;
    expect((await pool.signUp(email)).status).toBe(200);
    await settleJobs(db, jobQueue);
    const raw = server.received[0]?.raw ?? '';
    expect(raw).toContain('Welcome to Escucho!');
    expect(raw).toMatch(/Te damos la bienvenida/);
    const code = /Your confirmation code is (\d{6})/.exec(raw)?.[1] ?? '';
    const confirmation = { ClientId: clientId, Username: email, ConfirmationCode: code };
    expect((await pool.call('ConfirmSignUp', confirmation)).status).toBe(200);
    expect((await pool.signIn(email, password)).status).toBe(200);
    expect(await pool.listCodes(email)).toEqual([]);
    await pool.app.close();
    await server.stop();
  });

  it('[IDP-04] sign-up works while the server is down, and the mail is sent once it is up', async () => {
    const server = await startMailServer();
    await server.stop();
    const pool = await startPool(connection, { smtp: { url: server.url, from } });
    const email = `ana-${randomUUID()}@example.test`;
    expect((await pool.signUp(email)).status).toBe(200);
    await pool.app.close();
    expect(await listJobs()).toHaveLength(1);
    const restarted = await startMailServer({ port: server.port });
    const next = await startPool(connection, { smtp: { url: restarted.url, from } });
    await settleJobs(db, jobQueue, { advanceMs: MINUTE_MS });
    expect(restarted.received[0]?.to).toEqual([email]);
    await next.app.close();
    await restarted.stop();
  });

  it('[IDP-04] sends the code of the last request only, once the server is up', async () => {
    const server = await startMailServer();
    await server.stop();
    const pool = await startPool(connection, { smtp: { url: server.url, from } });
    const Username = `ana-${randomUUID()}@example.test`;
    await pool.signUp(Username);
    await settleJobs(db, jobQueue);
    const restarted = await startMailServer({ port: server.port });
    await pool.call('ResendConfirmationCode', { ClientId: clientId, Username });
    await settleJobs(db, jobQueue, { advanceMs: MINUTE_MS });
    expect(restarted.received).toHaveLength(1);
    const [, ConfirmationCode] =
      /Your confirmation code is (\d{6})/.exec(restarted.received[0]?.raw ?? '') ?? [];
    const confirmation = { ClientId: clientId, Username, ConfirmationCode };
    expect((await pool.call('ConfirmSignUp', confirmation)).status).toBe(200);
    await pool.app.close();
    await restarted.stop();
  });
});

describe('the HTML of a mail', () => {
  it('[IDP-04] has a card for each language, no scripts and no external resources', () => {
    const { html } = createCodeMail('reset', '123456', undefined);
    expect(html).toContain('<div lang="en"');
    expect(html).toContain('<div lang="es"');
    expect(html).not.toMatch(/<script|<img|<link|https?:|url\(/);
    expect(createCodeMail('reset', '123456', 'es').html).toContain('<html lang="es">');
  });
});
