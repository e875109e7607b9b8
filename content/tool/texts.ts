import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentKind, contentLanguage, level } from '@escucho/contracts';
import type * as z from 'zod/mini';
import { type Bitrate, sampleRates } from './mp3.ts';

const topics = [
  'daily-life',
  'food',
  'travel',
  'nature',
  'science',
  'history',
  'culture',
  'technology',
  'stories',
] as const;
const narrators = {
  en: ['Amelia', 'Grace', 'Tom'],
  es: ['Lucía', 'Diego', 'Carmen'],
} as const satisfies Record<Language, readonly string[]>;

type Language = z.infer<typeof contentLanguage>;
export type Level = z.infer<typeof level>;
export type NarratorName = (typeof narrators)[Language][number];

/** A sentence as it is read aloud. `paragraph` counts through the whole text; `section` is an index into `sections` or null. */
interface SourceSentence {
  text: string;
  translation: string;
  paragraph: number;
  section: number | null;
}

/** A chapter of an audiobook, or a page of a visual book with its picture's alt text. */
interface SourceSection {
  title: string;
  alt: string | null;
}

/** A text in the format of content/README.md. */
export interface SourceText {
  slug: string;
  title: string;
  language: Language;
  translationLanguage: Language;
  level: Level;
  kind: z.infer<typeof contentKind>;
  topic: (typeof topics)[number];
  narrator: NarratorName;
  summary: string;
  published: string;
  /** kbit/s of the audio; 48 when absent. */
  bitrate?: Bitrate;
  /** Words or phrases that the synthesizer reads wrongly, with a spelling that it reads right. */
  respellings?: Record<string, string>;
  sections: SourceSection[];
  sentences: SourceSentence[];
}

const requiredFields = [
  'title',
  'language',
  'level',
  'kind',
  'topic',
  'narrator',
  'summary',
  'published',
] as const;
const fields = [...requiredFields, 'bitrate', 'pronounce'] as const;
type RequiredField = (typeof requiredFields)[number];
type Field = (typeof fields)[number];
type FrontMatter = Record<RequiredField, string> & { bitrate?: string; pronounce?: string };

/** Returns an Error that names the file and the line, which counts from 1. */
function createError(slug: string, line: number, message: string): Error {
  return new Error(`${slug}.md:${line}: ${message}`);
}

function parseEnum<T extends string>(slug: string, field: Field, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new Error(`${slug}.md: ${field} is "${value}", not one of ${allowed.join(', ')}`);
  return found;
}

function parseBitrate(slug: string, value: string): Bitrate {
  const rates = Object.keys(sampleRates);
  return Number(parseEnum(slug, 'bitrate', value, rates)) as Bitrate;
}

/** Parses `word=respelling, word=respelling`. */
function parseRespellings(slug: string, value: string): Record<string, string> {
  return Object.fromEntries(
    value.split(',').map((pair) => {
      const match = /^\s*([\p{L}\p{M} ]+)=(.*\S)\s*$/u.exec(pair);
      const [, word, respelling] = match ?? [];
      if (word === undefined || respelling === undefined)
        throw new Error(`${slug}.md: pronounce has "${pair}", not word=respelling`);
      return [word, respelling];
    }),
  );
}

