import { createHash } from 'node:crypto';
import { truncateText } from '@escucho/contracts';
import { parseFile } from 'music-metadata';
import * as z from 'zod/mini';
import { articleSchema, ContentError } from '../catalogue-loader/article-files.ts';
import { htmlToText, rejectScripts, toSingleLine } from './text.ts';

const article = articleSchema.shape;
const metadataSchema = z.object({
  title: article.title,
  summary: article.summary,
  language: article.language,
  translationLanguage: z.nullable(article.language),
  level: article.level,
  kind: article.kind,
  topic: article.topic,
  narrator: article.narrator.shape.name,
  published: article.published,
});
export type ArticleMetadata = z.infer<typeof metadataSchema>;

const fieldNames = z.keyof(metadataSchema).options;
type FieldName = keyof ArticleMetadata;

/** Returns the field of a name in any case. */
export const findFieldName = (text: string): FieldName | undefined =>
  fieldNames.find((name) => name.toLowerCase() === text.toLowerCase());

/** Metadata as found in front matter, tags, a feed or an option, before validation. */
export type Metadata = Partial<Record<FieldName, string | undefined>>;

/** Merges metadata; for each field the first source that has a value wins. */
export function mergeMetadata(...sources: readonly Metadata[]): Metadata {
  return Object.fromEntries(
    fieldNames.map((name) => [name, sources.map((metadata) => metadata[name]?.trim()).find((text) => text)]),
  );
}

const MAX_SUMMARY_LENGTH = 600;
const languageNames: Readonly<Record<string, ArticleMetadata['language']>> = {
  eng: 'en',
  english: 'en',
  spa: 'es',
  spanish: 'es',
};

/** Converts `en-GB`, `eng` and `English` to `en`. */
function toLanguageCode(text: string | undefined): string | undefined {
  const word = text?.toLowerCase();
  return word === undefined ? undefined : (languageNames[word] ?? word.split(/[-_]/)[0]);
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const rfc822Date = new RegExp(
  `^(?:[a-z]+, *)?(\\d{1,2}) (${monthNames.join('|')})[a-z]* (\\d{4}|\\d\\d)(?= |$)`,
  'i',
);

/** Returns the year that two digits mean in RFC 2822. */
const toFullYear = (digits: string): string =>
  digits.length === 4 ? digits : `${digits < '50' ? '20' : '19'}${digits}`;

/**
 * Converts a year, a month, an ISO date with or without hyphens, or the date of RFC 822 to YYYY-MM-DD. A time and its zone
 * are left out, so that the result is the day that was written. Other dates may be ambiguous and result in undefined.
 */
function toIsoDate(text = ''): string | undefined {
  const [, year, month = '01', day = '01'] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?=[T ]|$)/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) return article.published.safeParse(`${year}-${month}-${day}`).data;
  const [, rfcDay = '', rfcMonth = '', rfcYear] = rfc822Date.exec(text) ?? [];
  if (rfcYear === undefined) return undefined;
  const monthNumber = String(monthNames.indexOf(rfcMonth.toLowerCase()) + 1).padStart(2, '0');
  return article.published.safeParse(`${toFullYear(rfcYear)}-${monthNumber}-${rfcDay.padStart(2, '0')}`).data;
}

function truncate(text: string): string {
  if (text.length <= MAX_SUMMARY_LENGTH) return text;
  return `${truncateText(text, MAX_SUMMARY_LENGTH).replace(/\s+\S*$/, '')} …`;
}

function toPlainLine(text: string, field: FieldName): string {
  rejectScripts(text, field);
  if (/<\/?[a-z!]/i.test(text)) throw new ContentError(`its ${field} holds markup`);
  return toSingleLine(text);
}

/** The fields that can be given as command-line options. */
const optionNames: readonly FieldName[] = ['language', 'level', 'kind', 'narrator', 'topic'];

