import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Article, describeArticle, readArticle } from './article.ts';
import { getDuration } from './mp3.ts';
import { readTexts, type SourceText } from './texts.ts';

const MAX_LIBRARY_BYTES = 55_000_000;
const durationMinutes = { min: 1, max: { article: 4, 'visual-book': 4, audiobook: 30 } };
const playlistSize = { min: 4, max: 12 };

/** The result of a check; the library is complete when there are no errors. */
interface LibraryCheck {
  errors: string[];
  articles: number;
  bytes: number;
}

interface Playlist {
  key: string;
  name: string;
  titles: { en?: string; es?: string };
  articles: string[];
}

/** Returns an article without times and measurements, as comparable text. */
function withoutMeasurements(article: Article): string {
  return JSON.stringify({
    ...article,
    duration: 0,
    audio: { ...article.audio, loudness: 0 },
    chapters: article.chapters.map((chapter) => ({ ...chapter, start: 0 })),
    pages: article.pages.map((page) => ({ ...page, start: 0 })),
    sentences: article.sentences.map((sentence) => ({ ...sentence, start: 0, end: 0 })),
  });
}

function checkTimes({ sentences, chapters, pages, duration }: Article): string[] {
  const errors: string[] = [];
  let previousEnd = 0;
  for (const [i, { start, end }] of sentences.entries()) {
    if (!(start > previousEnd && end > start))
      errors.push(`sentence ${i + 1} spans ${start}-${end}, after ${previousEnd}`);
    previousEnd = end;
  }
  if (!(previousEnd < duration))
    errors.push(`the last sentence ends at ${previousEnd}, the audio at ${duration}`);
  for (const [i, { start }] of [...chapters, ...pages].entries()) {
    const first = sentences.find((sentence) => (sentence.chapter ?? sentence.page) === i);
    const last = sentences.findLast((sentence) => (sentence.chapter ?? sentence.page ?? 0) < i);
    const isBetween = start <= (first?.start ?? -1) && start >= (last?.end ?? 0);
    if (!isBetween) errors.push(`section ${i + 1} does not start between the sentences around it`);
  }
  return errors;
}

/** Checks that every picture exists as a drawing and in the formats that the portal serves. */
async function checkPictures(library: string, article: Article): Promise<string[]> {
  const own = (name: string) => join(article.slug, name);
  const files = [
    article.narrator.image,
    own('cover.svg'),
    own('cover-320.avif'),
    own('cover-640.webp'),
    ...article.pages.flatMap(({ picture }) => [own(`${picture}.svg`), own(`${picture}.avif`)]),
  ];
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(library, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return files.filter((_, i) => sizes[i] === 0).map((file) => `there is no ${file}: run the art command`);
}

async function checkAudio(library: string, { slug, kind, audio, duration }: Article): Promise<string[]> {
  const errors: string[] = [];
  try {
    const measured = getDuration(await readFile(join(library, slug, audio.file)));
    if (Math.abs(measured - duration) > 0.001)
      errors.push(`the audio lasts ${measured} s, article.json says ${duration} s`);
  } catch (error) {
    errors.push(`audio: ${(error as Error).message}`);
  }
  if (Math.abs(audio.loudness + 18) > 1) errors.push(`its loudness is ${audio.loudness} LUFS, not about -18`);
  const { min } = durationMinutes;
  const max = durationMinutes.max[kind];
  if (duration < 60 * min || duration > 60 * max)
    errors.push(`${duration} s is not ${min} to ${max} minutes`);
  return errors;
}

async function checkArticle(text: SourceText, library: string): Promise<string[]> {
  const article = await readArticle(library, text.slug);
  if (!article) return ['there is no article.json'];
  const errors = checkTimes(article);
  if (withoutMeasurements(article) !== withoutMeasurements(describeArticle(text)))
    errors.push('article.json does not match its text or this tool: narrate it again');
  return [...errors, ...(await checkAudio(library, article)), ...(await checkPictures(library, article))];
}

function checkPlaylists(json: string, texts: readonly SourceText[]): string[] {
  const playlists = JSON.parse(json) as Playlist[];
  const errors: string[] = [];
  if (new Set(playlists.map(({ key }) => key)).size !== playlists.length)
    errors.push('two playlists have the same key');
  if (playlists[0]?.key !== 'latest') errors.push('the first playlist is not "latest"');
  for (const { key, name, titles, articles } of playlists) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key)) errors.push(`playlist ${key}: the key is not kebab-case`);
    if (!titles.en || !titles.es || name !== titles.en) errors.push(`playlist ${key}: a name is missing`);
    const unknown = articles.filter((slug) => !texts.some((text) => text.slug === slug));
    if (unknown.length > 0) errors.push(`playlist ${key}: there is no ${unknown.join(', ')}`);
    if (new Set(articles).size !== articles.length) errors.push(`playlist ${key}: an article appears twice`);
    if (articles.length < playlistSize.min || articles.length > playlistSize.max)
      errors.push(`playlist ${key}: ${articles.length} articles`);
  }
  const newest = texts
    .filter(({ kind }) => kind === 'article')
    .sort((a, b) => b.published.localeCompare(a.published))
    .slice(0, playlistSize.max)
    .map(({ slug }) => slug);
  if (playlists[0] && playlists[0].articles.join() !== newest.join())
    errors.push('playlist latest: not the newest articles, newest first');
  return errors;
}

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return stats.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Checks texts, library and playlists, without any of the programs that narrate.
 *
 * @param content - the folder that holds `texts/`, `library/` and `playlists.json`
 */
export async function checkLibrary(content: string): Promise<LibraryCheck> {
  const library = join(content, 'library');
  const texts = readTexts(join(content, 'texts'));
  const errors: string[] = [];
  for (const text of texts) {
    const found = await checkArticle(text, library);
    errors.push(...found.map((error) => `${text.slug}: ${error}`));
  }
  const dates = new Set(texts.map(({ published }) => published));
  if (dates.size !== texts.length) errors.push('two texts have the same date of publication');
  const folders = await readdir(library, { withFileTypes: true });
  for (const { name } of folders.filter((entry) => entry.isDirectory())) {
    const isOrphan = !texts.some(({ slug }) => slug === name) && (await readArticle(library, name)) !== null;
    if (isOrphan) errors.push(`${name}: an article without a text`);
  }
  const bytes = await measureFolder(library);
  if (bytes >= MAX_LIBRARY_BYTES)
    errors.push(`the library has ${bytes} bytes, more than ${MAX_LIBRARY_BYTES}`);
  const playlists = await readFile(join(content, 'playlists.json'), 'utf8').catch(() => null);
  errors.push(...(playlists === null ? ['there is no playlists.json'] : checkPlaylists(playlists, texts)));
  return { errors, articles: texts.length, bytes };
}
