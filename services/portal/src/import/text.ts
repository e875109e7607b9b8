import { decodeHTML } from 'entities';
import { compile } from 'html-to-text';
import { marked, type Token } from 'marked';
import { PieceFault } from '../library/source.ts';

/** A sentence as it is written, before anybody knows when it is spoken. Paragraphs and chapters count from 0. */
export interface Written {
  text: string;
  translation: string | null;
  paragraph: number;
  chapter: number | null;
}

/** A text as it was brought: its title where it has one, its chapters' titles, its sentences. */
export interface Text {
  title: string | undefined;
  chapters: string[];
  sentences: Written[];
}

type Language = 'en' | 'es';

/** The UTF-16 that the first bytes of a text are marked as; undefined where they are not. */
export const markedEncoding = (bytes: Buffer): string | undefined =>
  ({ fffe: 'utf-16le', feff: 'utf-16be' })[bytes.toString('hex', 0, 2)];

/**
 * Bytes as text, without a mark at their beginning: UTF-8, or UTF-16 where they are marked so, as Windows writes it. In: what
 * they are called in a fault. Throws `PieceFault`.
 */
export function decoded(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder(markedEncoding(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PieceFault(`${what} is not text in UTF-8`);
  }
}

// Nobody writes these into a text to be read; who does means a browser.
// A tag ends at the next one at the latest, or a text of nothing but `<` would be read once for each of them.
const scripts = /<\s*(script|iframe|object|embed|svg)\b|<[^<>]*\son\w+\s*=|javascript:/i;
const MOST_OF_A_SENTENCE = 2000;

/** Throws `PieceFault` for a text that carries scripts. In: the text, and what it is. */
export function refuseScripts(text: string, what: string): void {
  if (scripts.test(text)) throw new PieceFault(`${what}: holds a script`);
}

/** One line without control characters or spaces at its ends. */
export const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

const MOST_OF_HTML = 2_000_000;
// Made once: a transcript asks for each of its cues.
const convert = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
  limits: { maxDepth: 50 },
});

/** What HTML says, as plain text with paragraphs. In: HTML or plain text; nothing of it is loaded or run. */
export const plainOf = (html: string): string => convert(html.slice(0, MOST_OF_HTML));

/** Cuts a text into sentences. One without an end for a long time is cut at a space. */
export function sentencesOf(text: string, language: Language): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const whole = Array.from(segmenter.segment(oneLine(text)), ({ segment }) => segment.trim());
  const cut = new RegExp(`(?:.{1,${MOST_OF_A_SENTENCE}})(?:\\s|$)|.{1,${MOST_OF_A_SENTENCE}}`, 'gsu');
  return whole.flatMap((sentence) => sentence.match(cut) ?? []).map((sentence) => sentence.trim());
}

/** What a Markdown token says, without its marks. */
function wordsOf(token: Token): string {
  if (token.type === 'html' || token.type === 'image' || token.type === 'code') return '';
  if (token.type === 'br') return '\n';
  const inner: Token[] | undefined = 'tokens' in token ? token.tokens : undefined;
  if (inner) return inner.map(wordsOf).join('');
  if (token.type === 'list') return token.items.map((item: Token) => `${wordsOf(item)}\n\n`).join('');
  return 'text' in token ? decodeHTML(token.text) : '';
}

interface Line {
  text: string;
  translation: string | null;
}

/** A paragraph's sentences. A line that begins with `= ` is the translation of the line above it. */
function linesOf(paragraph: string, language: Language): Line[] {
  const rows = paragraph.split('\n').map((row) => row.trim());
  if (!rows.some((row) => row.startsWith('= ')))
    return sentencesOf(paragraph, language).map((text) => ({ text, translation: null }));
  const lines: Line[] = [];
  for (const row of rows.filter((row) => row !== '')) {
    const last = lines.at(-1);
    if (row.startsWith('= ') && last) last.translation = oneLine(row.slice(2));
    else lines.push({ text: oneLine(row), translation: null });
  }
  return lines;
}

interface Block {
  heading: number | undefined;
  text: string;
}

function blocksOfMarkdown(markdown: string): Block[] {
  try {
    return marked.lexer(markdown).flatMap((token) => {
      const heading: number | undefined = token.type === 'heading' ? token.depth : undefined;
      return wordsOf(token)
        .split(/\n{2,}/)
        .map((text) => ({ heading, text }));
    });
  } catch (error) {
    // The stack has an end, and quotes within quotes need not.
    throw error instanceof RangeError
      ? new PieceFault('its text: holds parts within parts without an end')
      : error;
  }
}

const blocksOfPlain = (plain: string): Block[] =>
  plain.split(/\r?\n\s*\r?\n/).map((text) => ({ heading: undefined, text }));

/**
 * Reads a text. Of Markdown, `#` is the title and `##` begins a chapter; neither is read aloud. In: the text without
 * front matter. Throws `PieceFault` for scripts.
 */
export function textOf(text: string, format: 'markdown' | 'plain', language: Language): Text {
  refuseScripts(text, 'its text');
  const read: Text = { title: undefined, chapters: [], sentences: [] };
  let paragraph = 0;
  for (const block of format === 'markdown' ? blocksOfMarkdown(text) : blocksOfPlain(text)) {
    if (block.heading === 1 && read.title === undefined) read.title = oneLine(block.text);
    else if (block.heading !== undefined) read.chapters.push(oneLine(block.text));
    else {
      const chapter = read.chapters.length === 0 ? null : read.chapters.length - 1;
      const lines = linesOf(block.text, language).filter((line) => /[\p{L}\p{N}]/u.test(line.text));
      read.sentences.push(...lines.map((line) => ({ ...line, paragraph, chapter })));
      if (lines.length > 0) paragraph += 1;
    }
  }
  return read;
}
