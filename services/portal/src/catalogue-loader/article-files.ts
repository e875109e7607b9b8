import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { contentKind, contentLanguage, level } from '@escucho/contracts';
import * as z from 'zod/mini';

/** Content that cannot be used. The message gives the reason to the person who made it. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

// In one form, so that names that look the same are equal.
const text = (max: number) =>
  z
    .string()
    .check(
      z.normalize('NFC'),
      z.minLength(1),
      z.maxLength(max),
      z.regex(/^[^\p{Cc}]*$/u, 'holds a control character'),
    );
const slug = text(100).check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not lower-case words with hyphens'));
const seconds = z.number().check(z.nonnegative());
const index = z.int().check(z.nonnegative());
// Plain file names, so that an article cannot refer to files outside its folder.
const fileName = (extension: string) =>
  text(100).check(z.regex(new RegExp(`^[\\w-]+\\.${extension}$`), `is not the name of a .${extension} file`));
const portrait = text(100).check(z.regex(/^narrators\/[\w-]+\.avif$/, 'is not narrators/<name>.avif'));

/** Encoders round: the last sentence may end slightly after the audio. */
export const DURATION_TOLERANCE_SECONDS = 1;

/** An article: its metadata, its text and the times of its sentences. Times in seconds, loudness in LUFS. */
export const articleSchema = z
  .object({
    slug,
    title: text(300),
    language: contentLanguage,
    translationLanguage: z.nullish(contentLanguage),
    level,
    kind: contentKind,
    topic: text(60),
    summary: text(2000),
    published: z.iso.date(),
    narrator: z.object({ name: text(100), image: z.nullish(portrait) }),
    duration: z.number().check(z.positive()),
    audio: z.object({
      file: fileName('mp3'),
      loudness: z.nullish(z.number().check(z.gte(-70), z.lte(10))),
    }),
    chapters: z.array(z.object({ title: text(300), start: seconds })),
    pages: z.array(
      z.object({
        title: text(300),
        picture: text(100).check(z.regex(/^[\w-]+$/, 'is not a plain name')),
        alt: text(1000),
        start: seconds,
      }),
    ),
    sentences: z.array(
      z.object({
        text: text(5000),
        translation: z.nullish(text(5000)),
        start: seconds,
        end: seconds,
        paragraph: index,
        chapter: z.nullish(index),
        page: z.nullish(index),
      }),
    ),
  })
  .check(({ value: article, issues }) => {
    const addIssue = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', path, message, input: article });
    article.sentences.forEach(({ start, end, chapter, page }, number) => {
      const previous = article.sentences[number - 1];
      if (end < start || end > article.duration + DURATION_TOLERANCE_SECONDS)
        addIssue(['sentences', number], 'ends before it starts or after the audio');
      if (previous && start < previous.start)
        addIssue(['sentences', number], 'starts before the sentence above it');
      if (typeof chapter === 'number' && !article.chapters[chapter])
        addIssue(['sentences', number, 'chapter'], 'there is no such chapter');
      if (typeof page === 'number' && !article.pages[page])
        addIssue(['sentences', number, 'page'], 'there is no such page');
    });
  });
export type ArticleContent = z.infer<typeof articleSchema>;

/** The contents of an article.json: an article that has a text. */
export const articleFileSchema = articleSchema.check(
  z.refine(({ sentences }) => sentences.length > 0, { path: ['sentences'], error: 'holds none' }),
);

/** An article's pictures and audio, as file paths or as keys of the media store. */
export interface ArticleMedia {
  image: string;
  artwork: string;
  audio: string;
  portrait: string | null;
  /** In the order of the article's pages. */
  pages: string[];
}

/** Returns all paths or keys of an article's media, in a fixed order. */
export const listMedia = ({ image, artwork, audio, portrait, pages }: ArticleMedia): string[] =>
  portrait === null ? [image, artwork, audio, ...pages] : [image, artwork, audio, ...pages, portrait];

/** The contents of a playlists.json: system playlists in Discover's order. `key` never changes, `articles` are slugs in order. */
const playlistFileSchema = z
  .array(
    z.object({
      key: slug,
      name: text(80),
      titles: z.object({ en: text(80), es: text(80) }),
      articles: z.array(slug),
    }),
  )
  // Each load would replace one by the other.
  .check(z.refine((lists) => new Set(lists.map(({ key }) => key)).size === lists.length, 'has a key twice'));
