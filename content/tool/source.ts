/** Reads the library's source texts: front matter, sentences with their translations, chapters and pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const levels = ['A1', 'A2', 'B1', 'B2', 'C1'] as const;
export const kinds = ['article', 'audiobook', 'visual-book'] as const;
export const topics = [
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
export const narratorsOf = {
  en: ['Amelia', 'Grace', 'Tom'],
  es: ['Lucía', 'Diego', 'Carmen'],
} as const;

export type Language = keyof typeof narratorsOf;
export type Level = (typeof levels)[number];
export type Kind = (typeof kinds)[number];
export type Topic = (typeof topics)[number];
export type NarratorName = (typeof narratorsOf)[Language][number];

/** One sentence as it is read aloud. `paragraph` counts through the whole piece; `section` is an index into `sections` or null. */
export interface SourceSentence {
  text: string;
  translation: string;
  paragraph: number;
  section: number | null;
}

/** A chapter of an audiobook, or a page of a visual book with its picture's alt text. */
export interface SourceSection {
  title: string;
  alt: string | null;
}

/** A whole text, checked against the format. */
export interface SourceText {
  slug: string;
  title: string;
  language: Language;
  translationLanguage: Language;
  level: Level;
  kind: Kind;
  topic: Topic;
  narrator: NarratorName;
  summary: string;
  published: string;
  sections: SourceSection[];
  sentences: SourceSentence[];
}

const fields = ['title', 'language', 'level', 'kind', 'topic', 'narrator', 'summary', 'published'] as const;
type Field = (typeof fields)[number];

/** An Error that says where in the text the trouble is. */
function trouble(slug: string, line: number, message: string): Error {
  return new Error(`${slug}.md:${line}: ${message}`);
}

/** In: a value and the allowed ones. Out: the value, narrowed; throws when it is none of them. */
function oneOf<T extends string>(slug: string, field: Field, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new Error(`${slug}.md: ${field} is "${value}", not one of ${allowed.join(', ')}`);
  return found;
}

/** In: the text's lines. Out: the front matter's fields and the index of the first line after it. */
function readFrontMatter(
  slug: string,
  lines: readonly string[],
): { values: Record<Field, string>; next: number } {
  if (lines[0]?.trim() !== '---') throw trouble(slug, 1, 'the text must begin with ---');
  const end = lines.findIndex((line, i) => i > 0 && line.trim() === '---');
  if (end < 0) throw trouble(slug, 1, 'the front matter is never closed with ---');
  const found = new Map<string, string>();
  for (const [i, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '') continue;
    const match = /^([a-z]+):\s*(.+?)\s*$/.exec(line);
    const [, key, value] = match ?? [];
    if (key === undefined || value === undefined)
      throw trouble(slug, i + 2, `not a "key: value" line: ${line}`);
    if (!(fields as readonly string[]).includes(key)) throw trouble(slug, i + 2, `unknown field ${key}`);
    if (found.has(key)) throw trouble(slug, i + 2, `${key} is given twice`);
    found.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  const missing = fields.filter((field) => !found.has(field));
  if (missing.length > 0) throw trouble(slug, 1, `the front matter lacks ${missing.join(', ')}`);
  return { values: Object.fromEntries(found) as Record<Field, string>, next: end + 1 };
}

/** In: the lines after the front matter. Out: sections and sentences in reading order. */
function readBody(
  slug: string,
  lines: readonly string[],
  first: number,
): { sections: SourceSection[]; sentences: SourceSentence[] } {
  const sections: SourceSection[] = [];
  const sentences: SourceSentence[] = [];
  let paragraph = -1;
  let fresh = true;
  let waiting: { text: string; line: number } | null = null;
  for (let i = first; i < lines.length; i += 1) {
    const line = (lines[i] ?? '').trim();
    const at = i + 1;
    if (waiting && !line.startsWith('= '))
      throw trouble(slug, waiting.line, 'the sentence has no translation on the line after it');
    if (line === '') {
      fresh = true;
    } else if (line.startsWith('## ')) {
      sections.push({ title: line.slice(3).trim(), alt: null });
      fresh = true;
    } else if (line.startsWith('! ')) {
      const section = sections.at(-1);
      const bare =
        section !== undefined &&
        section.alt === null &&
        !sentences.some((s) => s.section === sections.length - 1);
      if (!bare) throw trouble(slug, at, "alt text belongs right after its page's heading");
      section.alt = line.slice(2).trim();
    } else if (line.startsWith('= ')) {
      if (!waiting) throw trouble(slug, at, 'a translation without its sentence');
      sentences.push({
        text: waiting.text,
        translation: line.slice(2).trim(),
        paragraph,
        section: sections.length > 0 ? sections.length - 1 : null,
      });
      waiting = null;
    } else {
      if (/^[#=!\->*]/.test(line) && !/^[—–]/.test(line))
        throw trouble(slug, at, `neither a sentence nor a mark: ${line}`);
      if (fresh) paragraph += 1;
      fresh = false;
      waiting = { text: line, line: at };
    }
  }
  if (waiting) throw trouble(slug, waiting.line, 'the sentence has no translation on the line after it');
  return { sections, sentences };
}

/** What the kind of a piece asks of its sections; throws when they do not fit. */
function checkSections(text: SourceText): void {
  const { slug, kind, sections, sentences } = text;
  if (sentences.length === 0) throw new Error(`${slug}.md: there is not one sentence`);
  if (kind === 'article' && sections.length > 0) throw new Error(`${slug}.md: an article has no headings`);
  if (kind === 'article') return;
  if (sections.length === 0) throw new Error(`${slug}.md: ${kind} without a heading`);
  if (sentences.some((s) => s.section === null))
    throw new Error(`${slug}.md: a sentence stands before the first heading`);
  for (const [i, section] of sections.entries()) {
    if (!sentences.some((s) => s.section === i))
      throw new Error(`${slug}.md: nothing is read under "${section.title}"`);
    const wanted = kind === 'visual-book';
    if (wanted !== (section.alt !== null))
      throw new Error(`${slug}.md: "${section.title}" ${wanted ? 'lacks its' : 'must not have'} alt text`);
  }
}

/** In: a text's slug (its file's name without the ending) and what the file says. Out: the checked text; throws with the line on any fault. */
export function parseSource(slug: string, markdown: string): SourceText {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw new Error(`${slug}: a slug is kebab-case ascii`);
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/);
  const { values, next } = readFrontMatter(slug, lines);
  const language = oneOf(slug, 'language', values.language, ['en', 'es']);
  const day = new Date(`${values.published}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== values.published) {
    throw new Error(`${slug}.md: published is "${values.published}", not a date like 2026-09-14`);
  }
  const text: SourceText = {
    slug,
    title: values.title,
    language,
    translationLanguage: language === 'en' ? 'es' : 'en',
    level: oneOf(slug, 'level', values.level, levels),
    kind: oneOf(slug, 'kind', values.kind, kinds),
    topic: oneOf(slug, 'topic', values.topic, topics),
    narrator: oneOf<NarratorName>(slug, 'narrator', values.narrator, narratorsOf[language]),
    summary: values.summary,
    published: values.published,
    ...readBody(slug, lines, next),
  };
  checkSections(text);
  return text;
}

/** In: the folder of texts. Out: all of them, by slug; throws on the first fault. */
export function readSources(folder: string): SourceText[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => parseSource(file.slice(0, -3), readFileSync(join(folder, file), 'utf8')));
}
