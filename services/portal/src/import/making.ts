import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'yaml';
import { type Piece, recordingSchema } from '../library/piece.ts';
import { faultOf, PieceFault } from '../library/source.ts';
import { type Audio, audioOf } from './audio.ts';
import { type Cover, coverOf } from './cover.ts';
import type { Draft, Fetched } from './draft.ts';
import { type Facts, factsOf, firstOf, type Hints } from './facts.ts';
import { refuseHugeTags, tagsOf } from './tags.ts';
import { type Text, textOf } from './text.ts';
import { estimated, sentencesOfCues, type Timed, timedByCues } from './timing.ts';
import { type Cue, cuesOf } from './transcript.ts';

/** A piece made of a draft, with the paths of its files. */
export interface Made {
  facts: Facts;
  audio: Audio;
  cover: Cover;
  words: { sentences: Timed[]; chapters: Piece['chapters']; isEstimated: boolean };
}

const SLACK_SECONDS = 1;

/** The SHA-256 of a file, in hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Front matter between two lines of `---`, every value as text. */
function frontMatterOf(content: string): { hints: Hints; body: string } {
  const [whole, yaml] = /^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(content) ?? [];
  if (whole === undefined || yaml === undefined) return { hints: {}, body: content };
  let values: unknown;
  try {
    values = parse(yaml, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' });
  } catch {
    throw new PieceFault('its front matter cannot be read');
  }
  const entries = Object.entries(Object(values)).filter(([, value]) => typeof value === 'string');
  return { hints: Object.fromEntries(entries), body: content.slice(whole.length) };
}

/** Each chapter begins with its first sentence, or where the next one does. */
function chaptersOf({ chapters }: Text, sentences: readonly Timed[], seconds: number): Piece['chapters'] {
  return chapters.map((title, index) => {
    const first = sentences.find(({ chapter }) => chapter !== null && chapter >= index);
    return { title, start: first?.start ?? seconds };
  });
}

/** Cues by the clock of the audio as it is kept. */
const later = (cues: readonly Cue[], { late }: Audio): Cue[] =>
  cues.map((cue) => ({ ...cue, start: cue.start + late, end: cue.end + late }));

/** Sentences with their times. A transcript knows them; without one they are estimated. */
async function timesOf(
  written: Text['sentences'],
  { transcript }: Fetched,
  language: Facts['language'],
  audio: Audio,
) {
  if (!transcript) return estimated(written, audio.silences, audio.seconds);
  const cues = later(await cuesOf(transcript.content, transcript.format), audio);
  if (cues.some(({ start }) => start > audio.seconds + SLACK_SECONDS))
    throw new PieceFault('its transcript goes on after its audio');
  const timed = written.length === 0 ? sentencesOfCues(cues, language) : timedByCues(written, cues);
  if (!timed) throw new PieceFault('its transcript tells another text than its text');
  return timed;
}

async function wordsOf(
  fetched: Fetched,
  body: string,
  { language }: Facts,
  audio: Audio,
): Promise<Made['words']> {
  const text = textOf(body, fetched.text?.format ?? 'plain', language);
  const timed = await timesOf(text.sentences, fetched, language, audio);
  const sentences = timed.map((sentence) => ({
    ...sentence,
    start: Math.min(sentence.start, audio.seconds),
    end: Math.min(sentence.end, audio.seconds),
  }));
  return {
    sentences,
    chapters: chaptersOf(text, sentences, audio.seconds),
    isEstimated: fetched.transcript === undefined && sentences.length > 0,
  };
}

/** The piece as the catalogue takes it. In: its name in addresses. Throws `PieceFault`. */
export function pieceOf({ facts, audio, words }: Made, slug: string): Piece {
  const isTranslated = words.sentences.some(({ translation }) => translation !== null);
  const other = facts.language === 'en' ? 'es' : 'en';
  const read = recordingSchema.safeParse({
    ...{ slug, title: facts.title, summary: facts.summary, language: facts.language },
    translationLanguage: isTranslated ? (facts.translationLanguage ?? other) : null,
    ...{ level: facts.level, kind: facts.kind, topic: facts.topic, published: facts.published },
    narrator: { name: facts.narrator, image: null },
    duration: audio.seconds,
    audio: { file: 'audio.mp3', loudness: audio.loudness },
    ...{ chapters: words.chapters, pages: [] },
    sentences: words.sentences.map((sentence) => ({ ...sentence, page: null })),
  });
  if (!read.success) throw faultOf(read.error);
  return read.data;
}

/**
 * Makes a piece of a draft. In: the draft and its files, what is said of all drafts, a folder to write into, the program
 * that measures and encodes. Throws `PieceFault`.
 */
export async function make(
  { draft, fetched, given }: { draft: Draft; fetched: Fetched; given: Hints },
  folder: string,
  ffmpeg: string | undefined,
): Promise<Made> {
  const head = await headOf(fetched.audio);
  await refuseHugeTags(fetched.audio, head);
  const { hints: front, body } = frontMatterOf(fetched.text?.content ?? '');
  const isMarkdown = fetched.text?.format === 'markdown';
  const heading = { title: isMarkdown ? /^# +(.+)$/m.exec(body)?.[1] : undefined };
  const kind = isMarkdown && /^## /m.test(body) ? { kind: 'audiobook' } : {};
  const audio = await audioOf(fetched.audio, head, folder, { ffmpeg });
  const tags = await tagsOf(fetched.audio);
  const facts = factsOf(firstOf(front, given, draft.hints, heading, tags.hints, draft.guess, kind));
  if (facts.kind === 'visual-book') throw new PieceFault('is a visual book, whose pages cannot be imported');
  return {
    ...{ facts, audio },
    cover: await coverOf(fetched.picture ?? tags.picture, facts.title, folder),
    words: await wordsOf(fetched, body, facts, audio),
  };
}
