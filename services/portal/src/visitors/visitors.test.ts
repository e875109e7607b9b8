import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { expect, it } from 'vitest';
import { writeArticle } from '../testing/library.ts';
import { startPortal } from '../testing/portal.ts';

const { app, send, articleId, paths, loadLibrary, clock, db } = await startPortal();
const { findShowcase, findPreview } = api.visitors;
const getShowcase = async (language: string) => (await send(findShowcase, { query: { language } })).json();

it('visitors get a free sample whose audio plays, and the newest articles of a language', async () => {
  const { sample, newest, totalDocs } = await getShowcase('en');
  expect(sample).toMatchObject({ title: 'The green-door', level: 'A2', narrator: { name: 'Amelia' } });
  expect(sample.sentences[1]).toMatchObject({ text: 'The second sentence.', start: 1.5, end: 3 });
  expect((await app.inject(sample.url)).headers['content-type']).toBe('audio/mpeg');
  expect(newest[0]).toMatchObject({ _id: articleId('green-door'), title: 'The green-door', duration: 100.5 });
  expect((await app.inject(newest[0].image)).statusCode).toBe(200);
  expect([newest.length, totalDocs]).toEqual([4, 4]);
  // Only the sample has audio.
  expect(JSON.stringify(newest)).not.toContain('mp3');
});

it('[CAT-10] the showcase follows the catalogue within a minute', async () => {
  await getShowcase('es');
  await writeArticle(paths.content, 'la-luna', { language: 'es', level: 'A1', published: '2026-10-01' });
  await loadLibrary();
  clock.advance(61);
  expect((await getShowcase('es')).sample.title).toBe('The la-luna');
});

it('has no sample where all free articles are long', async () => {
  await db.updateTable('article').set({ duration: 400 }).where('language', '=', 'es').execute();
  clock.advance(61);
  expect((await getShowcase('es')).sample).toBeNull();
});

it('caches may keep successful responses, not errors', async () => {
  const found = await send(findPreview, { params: { id: articleId('green-door') } });
  const missing = await send(findPreview, { params: { id: randomUUID() } });
  expect([found.headers['cache-control'], missing.statusCode, missing.headers['cache-control']]).toEqual([
    'public, max-age=60',
    404,
    'no-store',
  ]);
});

it('a preview has title, summary and covers, and no audio', async () => {
  const response = await send(findPreview, { params: { id: articleId('green-door') } });
  expect(response.json()).toEqual({
    _id: articleId('green-door'),
    title: 'The green-door',
    summary: 'All about the green-door.',
    kind: 'article',
    language: 'en',
    level: 'A2',
    duration: 100.5,
    image: expect.stringMatching(/\.avif\?expires=/),
    artwork: expect.stringMatching(/\.webp\?expires=/),
  });
});
