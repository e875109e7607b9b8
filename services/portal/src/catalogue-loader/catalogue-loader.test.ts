import { readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createArticle, createMp3, writeArticle, writeLibrary, writePlaylists } from '../testing/library.ts';
import { startPortal } from '../testing/portal.ts';

const portal = await startPortal();
const { loadLibrary, call, createUser, db, store, paths, articleId, playlistId, app, clock } = portal;
const { subject } = await createUser({ subscribed: true });
const token = await portal.issuer.access(subject, { lifetime: 1_000_000 });
const library = join(paths.content, 'library');
const all = ['el-gato', 'green-door', 'long-walk', 'night-ferry', 'picture-book'];

const tables = ['narrator', 'article', 'sentence', 'playlist', 'playlist_item', 'notification'] as const;
/** Returns every row with the transaction that last wrote it, to prove that nothing was written. */
async function readAllRows() {
  const rows = tables.map((table) =>
    db.selectFrom(table).selectAll().select(sql<string>`xmin::text`.as('written')).execute(),
  );
  return JSON.stringify(await Promise.all(rows));
}
async function listStoredFiles(): Promise<string[]> {
  const names = await readdir(join(paths.directory, 'media'), { recursive: true, withFileTypes: true });
  return names
    .filter((name) => name.isFile())
    .map(({ name }) => name)
    .sort();
}
const loadWithWarnings = async () => {
  const warnings: string[] = [];
  const log = {
    info() {},
    error() {},
    warn: (details: object) => void warnings.push(JSON.stringify(details)),
  };
  return { ...(await loadLibrary(log)), warnings };
};
const findTracks = async (key: string) => {
  const { docs } = await call(api.playlists.findPlaylistContent, token, {
    params: { id: playlistId(key) },
    query: {},
  });
  return docs.map(({ _id }) => _id);
};

beforeEach(async () => {
  await rm(paths.content, { recursive: true });
  await writeLibrary(paths.content);
  await loadLibrary();
});

it('[CAT-03] accents that a file has as characters of their own are composed', async () => {
  const [first] = createArticle('el-gato').sentences;
  const sentences = [{ ...first, text: 'Un niño.'.normalize('NFD') }];
  await writeArticle(paths.content, 'el-gato', {
    narrator: { name: 'José'.normalize('NFD'), image: null },
    sentences,
  });
  await loadLibrary();
  const query = { narrator: 'José'.normalize('NFC') };
  expect((await call(api.catalogue.findArticles, token, { query })).docs).toHaveLength(1);
  const { docs } = await call(api.catalogue.search, token, { query: { q: 'nino' } });
  expect(docs).toMatchObject([{ where: 'text', sentence: { text: 'Un niño.'.normalize('NFC') } }]);
});

