/** One piece of the library: what its piece.json says, when it must be narrated again, and the narration itself. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { join, pauses, trim } from './narrate-join.ts';
import { master } from './narrate-master.ts';
import { bitrate, durationOf, sampleRate } from './narrate-mp3.ts';
import { paces, speak, voices } from './narrate-voice.ts';
import type { Sound } from './narrate-wav.ts';
import type { SourceText } from './source.ts';

/** Raised whenever the same text would sound or be described differently. */
const toolVersion = 1;

/** A page or a chapter begins this long before its first sentence, in the middle of the pause. */
const turn = 0.5;

export interface PieceSentence {
  text: string;
  translation: string;
  start: number;
  end: number;
  paragraph: number;
  chapter: number | null;
  page: number | null;
}

/** The contents of piece.json; times in seconds of what a browser plays. */
export interface Piece {
  slug: string;
  title: string;
  language: string;
  translationLanguage: string;
  level: string;
  kind: string;
  topic: string;
  summary: string;
  published: string;
  narrator: { name: string; image: string };
  duration: number;
  audio: { file: string; codec: string; bitrate: number; sampleRate: number; loudness: number };
  chapters: { title: string; start: number }[];
  pages: { title: string; picture: string; alt: string; start: number }[];
  sentences: PieceSentence[];
  sourceHash: string;
}

const seconds = (time: number): number => Math.round(time * 1000) / 1000;

/** In: a name. Out: its ascii form in lower case. */
const plain = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** In: a text. Out: a short hash of all that makes its narration. */
export function sourceHash(text: SourceText): string {
  const inputs = { toolVersion, text, voice: voices[text.narrator], pace: paces[text.level], pauses };
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}

/** In: a text. Out: the pause before each of its sentences; the slower the level is read, the longer. */
function gapsOf({ sentences, level }: SourceText): number[] {
  return sentences.map((sentence, i) => {
    const before = sentences[i - 1];
    if (!before) return pauses.lead;
    const inside = before.paragraph === sentence.paragraph ? pauses.sentence : pauses.paragraph;
    return (before.section === sentence.section ? inside : pauses.section) / paces[level];
  });
}

/** In: a text. Out: everything in its piece.json that needs no sound; times and loudness are zero. */
export function describe(text: SourceText): Piece {
  const { slug, title, language, translationLanguage, level, kind, topic, summary, published, narrator } =
    text;
  const chapters =
    kind === 'audiobook' ? text.sections.map((section) => ({ title: section.title, start: 0 })) : [];
  const pages =
    kind === 'visual-book'
      ? text.sections.map((section, i) => ({
          title: section.title,
          picture: `page-${String(i + 1).padStart(2, '0')}`,
          alt: section.alt ?? '',
          start: 0,
        }))
      : [];
  const sentences = text.sentences.map((sentence) => ({
    text: sentence.text,
    translation: sentence.translation,
    start: 0,
    end: 0,
    paragraph: sentence.paragraph,
    chapter: kind === 'audiobook' ? sentence.section : null,
    page: kind === 'visual-book' ? sentence.section : null,
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
    narrator: { name: narrator, image: `narrators/${plain(narrator)}.avif` },
    duration: 0,
    audio: { file: 'audio.mp3', codec: 'mp3', bitrate, sampleRate, loudness: 0 },
    chapters,
    pages,
    sentences,
    sourceHash: sourceHash(text),
  };
}

/** In: the library's folder and a slug. Out: what its piece.json says, or null when there is none. */
export async function readPiece(library: string, slug: string): Promise<Piece | null> {
  const json = await readFile(pathOf(library, slug, 'piece.json'), 'utf8').catch(() => null);
  return json === null ? null : (JSON.parse(json) as Piece);
}

/** In: a text and the library's folder. Out: whether its narration is there and of this very text. */
export async function isCurrent(text: SourceText, library: string): Promise<boolean> {
  const piece = await readPiece(library, text.slug);
  if (piece?.sourceHash !== sourceHash(text)) return false;
  const mp3 = await readFile(pathOf(library, text.slug, 'audio.mp3')).catch(() => null);
  return mp3 !== null && seconds(durationOf(mp3)) === piece.duration;
}

/** Narrates a text. In: the text and the library's folder. Out: the piece; audio.mp3 and piece.json are written. */
export async function narrate(text: SourceText, library: string): Promise<Piece> {
  const folder = await mkdtemp(pathOf(tmpdir(), `narrate-${text.slug}-`));
  try {
    const sounds: Sound[] = [];
    for (const [i, sentence] of text.sentences.entries()) {
      const sound = await speak(sentence.text, text.narrator, text.level, folder);
      try {
        sounds.push(trim(sound));
      } catch (error) {
        throw new Error(`${text.slug}, sentence ${i + 1} ("${sentence.text}")`, { cause: error });
      }
    }
    const { sound, spans } = join(sounds, gapsOf(text));
    const scratch = pathOf(folder, 'audio.mp3');
    const { loudness } = await master(sound, folder, scratch);
    const mp3 = await readFile(scratch);
    const piece = describe(text);
    piece.duration = seconds(durationOf(mp3));
    piece.audio.loudness = loudness;
    for (const [i, { start, end }] of spans.entries())
      Object.assign(piece.sentences[i] ?? {}, { start: seconds(start), end: seconds(end) });
    for (const [i, section] of [...piece.chapters, ...piece.pages].entries()) {
      const first = piece.sentences.find((sentence) => (sentence.chapter ?? sentence.page) === i);
      section.start = i === 0 || !first ? 0 : seconds(first.start - turn);
    }
    const target = pathOf(library, text.slug);
    await mkdir(target, { recursive: true });
    await writeFile(pathOf(target, 'audio.mp3.new'), mp3);
    await rename(pathOf(target, 'audio.mp3.new'), pathOf(target, 'audio.mp3'));
    await writeFile(pathOf(target, 'piece.json'), `${JSON.stringify(piece, null, 2)}\n`);
    return piece;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
