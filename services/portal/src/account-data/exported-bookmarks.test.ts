import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { expect, it } from 'vitest';
import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';

const { call, administer, ana, ferry } = await startCatalogueAdminTest();

it.each([
  ['published', 'bookmark'],
  ['unpublished', 'withdrawn_row'],
])('[SHELL-03] the export has each note once, and the title of a track that is %s', async (state, table) => {
  const body = { track: ferry, position: 12, note: 'Canción.' };
  await call(api.bookmarks.saveBookmark, ana.token, { params: { id: randomUUID() }, body });
  if (state === 'unpublished') await administer((admin) => admin.unpublish('night-ferry'));
  const { records, articleTitles } = await call(api.account.exportAccount, ana.token, {});
  expect(records[table]).toMatchObject([{ article_id: ferry }]);
  expect(JSON.stringify(records).match(/canci[oó]n/gi)).toEqual(['Canción']);
  expect(articleTitles).toEqual({ [ferry]: 'The night-ferry' });
});
