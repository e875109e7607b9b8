import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { join, pauses, type Span, trim } from './assembly.ts';
import { master } from './mastering.ts';
import { getDuration, sampleRates } from './mp3.ts';
import { paces, synthesize, toMarkup, voices } from './speech.ts';
import type { SourceText } from './texts.ts';
import type { Sound } from './wav.ts';

/** Increase it whenever the same text would sound or be described differently. */
const TOOL_VERSION = 1;

/** A page or chapter starts this long before its first sentence, in the middle of the pause. */
const SECTION_LEAD_SECONDS = 0.5;

interface ArticleSentence {
  text: string;
  translation: string;
  start: number;
  end: number;
  paragraph: number;
  chapter: number | null;
  page: number | null;
}

/** The contents of article.json; times in seconds of what a browser plays. */
export interface Article {
  slug: string;
  title: string;
  language: string;
  translationLanguage: string;
  level: string;
  kind: SourceText['kind'];
  topic: string;
  summary: string;
  published: string;
  narrator: { name: string; image: string };
  duration: number;
  audio: { file: string; codec: string; bitrate: number; sampleRate: number; loudness: number };
  chapters: { title: string; start: number }[];
  pages: { title: string; picture: string; alt: string; start: number }[];
  sentences: ArticleSentence[];
  sourceHash: string;
}

const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

const toAsciiName = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns a short hash of everything that determines a text's narration. */
function hashSource(text: SourceText): string {
  // The names are part of the hash: renaming one would narrate the whole library again.
  const inputs = {
    toolVersion: TOOL_VERSION,
    text,
    voice: voices[text.narrator],
    pace: paces[text.level],
    pauses,
  };
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}

/** Returns the seconds of silence before each sentence; longer at levels that are read slowly. */
function getGaps({ sentences, level }: SourceText): number[] {
  return sentences.map((sentence, i) => {
    const previous = sentences[i - 1];
    if (!previous) return pauses.lead;
    const inSection = previous.paragraph === sentence.paragraph ? pauses.sentence : pauses.paragraph;
    return (previous.section === sentence.section ? inSection : pauses.section) / paces[level];
  });
}

/** Returns the name of a page's picture, without extension. `index` counts from 0. */
const getPageName = (index: number): string => `page-${String(index + 1).padStart(2, '0')}`;

/** Returns what article.json says of a text, with times and loudness zero. */
export function describeArticle(text: SourceText): Article {
  const {
    slug,
    title,
    language,
    translationLanguage,
    level,
    kind,
    topic,
    summary,
    published,
    bitrate = 48,
  } = text;
  const hasChapters = kind === 'audiobook';
  const hasPages = kind === 'visual-book';
  const pages = text.sections.map((section, i) => ({
    title: section.title,
    picture: getPageName(i),
    alt: section.alt ?? '',
    start: 0,
  }));
  const sentences = text.sentences.map((sentence) => ({
    text: sentence.text,
    translation: sentence.translation,
    start: 0,
    end: 0,
    paragraph: sentence.paragraph,
    chapter: hasChapters ? sentence.section : null,
    page: hasPages ? sentence.section : null,
  }));
  return {
    slug,
    title,
    language,
    translationLanguage,
    level,
    kind,
    topic,
    summary,
    published,
    narrator: { name: text.narrator, image: `narrators/${toAsciiName(text.narrator)}.avif` },
    duration: 0,
    audio: {
      file: 'audio.mp3',
      codec: 'mp3',
      bitrate: 1000 * bitrate,
      sampleRate: sampleRates[bitrate],
      loudness: 0,
    },
    chapters: hasChapters ? text.sections.map((section) => ({ title: section.title, start: 0 })) : [],
    pages: hasPages ? pages : [],
    sentences,
    sourceHash: hashSource(text),
  };
}

/** Reads an article.json; null when there is none. */
export async function readArticle(library: string, slug: string): Promise<Article | null> {
  const json = await readFile(joinPath(library, slug, 'article.json'), 'utf8').catch(() => null);
  return json === null ? null : (JSON.parse(json) as Article);
}

/** Tells whether a text's narration exists and was made from its current version. */
export async function isCurrent(text: SourceText, library: string): Promise<boolean> {
  const article = await readArticle(library, text.slug);
  if (article?.sourceHash !== hashSource(text)) return false;
  const mp3 = await readFile(joinPath(library, text.slug, 'audio.mp3')).catch(() => null);
  return mp3 !== null && roundToMilliseconds(getDuration(mp3)) === article.duration;
}

/** Writes the times of sentences, chapters and pages into an article. */
function setTimes(article: Article, spans: readonly Span[]): void {
  for (const [i, { start, end }] of spans.entries()) {
    const times = { start: roundToMilliseconds(start), end: roundToMilliseconds(end) };
    Object.assign(article.sentences[i] ?? {}, times);
  }
  for (const [i, section] of [...article.chapters, ...article.pages].entries()) {
    const first = article.sentences.find((sentence) => (sentence.chapter ?? sentence.page) === i);
    section.start = i === 0 || !first ? 0 : roundToMilliseconds(first.start - SECTION_LEAD_SECONDS);
  }
}

async function synthesizeSentences(
  { slug, respellings, sentences, narrator, level }: SourceText,
  folder: string,
) {
  const sounds: Sound[] = [];
  for (const [i, { text }] of sentences.entries()) {
    const sound = await synthesize(toMarkup(text, respellings), narrator, level, folder);
    try {
      sounds.push(trim(sound));
    } catch (error) {
      throw new Error(`${slug}, sentence ${i + 1} ("${text}")`, { cause: error });
    }
  }
  return sounds;
}

/** Narrates a text: writes audio.mp3 and article.json into its folder of the library. */
export async function narrate(text: SourceText, library: string): Promise<Article> {
  const scratch = await mkdtemp(joinPath(tmpdir(), `narrate-${text.slug}-`));
  try {
    const { sound, spans } = join(await synthesizeSentences(text, scratch), getGaps(text));
    const mastered = joinPath(scratch, 'audio.mp3');
    const { loudness } = await master(sound, scratch, mastered, text.bitrate ?? 48);
    const mp3 = await readFile(mastered);
    const article = describeArticle(text);
    article.duration = roundToMilliseconds(getDuration(mp3));
    article.audio.loudness = loudness;
    setTimes(article, spans);
    const folder = joinPath(library, text.slug);
    await mkdir(folder, { recursive: true });
    await writeFile(joinPath(folder, 'audio.mp3.new'), mp3);
    await rename(joinPath(folder, 'audio.mp3.new'), joinPath(folder, 'audio.mp3'));
    await writeFile(joinPath(folder, 'article.json'), `${JSON.stringify(article, null, 2)}\n`);
    return article;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
