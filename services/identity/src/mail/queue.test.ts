import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { createSmtpTransport } from '@escucho/service-kit';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets } from '../crypto.ts';
import { openIdentityDatabase } from '../database.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { clientId, password, poolId, secret, startPool } from '../testing/pool.ts';
import { createPostman, queueMailer, retryDelay } from './queue.ts';
import { createCodeMail } from './templates.ts';

const from = 'Escucho <no-reply@escucho.test>';
const connection = await createTestDatabase();
const secrets = createSecrets(secret, poolId);
const db = openIdentityDatabase(connection, 'test', 4);
afterAll(() => db.destroy());

const minute = 60_000;
const start = new Date('2026-03-01T12:00:00Z');
const time = { now: start };
const clock = () => time.now;
const log: string[] = [];
beforeEach(async () => {
  time.now = start;
  log.length = 0;
  await db.deleteFrom('queued_mail').execute();
});

const later = (milliseconds: number) => {
  time.now = new Date(time.now.getTime() + milliseconds);
};

function postman(url: string) {
  const letterbox = createSmtpTransport({ url, from });
  const report = (detail: object, message: string) => log.push(`${message} ${JSON.stringify(detail)}`);
  return createPostman({ db, secrets, letterbox, report, clock });
}

async function post(to: string, code = '123456') {
  const mail = {
    accountId: randomUUID(),
    to,
    ...createCodeMail('sign-up', code, 'en'),
    code,
    createdAt: clock(),
  };
  const expiresAt = new Date(clock().getTime() + 24 * 60 * minute);
  await db.transaction().execute((tx) => queueMailer(secrets).enqueue(tx, { ...mail, expiresAt }));
}

const waiting = () => db.selectFrom('queued_mail').selectAll().execute();

describe('the queue', () => {
  it('[IDP-04] sends a mail once, as text and as a page, from the address of the installation', async () => {
    const server = await startMailServer();
    await post('ana@reader.test', '007123');
    await postman(server.url).round();
    await postman(server.url).round();
    expect(server.received).toHaveLength(1);
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ana@reader.test']);
    expect(mail?.raw).toMatch(/^From: Escucho <no-reply@escucho.test>\r$/m);
    expect(mail?.raw).toMatch(/^Subject: Confirm your Escucho account\r$/m);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@escucho.test>\r$/m);
    expect(mail?.raw).toMatch(
      /Content-Type: text\/plain[\s\S]*007123[\s\S]*Content-Type: text\/html[\s\S]*007123/,
    );
    expect(await waiting()).toEqual([]);
    expect(log).toEqual([]);
    await server.stop();
  });

  it('[IDP-04] keeps mail while the server cannot be reached, waits longer each time, and goes on after a restart', async () => {
    const server = await startMailServer();
    await server.stop();
    await post('ana@reader.test');
    for (const [attempt, wait] of [5000, 10_000, 20_000].entries()) {
      await postman(server.url).round();
      const [mail] = await waiting();
      expect(mail?.attempts).toBe(attempt + 1);
      later(wait - 1);
      await postman(server.url).round();
      expect((await waiting())[0]?.attempts).toBe(attempt + 1);
      later(1);
    }
    const back = await startMailServer({ port: server.port });
    await postman(back.url).round();
    expect(back.received).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    await back.stop();
  });

  it('[IDP-04] many processes send each mail once', async () => {
    const server = await startMailServer();
    const addresses = Array.from({ length: 12 }, () => `${randomUUID()}@reader.test`);
    for (const address of addresses) await post(address);
    await Promise.all([1, 2, 3].map(() => postman(server.url).round()));
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
    await server.stop();
  });

  it('[IDP-04] gives up what the server refuses for good, and sends the rest', async () => {
    const server = await startMailServer({ rejects: 'nobody@reader.test' });
    await post('nobody@reader.test');
    later(1);
    await post('ana@reader.test');
    await postman(server.url).round();
    expect(server.received.map(({ to }) => to)).toEqual([['ana@reader.test']]);
    expect(await waiting()).toEqual([]);
    expect(log.join()).toContain('refuses it');
    await server.stop();
  });

  it('[IDP-04] gives up a mail whose code is of no use any more', async () => {
    const server = await startMailServer();
    await post('ana@reader.test');
    later(24 * 60 * minute);
    await postman(server.url).round();
    expect(server.received).toEqual([]);
    expect(await waiting()).toEqual([]);
    await server.stop();
  });

  it('[IDP-03] holds no code in the clear, and the log neither codes nor addresses', async () => {
    const server = await startMailServer({ rejects: 'nobody@reader.test' });
    await post('nobody@reader.test', '918273');
    const [mail] = await waiting();
    expect(JSON.stringify(mail)).not.toContain('918273');
    expect(mail?.sealed.includes(Buffer.from('918273'))).toBe(false);
    await postman(server.url).round();
    expect(log.join()).not.toMatch(/918273|nobody@/);
    await server.stop();
  });

  it.each([
    [1, 5000],
    [2, 10_000],
    [7, 320_000],
    [8, 600_000],
    [500, 600_000],
  ])('[IDP-04] after failure %i waits %i ms', (failures, wait) => {
    expect(retryDelay(failures)).toBe(wait);
  });
});

describe('a provider with a mail server', () => {
  it('[IDP-04] mails the code of a sign-up, in both languages where the reader’s is not known', async () => {
    const server = await startMailServer();
    const pool = await startPool(connection, { smtp: { url: server.url, from } });
    const email = `ana-${randomUUID()}@reader.test`;
    const arrived = server.nextMail();
    expect((await pool.signUp(email)).status).toBe(200);
    await arrived;
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

  it('[IDP-04] without a reachable one, sign-up works all the same, and the mail goes once there is one', async () => {
    const server = await startMailServer();
    await server.stop();
    const pool = await startPool(connection, { smtp: { url: server.url, from } });
    const email = `ana-${randomUUID()}@reader.test`;
    expect((await pool.signUp(email)).status).toBe(200);
    await pool.app.close();
    const [mail] = await waiting();
    expect(mail?.recipient).toBe(email);
    const back = await startMailServer({ port: server.port });
    const arrived = back.nextMail();
    const again = await startPool(connection, {
      smtp: { url: back.url, from },
      clock: () => new Date(Date.now() + minute),
    });
    await arrived;
    expect(back.received[0]?.to).toEqual([email]);
    await again.app.close();
    await back.stop();
  });
});

describe('the page of a mail', () => {
  it('[IDP-04] has a card for each language, fetches nothing, runs nothing', () => {
    const { html } = createCodeMail('reset', '123456', undefined);
    expect(html).toContain('<div lang="en"');
    expect(html).toContain('<div lang="es"');
    expect(html).not.toMatch(/<script|<img|<link|https?:|url\(/);
    expect(createCodeMail('reset', '123456', 'es').html).toContain('<html lang="es">');
  });
});
