import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, reader, article } = await startPortal();
const { token } = await reader({ subscribed: true });

const search = (q: string, query: object = {}) => call(api.search.search, token, { query: { q, ...query } });
const found = async (q: string, query: object = {}) =>
  (await search(q, query)).docs.map(({ track }) => track._id);

describe('search', () => {
  it('[CAT-03] finds by the beginning of a title', async () => {
    expect(await found('green do')).toEqual([article('green-door')]);
  });
  it('[CAT-03] a word of the text comes with its sentence and second', async () => {
    const { docs } = await search('began');
    expect(docs).toMatchObject([
      { where: 'text', sentence: { text: 'It began.', start: 0, marks: [[3, 8]] } },
    ]);
  });
});