export type PlaylistDefinition = z.infer<typeof playlistFileSchema>[number];

/** An article folder: the content of its article.json, and the paths of its media. */
interface ArticleFolder {
  content: ArticleContent;
  /** The text of article.json. */
  text: string;
  files: ArticleMedia;
}

const ARTICLE_FILE = 'article.json';
const PORTRAITS_FOLDER = 'narrators';

/**
 * Returns what a parser returns.
 *
 * @param reason - the message of the error
 * @throws ContentError when the parser throws
 */
export function parseContent<Result>(reason: string, parse: () => Result): Result {
  try {
    return parse();
  } catch {
    throw new ContentError(reason);
  }
}

/**
 * Returns data as a schema describes them.
 *
 * @throws ContentError that names the first issues
 */
export function validateContent<Schema extends z.ZodMiniType>(
  schema: Schema,
  data: unknown,
): z.output<Schema> {
  const { success, data: value, error } = z.safeParse(schema, data);
  if (success) return value;
  const messages = error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  throw new ContentError(messages.join('; '));
}

async function readJson<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
): Promise<{ text: string; value: z.output<Schema> }> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ContentError('cannot be read');
  });
  const data: unknown = parseContent('is not JSON', () => JSON.parse(text));
  return { text, value: validateContent(schema, data) };
}

function toMediaPaths(library: string, folder: string, content: ArticleContent): ArticleMedia {
  const toPath = (name: string) => join(library, folder, name);
  const portraitName = content.narrator.image ?? null;
  return {
    image: toPath('cover-320.avif'),
    artwork: toPath('cover-640.webp'),
    audio: toPath(content.audio.file),
    portrait: portraitName === null ? null : join(library, portraitName),
    pages: content.pages.map(({ picture }) => toPath(`${picture}.avif`)),
  };
}

/** Returns the files in a folder by name, without properties where they cannot be read; none when there is no such folder. */
async function listFiles(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const files = names.sort().map(async (name) => {
    const properties = await stat(join(folder, name)).catch(() => undefined);
    return { name, properties };
  });
  return Promise.all(files);
}

const describeFiles = (files: Awaited<ReturnType<typeof listFiles>>): string =>
  files.map(({ name, properties }) => `${name} ${properties?.size} ${properties?.mtimeMs}`).join('\n');

/**
 * Returns the folders of a library that hold an article.json, by name. A stamp changes when a file of the folder or the
 * portrait of any narrator is written.
 */
export async function listArticleFolders(library: string): Promise<{ name: string; stamp: string }[]> {
  const entries = await readdir(library, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const portraits = describeFiles(await listFiles(join(library, PORTRAITS_FOLDER)));
  const folders = names.sort().map(async (name) => {
    const files = await listFiles(join(library, name));
    const hasArticle = files.some((file) => file.name === ARTICLE_FILE && file.properties);
    const stamp = createHash('sha256')
      .update(`${describeFiles(files)}\n${portraits}`)
      .digest('hex');
    return hasArticle ? [{ name, stamp }] : [];
  });
  return (await Promise.all(folders)).flat();
}

/**
 * Reads an article folder.
 *
 * @throws ContentError when the article is invalid or one of its files is missing.
 */
export async function readArticleFolder(library: string, folder: string): Promise<ArticleFolder> {
  const { text, value: content } = await readJson(join(library, folder, ARTICLE_FILE), articleFileSchema);
  if (content.slug !== folder) throw new ContentError(`slug: is not the folder's name but ${content.slug}`);
  const files = toMediaPaths(library, folder, content);
  for (const path of listMedia(files)) {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.size === 0)
      throw new ContentError(`${relative(library, path)}: missing or empty`);
  }
  return { content, text, files };
}

/**
 * Reads a playlists.json; empty when there is no such file.
 *
 * @throws ContentError when the file is invalid.
 */
export async function readPlaylistFile(path: string): Promise<PlaylistDefinition[]> {
  const exists = await stat(path).catch(() => undefined);
  return exists ? (await readJson(path, playlistFileSchema)).value : [];
}
