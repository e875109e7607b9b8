import { api } from '@escucho/contracts';
import { silentLog as log } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { describeNewArticles, withCatalogueAdmin } from '../content.ts';
import { startPortal } from '../testing/portal.ts';

const { call, createUser, db, clock, connection, store, loadLibrary } = await startPortal();
const { findNotifications } = api.notifications;
const { token } = await createUser();

describe('notifications', () => {
  it.each([
    ['en', 'Welcome to Escucho'],
    ['es', 'Te damos la bienvenida a Escucho'],
    ['es-PE,es;q=0.9,en;q=0.8', 'Te damos la bienvenida a Escucho'],
    ['fr', 'Welcome to Escucho'],
  ])('[CAT-07] welcomes a new user in the requested language: %s', async (language, title) => {
    const headers = { 'accept-language': language };
    const { docs, totalDocs } = await call(findNotifications, token, { query: {} }, headers);
    expect(totalDocs).toBe(1);
    expect(docs).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title,
        body: expect.stringMatching(/\w{3}/),
        createdAt: '2026-11-20T10:00:00.000Z',
      },
    ]);
  });

  it('[CAT-07] [API-01] returns the newest ten first, the rest on the next page', async () => {
    for (let number = 1; number <= 12; number += 1) {
      clock.advance(1);
      const words = { title_en: `News ${number}`, title_es: `Novedad ${number}`, body_en: 'b', body_es: 'b' };
      await db
        .insertInto('notification')
        .values({ ...words, created_at: clock.now() })
        .execute();
    }
    const page = async (number: number) => {
      const query = { page: number, sorter: JSON.stringify({ createdAt: 'desc' }) };
      const { docs, totalDocs } = await call(findNotifications, token, { query });
      return [docs.map(({ title }) => title), totalDocs];
    };
    const news = Array.from({ length: 12 }, (_, index) => `News ${12 - index}`);
    expect(await page(1)).toEqual([news.slice(0, 10), 13]);
    expect(await page(2)).toEqual([[...news.slice(10), 'Welcome to Escucho'], 13]);
    expect(await page(3)).toEqual([[], 13]);
  });

  it.each([1, 'asc'] as const)('[API-01] returns the oldest first when sorted by %s', async (createdAt) => {
    const query = { limit: 2, sorter: JSON.stringify({ createdAt }) };
    const { docs } = await call(findNotifications, token, { query });
    expect(docs.map(({ title }) => title)).toEqual(['Welcome to Escucho', 'News 1']);
  });

  it('[CAT-07] a retracted one leaves the list and is not published again', async () => {
    const seen = async () => {
      const { docs, totalDocs } = await call(findNotifications, token, { query: { page: 2 } });
      return [docs.map(({ title }) => title), totalDocs];
    };
    await withCatalogueAdmin({ connection, mediaStore: store, log, clock: clock.now }, async (admin) => {
      const welcome = (await admin.findNotifications()).at(-1);
      expect(await admin.retractNotification(welcome?.id ?? '')).toBe('Welcome to Escucho');
      await expect(admin.retractNotification(welcome?.id ?? '')).rejects.toThrow('There is no notification');
      await expect(admin.retractNotification('nonsense')).rejects.toThrow(
        'There is no notification nonsense.',
      );
    });
    await loadLibrary();
    expect(await seen()).toEqual([['News 2', 'News 1'], 12]);
  });
});

it('[CAT-07] a notification about new articles is cut between characters', () => {
  const { bodyEn } = describeNewArticles(['a'.repeat(300), `${'b'.repeat(185)}😀 and more`]);
  expect(bodyEn).toBe(`${'a'.repeat(300)} · ${'b'.repeat(185)}…`);
});
