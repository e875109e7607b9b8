import { decodeHTML } from 'entities';
import { compile } from 'html-to-text';
import { marked, type Token } from 'marked';
import { parseText as parseCaptions } from 'media-captions';
import * as z from 'zod/mini';
import { ContentError, parseContent } from '../catalogue-loader/article-files.ts';
import type { Language } from '../database.ts';

/** A sentence of a text, without times. Paragraphs and chapters count from 0. */
export interface WrittenSentence {
  text: string;
  translation: string | null;
  paragraph: number;
  chapter: number | null;
}

interface ParsedText {
  /** The titles of the chapters. */
  chapters: string[];
  sentences: WrittenSentence[];
}

/** Returns the UTF-16 encoding that a byte order mark announces. */
export const getBomEncoding = (bytes: Buffer): string | undefined =>
  ({ fffe: 'utf-16le', feff: 'utf-16be' })[bytes.toString('hex', 0, 2)];

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark as Windows writes it.
 *
 * @param name - names the text in the error
 * @throws ContentError when the bytes are no such text.
 */
export const decodeText = (bytes: Buffer, name: string): string =>
  parseContent(`${name} is not text in UTF-8`, () =>
    new TextDecoder(getBomEncoding(bytes) ?? 'utf-8', { fatal: true }).decode(bytes),
  );

// `[^<>]*` stops at the next tag; otherwise a text of nothing but `<` would take quadratic time.
const scripts = /<\s*(script|iframe|object|embed|svg)\b|<[^<>]*(\son\w+\s*=|javascript:)/i;

/**
 * Refuses a text with scripts.
 *
 * @param name - names the text in the error
 * @throws ContentError when the text holds a script.
 */
export function rejectScripts(text: string, name: string): void {
  if (scripts.test(text)) throw new ContentError(`${name}: holds a script`);
}

/**
 * Collapses white space and control characters to single spaces, composes accents (NFC), and removes soft hyphens, at which
 * the search would divide a word.
 */
export const toSingleLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll('\u00ad', '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

const MAX_HTML_LENGTH = 2_000_000;
// Compiled once, because it is called for every cue of a transcript.
const convertHtml = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
  limits: { maxDepth: 50 },
});

/** Converts HTML to plain text with paragraphs. Nothing in it is loaded or executed. */
export const htmlToText = (html: string): string => convertHtml(html.slice(0, MAX_HTML_LENGTH));

const MAX_SENTENCE_LENGTH = 2000;

/** Abbreviations that a name follows. Those that often end a sentence, such as `etc.` and `Ud.`, are not among them. */
const titles = 'Mr|Mrs|Ms|Dr|Prof|St|Rev|Gen|Capt|Lt|Sgt|Sr|Sra|Srta|Dra|Dña|Lic|Ing|Gral|Avda|EE';
/** Ends in such an abbreviation or in an initial, which `I.` is not in English texts. */
const unfinished = new RegExp(`(?:^|[\\s"'(«“‘¿¡])(?:(?!I)\\p{Lu}|${titles})\\.\\s*$`, 'u');

/** Returns whether a text ends in an abbreviation or an initial, whose full stop ends no sentence. */
export const isUnfinished = (text: string): boolean => unfinished.test(text);

/** Splits a text into sentences. Very long ones are split at a space. */
export function splitSentences(text: string, language: Language): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const sentences: string[] = [];
  let isContinued = false;
  for (const { segment } of segmenter.segment(toSingleLine(text))) {
    sentences.push(isContinued ? `${sentences.pop()}${segment}` : segment);
    isContinued = isUnfinished(segment);
  }
  const chunk = new RegExp(`(?:.{1,${MAX_SENTENCE_LENGTH}})(?:\\s|$)|.{1,${MAX_SENTENCE_LENGTH}}`, 'gsu');
  return sentences.flatMap((sentence) => sentence.match(chunk) ?? []).map((sentence) => sentence.trim());
}

/** Tokens within a line. The text of any other token with children is a paragraph. */
const inlineTypes = ['em', 'strong', 'del', 'link'];

const joinText = (tokens: readonly Token[]): string => tokens.map(toPlainText).join('');

/** Returns the plain text of a Markdown token, in which paragraphs, items of lists and rows of tables end with an empty line. */
function toPlainText(token: Token): string {
  if (token.type === 'br' || /^<br\b/i.test(token.raw)) return '\n';
  if (token.type === 'html' || token.type === 'image' || token.type === 'code') return '';
  if (token.type === 'list') return joinText(token.items);
  if (token.type === 'table') {
    const rows: { tokens: Token[] }[][] = [token.header, ...token.rows];
    return rows.map((cells) => `${cells.map(({ tokens }) => joinText(tokens)).join(' ')}\n\n`).join('');
  }
  const children: Token[] | undefined = 'tokens' in token ? token.tokens : undefined;
  if (children) return inlineTypes.includes(token.type) ? joinText(children) : `${joinText(children)}\n\n`;
  return 'text' in token ? decodeHTML(token.text) : '';
}