/** Parses the front matter; `next` is the index of the first line after it. */
function parseFrontMatter(slug: string, lines: readonly string[]): { values: FrontMatter; next: number } {
  if (lines[0]?.trim() !== '---') throw createError(slug, 1, 'the text must begin with ---');
  const end = lines.findIndex((line, i) => i > 0 && line.trim() === '---');
  if (end < 0) throw createError(slug, 1, 'the front matter is never closed with ---');
  const found = new Map<string, string>();
  for (const [i, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '') continue;
    const match = /^([a-z]+):\s*(.+?)\s*$/.exec(line);
    const [, key, value] = match ?? [];
    if (key === undefined || value === undefined)
      throw createError(slug, i + 2, `not a "key: value" line: ${line}`);
    if (!(fields as readonly string[]).includes(key)) throw createError(slug, i + 2, `unknown field ${key}`);
    if (found.has(key)) throw createError(slug, i + 2, `${key} is given twice`);
    found.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  const missing = requiredFields.filter((field) => !found.has(field));
  if (missing.length > 0) throw createError(slug, 1, `the front matter lacks ${missing.join(', ')}`);
  return { values: Object.fromEntries(found) as FrontMatter, next: end + 1 };
}

/** Parses sections and sentences from the line with index `first`. */
function parseBody(
  slug: string,
  lines: readonly string[],
  first: number,
): { sections: SourceSection[]; sentences: SourceSentence[] } {
  const sections: SourceSection[] = [];
  const sentences: SourceSentence[] = [];
  let paragraph = -1;
  let startsParagraph = true;
  let untranslated: { text: string; line: number } | null = null;
  for (let i = first; i < lines.length; i += 1) {
    const line = (lines[i] ?? '').trim();
    const lineNumber = i + 1;
    if (untranslated && !line.startsWith('= '))
      throw createError(slug, untranslated.line, 'the sentence has no translation on the line after it');
    if (line === '') {
      startsParagraph = true;
    } else if (line.startsWith('## ')) {
      sections.push({ title: line.slice(3).trim(), alt: null });
      startsParagraph = true;
    } else if (line.startsWith('! ')) {
      const section = sections.at(-1);
      const acceptsAlt =
        section !== undefined &&
        section.alt === null &&
        !sentences.some((s) => s.section === sections.length - 1);
      if (!acceptsAlt) throw createError(slug, lineNumber, "alt text belongs right after its page's heading");
      section.alt = line.slice(2).trim();
    } else if (line.startsWith('= ')) {
      if (!untranslated) throw createError(slug, lineNumber, 'a translation without its sentence');
      sentences.push({
        text: untranslated.text,
        translation: line.slice(2).trim(),
        paragraph,
        section: sections.length > 0 ? sections.length - 1 : null,
      });
      untranslated = null;
    } else {
      if (/^[#=!\->*]/.test(line) && !/^[—–]/.test(line))
        throw createError(slug, lineNumber, `neither a sentence nor a mark: ${line}`);
      if (startsParagraph) paragraph += 1;
      startsParagraph = false;
      untranslated = { text: line, line: lineNumber };
    }
  }
  if (untranslated)
    throw createError(slug, untranslated.line, 'the sentence has no translation on the line after it');
  return { sections, sentences };
}

function checkSections(text: SourceText): void {
  const { slug, kind, sections, sentences } = text;
  if (sentences.length === 0) throw new Error(`${slug}.md: there is not one sentence`);
  if (kind === 'article' && sections.length > 0) throw new Error(`${slug}.md: an article has no headings`);
  if (kind === 'article') return;
  if (sections.length === 0) throw new Error(`${slug}.md: ${kind} without a heading`);
  if (sentences.some((s) => s.section === null))
    throw new Error(`${slug}.md: a sentence precedes the first heading`);
  for (const [i, section] of sections.entries()) {
    if (!sentences.some((s) => s.section === i))
      throw new Error(`${slug}.md: nothing is read under "${section.title}"`);
    const needsAlt = kind === 'visual-book';
    if (needsAlt !== (section.alt !== null))
      throw new Error(`${slug}.md: "${section.title}" ${needsAlt ? 'lacks its' : 'must not have'} alt text`);
  }
}

/**
 * Parses a text.
 *
 * @param slug - the name of its file without extension
 * @throws Error that names the file and, where possible, the line.
 */
export function parseText(slug: string, markdown: string): SourceText {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw new Error(`${slug}: a slug is kebab-case ascii`);
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/);
  const { values, next } = parseFrontMatter(slug, lines);
  const language = parseEnum(slug, 'language', values.language, contentLanguage.options);
  const day = new Date(`${values.published}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== values.published) {
    throw new Error(`${slug}.md: published is "${values.published}", not a date like 2026-09-14`);
  }
  const text: SourceText = {
    slug,
    title: values.title,
    language,
    translationLanguage: language === 'en' ? 'es' : 'en',
    level: parseEnum(slug, 'level', values.level, level.options),
    kind: parseEnum(slug, 'kind', values.kind, contentKind.options),
    topic: parseEnum(slug, 'topic', values.topic, topics),
    narrator: parseEnum<NarratorName>(slug, 'narrator', values.narrator, narrators[language]),
    summary: values.summary,
    published: values.published,
    ...(values.bitrate !== undefined && { bitrate: parseBitrate(slug, values.bitrate) }),
    ...(values.pronounce !== undefined && { respellings: parseRespellings(slug, values.pronounce) }),
    ...parseBody(slug, lines, next),
  };
  checkSections(text);
  return text;
}

/**
 * Reads the texts of a folder, in the order of their slugs.
 *
 * @param slugs - those to read; all where none is given
 * @throws Error for an unknown slug
 */
export function readTexts(folder: string, slugs: readonly string[] = []): SourceText[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const unknown = slugs.filter((slug) => !files.includes(`${slug}.md`));
  if (unknown.length > 0) throw new Error(`There is no text ${unknown.join(', ')} in ${folder}.`);
  return files
    .map((file) => file.slice(0, -3))
    .filter((slug) => slugs.length === 0 || slugs.includes(slug))
    .sort()
    .map((slug) => parseText(slug, readFileSync(join(folder, `${slug}.md`), 'utf8')));
}
