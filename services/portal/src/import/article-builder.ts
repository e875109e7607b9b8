import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorMessage } from '@escucho/database';
import sharp from 'sharp';
import { parse } from 'yaml';
import {
  type ArticleContent,
  type ArticleMedia,
  articleSchema,
  ContentError,
  DURATION_TOLERANCE_SECONDS,
  validateContent,
} from '../catalogue-loader/article-files.ts';
import { type ImportedAudio, importAudio } from './audio.ts';
import {
  type ArticleMetadata,
  findFieldName,
  type Metadata,
  mergeMetadata,
  parseMetadata,
  readTags,
} from './metadata.ts';
import type { Recording, RecordingFiles } from './recording.ts';
import { type Block, type Cue, findTitle, parseBlocks, parseText, parseTranscript } from './text.ts';
import { alignSentences, estimateTimes, type TimedSentence, toTimedSentences } from './timing.ts';

/** The paths of an article's pictures, in the sizes that pages show. */
type Cover = Pick<ArticleMedia, 'image' | 'artwork'>;

/** 12,000 by 12,000; larger pictures are decompression bombs. */
const MAX_PIXELS = 144_000_000;
const ARTWORK_PIXELS = 640;
const artworkFormat = { quality: 78, effort: 2 };

const getArtworkPath = (folder: string): string => join(folder, 'cover-640.webp');

/** Returns whether, by its first bytes, a picture has a format that cannot hold scripts or references. */
const isSafePicture = (bytes: Buffer): boolean =>
  [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi[fs]/s, /^GIF8/].some((magic) =>
    magic.test(bytes.toString('latin1', 0, 16)),
  );

