import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { deleteExpiredRows } from '../expiry-repository.ts';
import { clientId, createTestPool, newAddress } from '../testing/pool.ts';
import { renderOutboxPage } from './outbox.ts';

const { pool, db } = await createTestPool();

async function mailFor(email: string): Promise<Record<string, string>[]> {
  return (await pool.app.inject(`/outbox/messages?to=${encodeURIComponent(email)}`)).json();
}

describe('mail', () => {
  it.each([
    [
      'ClientMetadata',
      { ClientMetadata: { language: 'es' } },
      { 'accept-language': 'en' },
      ['Te damos la bienvenida'],
    ],
    [
      'the cookie of the web app',
      {},
      { cookie: 'a=b; language=es', 'accept-language': 'en' },
      ['Te damos la bienvenida'],
    ],
    ['Accept-Language', {}, { 'accept-language': 'es-PE,es;q=0.9,en;q=0.5' }, ['Te damos la bienvenida']],
    ['English first', {}, { 'accept-language': 'en-GB,es;q=0.5' }, ['Welcome to Escucho']],
    [
      'neither',
      { ClientMetadata: { language: 'fr' } },
      { 'accept-language': 'fr' },
      ['Welcome to Escucho', 'Te damos la bienvenida'],
    ],
    ['nothing', {}, {}, ['Welcome to Escucho', 'Te damos la bienvenida']],
  ])('[IDP-04] is in the language of the user by %s', async (_, overrides, headers, phrases) => {
    const email = newAddress();
    const body = { ClientId: clientId, Username: email, Password: 'Escucho2026', ...overrides };
    await pool.call('SignUp', body, { headers });
    const [mail] = await mailFor(email);
    const found = ['Welcome to Escucho', 'Te damos la bienvenida'].filter((phrase) =>
      mail?.text?.includes(phrase),
    );
    expect(found).toEqual(phrases);
    expect(mail?.text).toContain(mail?.code);
  });

  it('[IDP-04] lists the mail to an address in any case, newest first', async () => {
    const email = newAddress();
    await pool.signUp(email);
    await pool.withClockAdvanced(1000, () =>
      pool.call('ResendConfirmationCode', { ClientId: clientId, Username: email }),
    );
    const mails = await mailFor(email.toUpperCase());
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(Object.keys(mail).sort()).toEqual(['code', 'createdAt', 'subject', 'text', 'to']);
      expect(mail.to).toBe(email);
      expect(mail.code).toMatch(/^\d{6}$/);
    }
    expect(String(mails[0]?.createdAt) > String(mails[1]?.createdAt)).toBe(true);
    expect(mails[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('[IDP-03] is stored encrypted, and deleted once its code has expired', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const [mail] = await mailFor(email);
    const { rows } = await sql<{ row: string }>`
      select outbox_mail::text as row from outbox_mail where recipient = ${email}`.execute(db);
    const stored = rows.map(({ row }) => row).join();
    expect(stored).not.toContain(mail?.code);
    expect(stored).not.toContain(Buffer.from(mail?.code ?? '').toString('hex'));
    expect(stored).not.toContain('Welcome');
    const day = 24 * 3_600_000;
    await deleteExpiredRows(db, new Date(pool.clock().getTime() + day - 1000));
    expect(await mailFor(email)).toHaveLength(1);
    await deleteExpiredRows(db, new Date(pool.clock().getTime() + day));
    expect(await mailFor(email)).toEqual([]);
  });

  it.each(['?to=a%00b', '?to=a&to=b', `?to=${'x'.repeat(321)}`])('[IDP-04] %s is refused', async (query) => {
    for (const path of ['/outbox/messages', '/outbox']) {
      expect((await pool.app.inject(`${path}${query}`)).statusCode).toBe(400);
    }
  });
});

describe('the outbox page', () => {
  const page = (language: string, query = '') =>
    pool.app.inject({ url: `/outbox${query}`, headers: { 'accept-language': language } });

  it('[IDP-04] shows codes in the language of the user', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    const english = await page('en');
    expect(english.body).toContain('<html lang="en">');
    expect(english.body).toContain(`<strong class="code">${code}</strong>`);
    expect((await page('es', `?to=${email}`)).body).toContain('<h1>Bandeja de salida</h1>');
    expect((await page('en', '?to=nobody@escucho.test')).body).toContain('No mail for this address yet.');
  });

  it('[IDP-04] has no scripts, and headers against framing, other origins and caching', async () => {
    const { headers, body } = await page('en');
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(body).not.toMatch(/<script| style=| on\w+=/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('[IDP-04] escapes the content of a mail', () => {
    const attack = `"><script>alert('1')</script>&`;
    const mail = { to: attack, subject: attack, text: attack, code: attack, createdAt: new Date(0) };
    const html = renderOutboxPage('en', [mail], undefined);
    expect(html).not.toContain('<script');
    expect(html).not.toContain(`"><`.concat('s'));
    expect(html).toContain('&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;');
  });
});