/** Accepted values of these fields, and of others that are not free text. */
const acceptedValues: Partial<Record<FieldName, string>> = {
  language: 'en or es',
  level: 'A1, A2, B1, B2, C1 or C2',
  kind: 'article or audiobook',
  narrator: 'a name',
  topic: 'a word',
  published: 'YYYY-MM-DD, a month or a year',
};

/** Returns an error that names all missing and invalid fields, and how to provide them. */
function toMetadataError(metadata: Metadata, names: readonly FieldName[]): ContentError {
  const problems = names.map((name) => {
    const problem = metadata[name] === undefined ? `its ${name} is missing` : `its ${name} is not usable`;
    return acceptedValues[name] ? `${problem} (${acceptedValues[name]})` : problem;
  });
  const options = names.filter((name) => optionNames.includes(name)).map((name) => `--${name}`);
  const advice = options.length > 0 ? `: write that into its front matter, or say ${options.join(' ')}` : '';
  return new ContentError(`${problems.join('; ')}${advice}`);
}

function validateMetadata(metadata: Metadata) {
  const getLine = (name: FieldName) => {
    const text = metadata[name];
    return text === undefined ? undefined : toPlainLine(text, name);
  };
  rejectScripts(metadata.summary ?? '', 'summary');
  const title = getLine('title');
  const { data, error } = metadataSchema.safeParse({
    title,
    summary: truncate(toSingleLine(htmlToText(metadata.summary ?? ''))) || title,
    level: getLine('level')?.toUpperCase(),
    kind: getLine('kind')?.toLowerCase() ?? 'article',
    topic: getLine('topic')?.toLowerCase(),
    narrator: getLine('narrator'),
    published: toIsoDate(getLine('published')),
    language: toLanguageCode(getLine('language')),
    translationLanguage: toLanguageCode(getLine('translationLanguage')) ?? null,
  });
  const invalid = fieldNames.filter((name) => error?.issues.some(({ path }) => path[0] === name));
  return { data, invalid };
}

/**
 * Validates merged metadata. Without a summary the title is used.
 *
 * @throws ContentError that names all missing and invalid fields.
 */
export function parseMetadata(metadata: Metadata): ArticleMetadata {
  const { data, invalid } = validateMetadata(metadata);
  if (data) return data;
  throw toMetadataError(metadata, invalid);
}

/**
 * Checks the metadata of command-line options, which may leave fields to the recordings.
 *
 * @throws ContentError that names all invalid options.
 */
export function assertValidOptions(metadata: Metadata): void {
  const given = mergeMetadata(metadata);
  const invalid = validateMetadata(given).invalid.filter((name) => given[name] !== undefined);
  if (given.kind?.toLowerCase() === 'visual-book') invalid.push('kind');
  if (invalid.length === 0) return;
  const options = invalid.map((name) => `--${name} (${acceptedValues[name]})`);
  throw new ContentError(`Not usable: ${options.join(', ')}. Nothing was imported.`);
}

/** Creates a slug from a title; the hash of the source distinguishes it from others. */
export function createSlug(title: string, source: string): string {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? ['piece']).join('-').slice(0, 80).replace(/-$/, '');
  return `${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
}

/** Reads the tags and the cover of an audio file; empty when they cannot be read. */
export async function readTags(path: string): Promise<{ metadata: Metadata; picture: Buffer | undefined }> {
  const tags = await parseFile(path, { duration: false, skipPostHeaders: true }).catch(() => undefined);
  if (!tags) return { metadata: {}, picture: undefined };
  const { common } = tags;
  const [picture] = common.picture ?? [];
  return {
    metadata: {
      title: common.title,
      language: common.language,
      narrator: common.artist ?? common.albumartist,
      topic: common.genre?.[0],
      published: toIsoDate(common.date) ?? toIsoDate(common.year?.toString()),
      summary: common.description?.[0] ?? common.comment?.[0]?.text,
    },
    picture: picture && Buffer.from(picture.data),
  };
}