/** Draws concentric rings in colours derived from the title, as SVG. */
function drawRings(title: string): string {
  const hash = createHash('sha256').update(title).digest();
  const hue = Math.round((hash.readUInt8(0) / 256) * 360);
  const [x, y] = [240 + (hash.readUInt8(1) % 160), 240 + (hash.readUInt8(2) % 160)];
  const rings = [60, 130, 200, 270, 340, 410, 480].map(
    (radius, index) =>
      `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="hsl(${(hue + index * 9) % 360} 45% ${78 - index * 6}%)" stroke-width="${26 - index * 2}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640" width="640" height="640"><rect width="640" height="640" fill="hsl(${hue} 40% 24%)"/>${rings.join('')}</svg>`;
}

/**
 * Writes a cover for a recording without a picture. Pages show the drawing itself, which is smaller than a rendering;
 * previews of links and lock screens need pixels.
 */
async function writeDrawnCover(title: string, folder: string): Promise<Cover> {
  const [image, artwork] = [join(folder, 'cover.svg'), getArtworkPath(folder)];
  const drawing = drawRings(title);
  await writeFile(image, drawing);
  await sharp(Buffer.from(drawing)).webp(artworkFormat).toFile(artwork);
  return { image, artwork };
}

/**
 * Renders a picture as a cover.
 *
 * @throws ContentError when it cannot be read or has a format that can hold scripts.
 */
async function renderCover(picture: Buffer, folder: string): Promise<Cover> {
  if (!isSafePicture(picture)) throw new ContentError('its picture is not JPEG, PNG, WebP, AVIF or GIF');
  const [image, artwork] = [join(folder, 'cover-320.avif'), getArtworkPath(folder)];
  try {
    // Decoded once for both sizes. More effort saves a twentieth of the bytes for twice the processor time.
    const { data, info: raw } = await sharp(picture, { limitInputPixels: MAX_PIXELS, pages: 1 })
      .rotate()
      .resize(ARTWORK_PIXELS, ARTWORK_PIXELS, { fit: 'cover' })
      .flatten({ background: 'white' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    await sharp(data, { raw })
      .resize(ARTWORK_PIXELS / 2)
      .avif({ quality: 59, effort: 1 })
      .toFile(image);
    await sharp(data, { raw }).webp(artworkFormat).toFile(artwork);
  } catch {
    throw new ContentError('its picture cannot be read');
  }
  return { image, artwork };
}

/** An article built from a recording. */
interface ImportedArticle {
  content: ArticleContent;
  /** The paths of its files. */
  files: ArticleMedia;
  /** Whether the times of its sentences are estimated. */
  isEstimated: boolean;
}

interface ImportedText {
  sentences: TimedSentence[];
  chapters: ArticleContent['chapters'];
  /** Whether the times are estimated because there is no transcript. */
  isEstimated: boolean;
}

/** @throws ContentError with the reason and the line in the file */
function parseYaml(yaml: string): unknown {
  try {
    // The line before it is that of `---`.
    return parse(`\n${yaml}`, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = getErrorMessage(error).split(/:?\n/);
    throw new ContentError(`its front matter cannot be read: ${reason}`);
  }
}

/** Parses YAML front matter between two lines of `---`; all values remain text. */
function parseFrontMatter(content: string): { metadata: Metadata; body: string } {
  const [match, yaml] = /^---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(content) ?? [];
  if (match === undefined || yaml === undefined) {
    if (/^---[ \t]*\r?\n\w+:/.test(content))
      throw new ContentError('its front matter has no end: write a line of --- after it');
    return { metadata: {}, body: content };
  }
  const entries = Object.entries(Object(parseYaml(yaml))).flatMap(([key, value]): [string, string][] => {
    const name = findFieldName(key);
    if (name === undefined) return [];
    if (typeof value !== 'string') throw new ContentError(`its ${name} must be one value, and no list`);
    return [[name, value]];
  });
  return { metadata: Object.fromEntries(entries), body: content.slice(match.length) };
}

/** Returns the metadata that the headings of a text imply: `#` is its title, and one with `##` is an audiobook. */
function getHeadingMetadata(blocks: readonly Block[]): Metadata {
  return {
    title: findTitle(blocks)?.text,
    kind: blocks.some(({ heading }) => heading === 2) ? 'audiobook' : undefined,
  };
}

/** Shifts cues to the times of the imported file. */
const applyDelay = (cues: readonly Cue[], { delaySeconds }: ImportedAudio): Cue[] =>
  cues.map((cue) => ({ ...cue, start: cue.start + delaySeconds, end: cue.end + delaySeconds }));

/** Parses a text and its transcript. Without a transcript times are estimated; without a text the transcript is the text. */
async function importText(
  transcript: RecordingFiles['transcript'],
  blocks: readonly Block[],
  { language }: ArticleMetadata,
  audio: ImportedAudio,
): Promise<ImportedText> {
  const { sentences: written, chapters } = parseText(blocks, language);
  let timed: TimedSentence[] | undefined;
  if (transcript) {
    const cues = applyDelay(await parseTranscript(transcript.content, transcript.format), audio);
    if (cues.some(({ start }) => start > audio.seconds + DURATION_TOLERANCE_SECONDS))
      throw new ContentError('its transcript goes on after its audio');
    timed = written.length === 0 ? toTimedSentences(cues, language) : alignSentences(written, cues);
    if (!timed) throw new ContentError('its transcript has another text than its text');
  } else {
    timed = estimateTimes(written, audio.silences, audio.seconds);
  }
  const sentences = timed.map((sentence) => ({
    ...sentence,
    start: Math.min(sentence.start, audio.seconds),
    end: Math.min(sentence.end, audio.seconds),
  }));
  return {
    sentences,
    // A chapter without sentences starts with the next one.
    chapters: chapters.map((title, index) => {
      const first = sentences.find(({ chapter }) => chapter !== null && chapter >= index);
      return { title, start: first?.start ?? audio.seconds };
    }),
    isEstimated: transcript === undefined && sentences.length > 0,
  };
}

/**
 * Builds an article from a recording.
 *
 * @param defaults - metadata for fields that the front matter lacks
 * @param createSlug - returns the slug for a title
 * @param folder - where the files are written
 * @param ffmpeg - the program; undefined if there is none on this machine
 * @throws ContentError when a file is invalid or metadata is missing.
 */
export async function buildArticle(
  { recording, files, defaults }: { recording: Recording; files: RecordingFiles; defaults: Metadata },
  createSlug: (title: string) => Promise<string>,
  folder: string,
  ffmpeg: string | undefined,
): Promise<ImportedArticle> {
  const { metadata: frontMatter, body } = parseFrontMatter(files.text?.content ?? '');
  const blocks = parseBlocks(body, files.text?.format ?? 'plain');
  const { title, kind } = getHeadingMetadata(blocks);
  const audio = await importAudio(files.audio, folder, ffmpeg);
  const tags = await readTags(files.audio);
  const metadata = parseMetadata(
    mergeMetadata(frontMatter, defaults, recording.metadata, { title }, tags.metadata, recording.fallback, {
      kind,
    }),
  );
  if (metadata.kind === 'visual-book')
    throw new ContentError('is a visual book, whose pages cannot be imported');
  const picture = files.picture ?? tags.picture;
  const cover = await (picture ? renderCover(picture, folder) : writeDrawnCover(metadata.title, folder));
  const { sentences, chapters, isEstimated } = await importText(files.transcript, blocks, metadata, audio);
  const isTranslated = sentences.some(({ translation }) => translation !== null);
  const otherLanguage = metadata.language === 'en' ? 'es' : 'en';
  const content = validateContent(articleSchema, {
    slug: await createSlug(metadata.title),
    ...metadata,
    translationLanguage: isTranslated ? (metadata.translationLanguage ?? otherLanguage) : null,
    narrator: { name: metadata.narrator, image: null },
    duration: audio.seconds,
    audio: { file: 'audio.mp3', loudness: audio.loudness },
    chapters,
    pages: [],
    sentences: sentences.map((sentence) => ({ ...sentence, page: null })),
  });
  return { content, files: { ...cover, audio: audio.path, portrait: null, pages: [] }, isEstimated };
}
