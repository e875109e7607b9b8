import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'zod/mini';
import { articleFileSchema } from '../catalogue-loader/article-files.ts';
import { createStableId } from '../catalogue-loader/article-writer.ts';
import { createCatalogueLoaderRepository } from '../catalogue-loader/repository.ts';
import type { Database } from '../database.ts';

/** Returns bytes that start like an MP3 and differ by offset and seed. */
export function createMp3(seed: number, size = 4096): Buffer {
  const bytes = Buffer.alloc(size, 0);
  for (let offset = 0; offset < size; offset += 1)
    bytes.writeUInt8((offset * 7 + seed * 31 + (offset >> 8)) % 256, offset);
  bytes.write('ID3', 0);
  return bytes;
}

const sentence = (text: string, start: number) => ({
  text,
  translation: `(${text})`,
  start,
  end: start + 1.5,
  paragraph: 0,
  chapter: null,
  page: null,
});

/** Returns the content of a valid article.json with changes. */
export function createArticle(slug: string, changes: Record<string, unknown> = {}) {
  return {
    slug,
    title: `The ${slug}`,
    language: 'en',
    translationLanguage: 'es',
    level: 'B1',
    kind: 'article',
    topic: 'travel',
    summary: `All about the ${slug}.`,
    published: '2026-09-14',
    narrator: { name: 'Amelia', image: 'narrators/amelia.avif' },
    duration: 100.5,
    audio: { file: 'audio.mp3', codec: 'mp3', bitrate: 48000, sampleRate: 24000, loudness: -18 },
    chapters: [],
    pages: [],
    sentences: [sentence('The first sentence.', 0), sentence('The second sentence.', 1.5)],
    ...changes,
  };
}

/** Writes an article folder with small files into a content directory. */
export async function writeArticle(directory: string, slug: string, changes: Record<string, unknown> = {}) {
  const folder = join(directory, 'library', slug);
  await mkdir(folder, { recursive: true });
  await mkdir(join(directory, 'library', 'narrators'), { recursive: true });
  const article = createArticle(slug, changes);
  const seed = [...slug].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  await writeFile(join(folder, 'article.json'), JSON.stringify(article));
  await writeFile(join(folder, 'audio.mp3'), createMp3(seed));
  await writeFile(join(folder, 'cover-320.avif'), `small cover of ${slug}`);
  await writeFile(join(folder, 'cover-640.webp'), `large cover of ${slug}`);
  for (const name of ['page-01', 'page-02'])
    await writeFile(join(folder, `${name}.avif`), `${name} of ${slug}`);
  await writeFile(join(directory, 'library', 'narrators', 'amelia.avif'), 'portrait of amelia');
}

export async function writePlaylists(directory: string, entries: unknown) {
  await writeFile(join(directory, 'playlists.json'), JSON.stringify(entries));
}

/** Writes three articles, an audiobook, a visual book, and the playlists 'Latest articles', 'Travel' and an empty one. */
export async function writeLibrary(directory: string): Promise<void> {
  await writeArticle(directory, 'night-ferry');
  await writeArticle(directory, 'green-door', { published: '2026-09-15', level: 'A2' });
  await writeArticle(directory, 'el-gato', { language: 'es', translationLanguage: 'en' });
  await writeArticle(directory, 'long-walk', {
    kind: 'audiobook',
    duration: 4000,
    chapters: [{ title: 'One', start: 0 }],
    sentences: [{ ...sentence('It began.', 0), chapter: 0 }],
  });
  await writeArticle(directory, 'picture-book', {
    kind: 'visual-book',
    pages: [
      { title: 'Morning', picture: 'page-01', alt: 'A hill', start: 0 },
      { title: 'Evening', picture: 'page-02', alt: 'A lake', start: 2 },
    ],
    sentences: [
      { ...sentence('Good morning.', 0), page: 0 },
      { ...sentence('Good night.', 2), page: 1 },
    ],
  });
  await writePlaylists(directory, [
    {
      key: 'latest',
      name: 'Latest articles',
      titles: { en: 'Latest articles', es: 'Últimos artículos' },
      articles: ['night-ferry', 'green-door', 'el-gato', 'long-walk', 'picture-book'],
    },
    {
      key: 'travel',
      name: 'Travel',
      titles: { en: 'Travel', es: 'Viajes' },
      articles: ['green-door', 'night-ferry'],
    },
    { key: 'later', name: 'Later', titles: { en: 'Later', es: 'Más tarde' }, articles: [] },
  ]);
}

const demoLibrary = fileURLToPath(new URL('../../../../content/library', import.meta.url));

/** Saves articles, given as the content of their article.json, without media files. */
export async function saveArticles(db: Database, articles: readonly unknown[]): Promise<void> {
  const repository = createCatalogueLoaderRepository(db);
  for (const article of articles) {
    const content = parse(articleFileSchema, article);
    const { slug, pages } = content;
    const media = { image: 'a', artwork: 'b', audio: slug, portrait: null, pages: pages.map(() => 'c') };
    await repository.saveArticle(createStableId('article', slug), content, media, {
      stamp: slug,
      hash: slug,
    });
  }
}

/** Saves the articles of the demo library without media files. */
export async function loadDemoLibrary(db: Database): Promise<void> {
  const folders = (await readdir(demoLibrary)).filter((name) => !/^(brand|narrators)$/.test(name));
  const files = folders.map((slug) => readFile(join(demoLibrary, slug, 'article.json'), 'utf8'));
  await saveArticles(
    db,
    (await Promise.all(files)).map((json) => JSON.parse(json)),
  );
}