describe('a second load', () => {
  it('writes nothing when nothing has changed', async () => {
    const [rows, files] = [await readAllRows(), await listStoredFiles()];
    clock.advance(3600);
    expect(await loadWithWarnings()).toEqual({ loaded: [], unchanged: all, failed: [], warnings: [] });
    expect(await readAllRows()).toBe(rows);
    expect(await listStoredFiles()).toEqual(files);
  });

  it('stores equal files once, under the hash of their content', async () => {
    // Five articles of three files, one portrait, two pages.
    expect(await listStoredFiles()).toHaveLength(5 * 3 + 1 + 2);
    const { audio } = await db
      .selectFrom('article')
      .select('audio')
      .where('slug', '=', 'el-gato')
      .executeTakeFirstOrThrow();
    const stored = await readFile(join(paths.directory, 'media', audio));
    expect(stored.equals(await readFile(join(library, 'el-gato', 'audio.mp3')))).toBe(true);
  });

  it('ignores files with a new date and the same content', async () => {
    const before = await call(api.catalogue.findArticle, token, { params: { id: articleId('el-gato') } });
    await utimes(join(library, 'el-gato', 'audio.mp3'), new Date(0), new Date(0));
    expect(await loadLibrary()).toEqual({ loaded: [], unchanged: all, failed: [] });
    expect(await call(api.catalogue.findArticle, token, { params: { id: articleId('el-gato') } })).toEqual(
      before,
    );
    const rows = await readAllRows();
    await loadLibrary();
    expect(await readAllRows()).toBe(rows);
  });

  it('updates only an article whose text changed', async () => {
    await writeFile(
      join(library, 'el-gato', 'article.json'),
      JSON.stringify(
        createArticle('el-gato', {
          title: 'El otro gato',
          sentences: createArticle('x').sentences.slice(0, 1),
        }),
      ),
    );
    expect((await loadLibrary()).loaded).toEqual(['el-gato']);
    const after = await call(api.catalogue.findArticle, token, { params: { id: articleId('el-gato') } });
    expect([after.title, after.sentences.length]).toEqual(['El otro gato', 1]);
  });

  it('stores changed audio under a new URL; the old URL remains valid', async () => {
    const getUrl = async () => {
      const sent = { params: { id: articleId('el-gato') }, query: {} };
      return (await call(api.listening.grantAudio, token, sent)).url;
    };
    const before = await getUrl();
    await writeFile(join(library, 'el-gato', 'audio.mp3'), createMp3(99, 5000));
    await loadLibrary();
    const after = await getUrl();
    expect(after.split('?')[0]).not.toBe(before.split('?')[0]);
    expect((await app.inject(after)).rawPayload.equals(createMp3(99, 5000))).toBe(true);
    expect((await app.inject(before)).statusCode).toBe(200);
  });

  it('restores a file that the media store lost', async () => {
    const { image } = await db
      .selectFrom('article')
      .select('image')
      .where('slug', '=', 'el-gato')
      .executeTakeFirstOrThrow();
    await unlink(join(paths.directory, 'media', image));
    expect((await loadLibrary()).loaded).toEqual(['el-gato']);
    expect(await store.stat(image)).toMatchObject({
      size: (await stat(join(library, 'el-gato', 'cover-320.avif'))).size,
    });
  });

  it('stores the measured loudness, or null when it was not measured', async () => {
    await writeArticle(paths.content, 'el-gato', { audio: { file: 'audio.mp3' } });
    await loadLibrary();
    const rows = await db.selectFrom('article').select(['slug', 'loudness']).orderBy('slug').execute();
    expect(rows.slice(0, 2)).toEqual([
      { slug: 'el-gato', loudness: null },
      { slug: 'green-door', loudness: -18 },
    ]);
  });

  it('ids are derived from the slug', () => {
    expect(articleId('night-ferry')).toBe('64caf27c-0e1d-880c-94c7-8c07d8eaef0d');
  });
});

it('an article without a portrait keeps its narrator’s existing portrait', async () => {
  await writeArticle(paths.content, 'plain-article', { narrator: { name: 'Amelia' } });
  await loadLibrary();
  const { narrator } = await call(api.catalogue.findArticle, token, {
    params: { id: articleId('plain-article') },
  });
  expect(narrator).toEqual({ name: 'Amelia', image: expect.stringContaining('.avif?') });
});

describe('system playlists', () => {
  it('take order, names and tracks from their file, and compute totals', async () => {
    await writePlaylists(paths.content, [
      {
        key: 'travel',
        name: 'Travels',
        titles: { en: 'T', es: 'V' },
        articles: ['long-walk', 'el-gato', 'long-walk'],
      },
    ]);
    await loadLibrary();
    expect(await findTracks('travel')).toEqual([articleId('long-walk'), articleId('el-gato')]);
    const sent = { params: { id: playlistId('travel') } };
    expect(await call(api.playlists.findPlaylist, token, sent)).toMatchObject({
      name: 'Travels',
      titles: { en: 'T', es: 'V' },
      totalTracks: 2,
      totalDuration: 4100.5,
    });
  });

  it('update their total when the duration of a track changes', async () => {
    await writeArticle(paths.content, 'el-gato', { duration: 200 });
    await loadLibrary();
    const sent = { params: { id: playlistId('latest') } };
    const { totalDuration } = await call(api.playlists.findPlaylist, token, sent);
    expect(totalDuration).toBeCloseTo(3 * 100.5 + 200 + 4000, 6);
  });

  it('skip unknown articles with a warning', async () => {
    const entry = {
      key: 'travel',
      name: 'Travel',
      titles: { en: 'T', es: 'V' },
      articles: ['nowhere', 'el-gato'],
    };
    await writePlaylists(paths.content, [entry]);
    expect((await loadWithWarnings()).warnings).toEqual([
      JSON.stringify({ playlist: 'travel', missing: ['nowhere'] }),
    ]);
    expect(await findTracks('travel')).toEqual([articleId('el-gato')]);
  });

  it('are skipped when playlists.json is invalid, while articles are loaded', async () => {
    await writePlaylists(paths.content, [{ key: 'Not A Key', name: '', titles: {}, articles: 'none' }]);
    await writeArticle(paths.content, 'fresh-article');
    const { loaded, failed } = await loadLibrary();
    expect(loaded).toEqual(['fresh-article']);
    expect(failed).toEqual([{ slug: 'playlists.json', reason: expect.stringContaining('0.key') }]);
    expect(await findTracks('travel')).toHaveLength(2);
  });

  it('are not replaced by each other where playlists.json has a key twice', async () => {
    const titles = { en: 'Travel', es: 'Viajes' };
    const names = ['One', 'Two'].map((name) => ({ key: 'travel', name, titles, articles: [] }));
    await writePlaylists(paths.content, names);
    expect((await loadLibrary()).failed).toEqual([
      { slug: 'playlists.json', reason: 'the file: has a key twice' },
    ]);
    expect(await findTracks('travel')).toHaveLength(2);
  });
});

