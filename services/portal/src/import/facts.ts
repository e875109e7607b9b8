/** What is known of a piece beside its sound and its words. Pure. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { kind, language, level } from '../library/piece.ts';
import { PieceFault } from '../library/source.ts';
import { oneLine, plainOf, refuseScripts } from './text.ts';

/** As somebody wrote it, in front matter, tags, a feed or an option; nothing of it is checked yet. */
export type Hints = Partial<Record<HintName, string | undefined>>;
const hintNames = [
  ...(['title', 'summary', 'language', 'translationLanguage', 'level', 'kind', 'topic'] as const),
  ...(['narrator', 'published'] as const),
] as const;
type HintName = (typeof hintNames)[number];

/** The first hint that says something, for each name. In: hints, those that count most first. */
export function firstOf(...all: readonly Hints[]): Hints {
  return Object.fromEntries(
    hintNames.map((name) => [name, all.map((hints) => hints[name]?.trim()).find((text) => text)]),
  );
}

const MOST_OF_A_SUMMARY = 600;
const languages: Readonly<Record<string, 'en' | 'es'>> = {
  eng: 'en',
  english: 'en',
  spa: 'es',
  spanish: 'es',
};

/** `en-GB`, `eng` and `English` are `en`. */
function languageOf(text: string | undefined): string | undefined {
  const word = text?.toLowerCase();
  return word === undefined ? undefined : (languages[word] ?? word.split(/[-_]/)[0]);
}

/** The day of a date in any of the usual ways of writing it: `2026`, `2026-09`, RFC 822, ISO. */
function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}(-\d\d)?$/.test(text)) return `${text}-01-01`.slice(0, 10);
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString().slice(0, 10);
}

function shortened(text: string): string {
  if (text.length <= MOST_OF_A_SUMMARY) return text;
  return `${text.slice(0, MOST_OF_A_SUMMARY).replace(/\s+\S*$/, '')} …`;
}

function plainLine(text: string, what: string): string {
  refuseScripts(text, what);
  if (/<\/?[a-z!]/i.test(text)) throw new PieceFault(`its ${what} holds markup`);
  return oneLine(text);
}

const facts = z.object({
  title: z.string().check(z.minLength(1), z.maxLength(300)),
  summary: z.string().check(z.minLength(1)),
  language,
  translationLanguage: z.nullable(language),
  level,
  kind,
  topic: z.string().check(z.minLength(1), z.maxLength(60)),
  narrator: z.string().check(z.minLength(1), z.maxLength(100)),
  published: z.iso.date(),
});
export type Facts = z.infer<typeof facts>;

const advice: Partial<Record<HintName, string>> = {
  language: 'en or es',
  level: 'A1, A2, B1, B2, C1 or C2',
  narrator: 'a name',
  topic: 'a word',
};

/** Everything that is wrong at once, and how it may be said. In: the names of what is missing or not usable. */
function complaintOf(hints: Hints, names: readonly HintName[]): PieceFault {
  const faults = names.map((name) => {
    const fault = hints[name] === undefined ? `nothing says its ${name}` : `its ${name} is not usable`;
    return advice[name] ? `${fault} (${advice[name]})` : fault;
  });
  const options = names.filter((name) => advice[name]).map((name) => `--${name}`);
  const how = options.length > 0 ? `: write that into its front matter, or say ${options.join(' ')}` : '';
  return new PieceFault(`${faults.join('; ')}${how}`);
}

/**
 * Checks what is known. In: the hints; a title says itself the summary where there is none. Throws `PieceFault`, which
 * names all that is missing or not usable and how it may be said.
 */
export function factsOf(hints: Hints): Facts {
  const line = (name: HintName) => {
    const text = hints[name];
    return text === undefined ? undefined : plainLine(text, name);
  };
  refuseScripts(hints.summary ?? '', 'summary');
  const title = line('title');
  const summary = shortened(oneLine(plainOf(hints.summary ?? ''))) || title;
  const read = facts.safeParse({
    ...{ title, summary, level: line('level')?.toUpperCase(), kind: line('kind') ?? 'article' },
    ...{
      topic: line('topic')?.toLowerCase(),
      narrator: line('narrator'),
      published: dayOf(line('published')),
    },
    language: languageOf(line('language')),
    translationLanguage: languageOf(line('translationLanguage')) ?? null,
  });
  if (read.success) return read.data;
  const { issues } = read.error;
  throw complaintOf(
    hints,
    hintNames.filter((name) => issues.some(({ path }) => path[0] === name)),
  );
}

/** A name for addresses that no other piece has. In: its title, and where it was read from. */
export function slugOf(title: string, source: string): string {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? ['piece']).join('-').slice(0, 80).replace(/-$/, '');
  return `${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
}
