import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addCleanup, silentLog as log } from '@escucho/database/testing';
import { loadLibrary } from '@escucho/portal';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { createSharedArticles } from './share-tags.ts';
import { prepareProduct } from './testing/product.ts';

const { directory, connection, mediaStore, createApp } = await prepareProduct();
const origin = 'https://escucho.example';
const app = await createApp({ DEMO: 'true', PUBLIC_URL: origin });

const article = {
  slug: 'a-cat',
  title: 'Cats & "dogs" <b>',
  language: 'es',
  translationLanguage: 'en',
  level: 'A1',
  kind: 'article',
  topic: 'animals',
  summary: 'Un gato.</title><script>alert(1)</script>',
  published: '2026-09-14',
  narrator: { name: 'Amelia', image: 'narrators/amelia.avif' },
  duration: 100.5,
  audio: { file: 'audio.mp3', codec: 'mp3', bitrate: 48000, sampleRate: 24000, loudness: -18 },
  chapters: [],
  pages: [],
  sentences: [
    { text: 'Un gato.', translation: null, start: 0, end: 1, paragraph: 0, chapter: null, page: null },
  ],
};

/** Loads the article into the catalogue, and returns its path. */
async function publishArticle(): Promise<string> {
  const library = join(directory, 'content', 'library');
  const files = {
    'a-cat/article.json': JSON.stringify(article),
    'a-cat/audio.mp3': 'ID3 sound',
    'a-cat/cover-320.avif': 'small',
    'a-cat/cover-640.webp': 'large',
    'narrators/amelia.avif': 'portrait',
    '../playlists.json': '[]',
  };
  await mkdir(join(library, 'a-cat'), { recursive: true });
  await mkdir(join(library, 'narrators'));
  for (const [path, text] of Object.entries(files)) await writeFile(join(library, path), text);
  await loadLibrary({ connection, mediaStore, directory: join(directory, 'content'), log });
  const { newest } = (await app.inject('/api/catalogue/showcase?language=es')).json();
  return `/articles/read/${newest[0]._id}`;
}

const findTag = (html: string, name: string) =>
  new RegExp(`<meta property="${name}" content="([^"]*)">`).exec(html)?.[1];

it('a link to an article shows its title, summary and cover, escaped', async () => {
  const path = await publishArticle();
  const { body, headers } = await app.inject(path);
  expect(headers['cache-control']).toBe('no-cache');
  expect(findTag(body, 'og:title')).toBe('Cats &amp; &quot;dogs&quot; &lt;b&gt;');
  expect(body).toContain('<title>Cats &amp; &quot;dogs&quot; &lt;b&gt; · Escucho</title>');
  expect(body).not.toContain('<script>alert');
  expect(findTag(body, 'og:url')).toBe(origin + path);
  expect(findTag(body, 'og:locale')).toBe('es_ES');
  const image = findTag(body, 'og:image')?.replaceAll('&amp;', '&') ?? '';
  expect(image).toMatch(/^https:\/\/escucho\.example\/media\/.*\.webp\?/);
  expect((await app.inject(image.replace(origin, ''))).body).toBe('large');
});

it.each([
  ['another page', '/discover', {}, 'en_GB', 'Learn a language by listening'],
  ['a Spanish browser', '/', { 'accept-language': 'es' }, 'es_ES', 'Aprende un idioma escuchando'],
  [
    'an unknown article',
    '/articles/read/00000000-0000-4000-8000-000000000009',
    {},
    'en_GB',
    'Learn a language by listening',
  ],
  ['an id that is none', "/articles/read/1'--", {}, 'en_GB', 'Learn a language by listening'],
])('a link to %s shows the picture of Escucho', async (_, url, headers, locale, description) => {
  const { statusCode, body } = await app.inject({ url, headers });
  expect(statusCode).toBe(200);
  expect(findTag(body, 'og:image')).toBe(`${origin}/share.png`);
  expect(findTag(body, 'og:locale')).toBe(locale);
  expect(findTag(body, 'og:description')).toContain(description);
});

it('a page is sent without tags of its article where the portal does not respond', async () => {
  const findArticle = createSharedArticles({ portal: undefined, origin: 'http://127.0.0.1:1' });
  const path = '/articles/read/00000000-0000-4000-8000-000000000001';
  expect(await findArticle(path, '127.0.0.1')).toBeUndefined();
});

it('the portal of another process gets the address of the visitor', async () => {
  const addresses: string[] = [];
  const portal = fastify({ trustProxy: 'loopback' });
  portal.get('/api/catalogue/preview/:id', async ({ ip }) => addresses.push(ip));
  addCleanup(() => portal.close());
  const origin = await portal.listen({ host: '127.0.0.1', port: 0 });
  const findArticle = createSharedArticles({ portal: undefined, origin });
  await findArticle('/articles/read/00000000-0000-4000-8000-000000000001', '203.0.113.7');
  expect(addresses).toEqual(['203.0.113.7']);
});

it('a page does not wait for a portal whose database is slow', async () => {
  const portal = fastify();
  portal.get('/api/catalogue/preview/:id', () => new Promise<never>(() => undefined));
  const findArticle = createSharedArticles({ portal, origin });
  const path = '/articles/read/00000000-0000-4000-8000-000000000001';
  expect(await findArticle(path, '127.0.0.1')).toBeUndefined();
});