describe('an invalid article', () => {
  const [first] = createArticle('x').sentences;
  it.each([
    ['no title', { title: undefined }, 'title'],
    ['an unknown language', { language: 'fr' }, 'language'],
    ['an unknown level', { level: 'Z9' }, 'level'],
    ['a date that is none', { published: '2026-02-31' }, 'published'],
    ['no duration', { duration: 0 }, 'duration'],
    ['NUL in a text', { summary: 'a\0b' }, 'summary'],
    ['no sentences', { sentences: [] }, 'sentences'],
    ['a sentence after the audio', { sentences: [{ ...first, start: 200, end: 201 }] }, 'sentences.0'],
    ['a sentence that ends before it starts', { sentences: [{ ...first, start: 2, end: 1 }] }, 'sentences.0'],
    ['a sentence of no chapter', { sentences: [{ ...first, chapter: 3 }] }, 'sentences.0.chapter'],
    ['a sentence of no page', { sentences: [{ ...first, page: 0 }] }, 'sentences.0.page'],
    ['a loudness that is none', { audio: { file: 'audio.mp3', loudness: 70 } }, 'audio.loudness'],
    ['audio outside its folder', { audio: { file: '../night-ferry/audio.mp3' } }, 'audio.file'],
    [
      'a portrait outside the library',
      { narrator: { name: 'A', image: '../../etc/x.avif' } },
      'narrator.image',
    ],
    [
      'a picture outside its folder',
      { pages: [{ title: 'a', picture: '../x', alt: 'a', start: 0 }] },
      'pages.0',
    ],
    ['a missing file', { audio: { file: 'other.mp3' } }, 'other.mp3'],
    ['another slug than its folder', { slug: 'another-slug' }, 'slug'],
  ])('is reported with the reason, and the others are loaded: %s', async (name, changes, reason) => {
    await writeArticle(paths.content, 'bad-article', changes);
    await writeArticle(paths.content, 'good-article', { summary: name });
    const { loaded, failed, warnings } = await loadWithWarnings();
    expect(loaded).toEqual(['good-article']);
    expect(failed).toEqual([{ slug: 'bad-article', reason: expect.stringContaining(reason) }]);
    expect(warnings[0]).toContain('bad-article');
    const stored = await db.selectFrom('article').select('slug').where('slug', '=', 'bad-article').execute();
    expect(stored).toEqual([]);
  });

  it.each([
    ['no JSON', '{"slug":'],
    ['not an object', '7'],
  ])('is reported: %s', async (_name, text) => {
    await writeArticle(paths.content, 'bad-article');
    await writeFile(join(library, 'bad-article', 'article.json'), text);
    expect((await loadLibrary()).failed).toMatchObject([{ slug: 'bad-article' }]);
  });

  it('keeps the stored version of an article that was valid before, also in playlists', async () => {
    await writeFile(join(library, 'green-door', 'article.json'), 'oops');
    expect((await loadLibrary()).failed).toEqual([{ slug: 'green-door', reason: 'is not JSON' }]);
    expect(await findTracks('travel')).toEqual([articleId('green-door'), articleId('night-ferry')]);
  });
});

describe('an empty directory', () => {
  it('loads nothing without an error', async () => {
    await rm(paths.content, { recursive: true });
    expect(await loadWithWarnings()).toEqual({ loaded: [], unchanged: [], failed: [], warnings: [] });
    expect(await findTracks('travel')).toHaveLength(2);
    await writeLibrary(paths.content);
  });
});