/** Splits a paragraph into sentences. A line that starts with `= ` is the translation of the line above it. */
function parseParagraph(
  paragraph: string,
  language: Language,
): Pick<WrittenSentence, 'text' | 'translation'>[] {
  const lines = paragraph.split('\n').map((line) => line.trim());
  if (!lines.some((line) => line.startsWith('= ')))
    return splitSentences(paragraph, language).map((text) => ({ text, translation: null }));
  const sentences: Pick<WrittenSentence, 'text' | 'translation'>[] = [];
  for (const line of lines.filter((line) => line !== '')) {
    const last = sentences.at(-1);
    if (line.startsWith('= ') && last) last.translation = toSingleLine(line.slice(2));
    else sentences.push({ text: toSingleLine(line), translation: null });
  }
  return sentences;
}

/** A paragraph or a heading of a text. */
export interface Block {
  /** The level of a heading. */
  heading: number | undefined;
  text: string;
}

function toMarkdownBlocks(markdown: string): Block[] {
  try {
    return marked.lexer(markdown).flatMap((token) => {
      const heading: number | undefined = token.type === 'heading' ? token.depth : undefined;
      return toPlainText(token)
        .split(/\n{2,}/)
        .filter((text) => text.trim() !== '')
        .map((text) => ({ heading, text }));
    });
  } catch (error) {
    // Deeply nested quotes overflow the stack of the recursive lexer.
    throw error instanceof RangeError
      ? new ContentError('its text: holds parts within parts without an end')
      : error;
  }
}

const toPlainBlocks = (plain: string): Block[] =>
  plain.split(/\r?\n\s*\r?\n/).map((text) => ({ heading: undefined, text }));

/**
 * Divides a text without front matter into blocks.
 *
 * @throws ContentError when the text holds scripts or is nested too deeply.
 */
export function parseBlocks(text: string, format: 'markdown' | 'plain'): Block[] {
  rejectScripts(text, 'its text');
  return format === 'markdown' ? toMarkdownBlocks(text) : toPlainBlocks(text);
}

/** Returns the block that is the title of a text. */
export const findTitle = (blocks: readonly Block[]): Block | undefined =>
  blocks.find(({ heading }) => heading === 1);

/** Returns the sentences of a text, and its headings except for the title as chapters. */
export function parseText(blocks: readonly Block[], language: Language): ParsedText {
  const parsed: ParsedText = { chapters: [], sentences: [] };
  const title = findTitle(blocks);
  let paragraph = 0;
  for (const block of blocks) {
    if (block === title) continue;
    if (block.heading !== undefined) parsed.chapters.push(toSingleLine(block.text));
    else {
      const chapter = parsed.chapters.length === 0 ? null : parsed.chapters.length - 1;
      const sentences = parseParagraph(block.text, language).filter((sentence) =>
        /[\p{L}\p{N}]/u.test(sentence.text),
      );
      parsed.sentences.push(...sentences.map((sentence) => ({ ...sentence, paragraph, chapter })));
      if (sentences.length > 0) paragraph += 1;
    }
  }
  return parsed;
}

/** A cue of a transcript; times in seconds. */
export interface Cue {
  text: string;
  start: number;
  end: number;
}

export type TranscriptFormat = 'srt' | 'vtt' | 'json';

const time = z.number().check(z.nonnegative());
const podcastSegment = z.pipe(
  z.object({ startTime: time, endTime: z.optional(time), body: z.string() }),
  z.transform(({ startTime: start, endTime: end, body: text }) => ({ text, start, end })),
);
const whisperSegment = z.object({ start: time, end: time, text: z.string() });
const jsonTranscript = z.object({ segments: z.array(z.union([podcastSegment, whisperSegment])) });

function parseJsonCues(text: string): Cue[] {
  const data: unknown = parseContent('its transcript is not JSON', () => JSON.parse(text));
  const { segments } = parseContent('its transcript has no segments with times and words', () =>
    jsonTranscript.parse(data),
  );
  return segments.map(({ text, start, end }, index) => ({
    text,
    start,
    end: end ?? segments[index + 1]?.start ?? start,
  }));
}

/** The parser takes quadratic time, which makes 60,000 cues at once take a minute. */
const BLOCKS_PER_CHUNK = 500;

async function parseCaptionCues(text: string, type: 'srt' | 'vtt'): Promise<Cue[]> {
  const blocks = text.split(/\n\s*\n/);
  const cues: Cue[] = [];
  for (let from = 0; from < blocks.length; from += BLOCKS_PER_CHUNK) {
    const header = type === 'vtt' && from > 0 ? ['WEBVTT'] : [];
    const chunk = [...header, ...blocks.slice(from, from + BLOCKS_PER_CHUNK)].join('\n\n');
    for (const { text, startTime: start, endTime: end } of (await parseCaptions(chunk, { type })).cues)
      cues.push({ text: htmlToText(text.replace(/<[^<>]*>/g, '')), start, end });
  }
  return cues;
}

/**
 * Parses a transcript: SubRip, WebVTT, or JSON of podcasts and of Whisper. Returns cues by time, without empty ones.
 *
 * @throws ContentError when the transcript is invalid, empty or holds scripts.
 */
export async function parseTranscript(text: string, format: TranscriptFormat): Promise<Cue[]> {
  rejectScripts(text, 'its transcript');
  const parsed = format === 'json' ? parseJsonCues(text) : await parseCaptionCues(text, format);
  const cues = parsed
    .map(({ text, start, end }) => ({ text: toSingleLine(text), start, end: Math.max(start, end) }))
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.start - other.start);
  if (cues.length === 0) throw new ContentError('its transcript holds no words with times');
  return cues;
}
