import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PieceFault } from '../library/source.ts';
import { framesOf, writeFrames } from './mp3.ts';
import type { Silence } from './timing.ts';

/** Audio as the catalogue keeps it. Seconds, and LUFS where somebody could measure it. */
export interface Audio {
  path: string;
  seconds: number;
  loudness: number | null;
  silences: Silence[];
  /** So much later than a transcript of the original says does it sound. */
  late: number;
}

/** Longer than any book is read aloud in one file. */
const MOST_SECONDS = 48 * 3600;
const SLOWEST_MINUTES = 60;

/** What a file's own bytes say it is, and ffmpeg's name for reading it. */
const kinds: readonly (readonly [demuxer: string, name: string, is: (head: Buffer) => boolean])[] = [
  ['mov', 'M4A', (head) => head.toString('latin1', 4, 8) === 'ftyp'],
  ['ogg', 'Ogg', (head) => head.toString('latin1', 0, 4) === 'OggS'],
  ['flac', 'FLAC', (head) => head.toString('latin1', 0, 4) === 'fLaC'],
  [
    'wav',
    'WAV',
    (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE',
  ],
  ['aiff', 'AIFF', (head) => head.toString('latin1', 0, 4) === 'FORM'],
  ['matroska', 'WebM', (head) => head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3],
  ['aac', 'AAC', (head) => head.length >= 2 && (head.readUInt16BE(0) & 0xfff6) === 0xfff0],
  ['mp3', 'MP3 of a varying bit rate', (head) => head.toString('latin1', 0, 3) === 'ID3'],
  [
    'mp3',
    'MP3 of a varying bit rate',
    (head) => head.length >= 2 && (head.readUInt16BE(0) & 0xffe0) === 0xffe0,
  ],
];

/** Runs ffmpeg. Out: what it reported. Throws `PieceFault` where it refuses the file or takes for ever. */
async function ffmpeg(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, ['-nostdin', '-hide_banner', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: SLOWEST_MINUTES * 60_000,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  const [report, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new PieceFault('is no audio that can be read');
  return report;
}

const listening = 'ebur128=framelog=verbose,silencedetect=n=-38dB:d=0.2';

const numbers = (report: string, pattern: RegExp): number[] =>
  Array.from(report.matchAll(pattern), ([, number]) => Number(number));

/** What ffmpeg heard: loudness by EBU R128 (-70 is silence, which has none), and pauses. */
function heardIn(report: string, seconds: number): Pick<Audio, 'loudness' | 'silences'> {
  const loudness = numbers(report, /\bI:\s+(-?[\d.]+) LUFS/g).at(-1);
  const ends = numbers(report, /silence_end: ([\d.]+)/g);
  const silences = numbers(report, /silence_start: (-?[\d.]+)/g).map((start, index) => ({
    start: Math.max(0, start),
    end: ends[index] ?? seconds,
  }));
  return { loudness: loudness === undefined || loudness <= -70 ? null : loudness, silences };
}

/** The file and nothing it may point to. */
const inputOf = (demuxer: string, path: string) => [
  ...['-protocol_whitelist', 'file', '-f', demuxer, '-t', String(MOST_SECONDS), '-i', `file:${path}`],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn'],
];

/**
 * At 48 kHz a frame of these bit rates has no padding, so that a time is a matter of counting; without a reservoir a seek
 * is heard from its first sample. The samples cut off are what encoder and decoder add (see content/README.md).
 */
const encoding = (...target: string[]) => [
  ...[
    '-af',
    `aresample=48000,aformat=channel_layouts=mono,${listening},atrim=start_sample=841,asetpts=N/SR/TB`,
  ],
  ...['-c:a', 'libmp3lame', '-b:a', '64k', '-reservoir', '0', '-write_xing', '0', '-id3v2_version', '0'],
  ...['-map_metadata', '-1', '-bitexact', ...target],
];

interface Listener {
  /** The program's path or name; undefined where this machine has none. */
  ffmpeg: string | undefined;
}

/** The name of a program that does all that is needed of ffmpeg; undefined where there is none. */
export async function findFfmpeg(program = 'ffmpeg'): Promise<string | undefined> {
  const silence = ['-f', 'lavfi', '-t', '0.2', '-i', 'anullsrc=r=44100:cl=stereo'];
  return ffmpeg(program, [...silence, ...encoding('-f', 'null', '-')]).then(
    () => program,
    () => undefined,
  );
}

/**
 * Makes audio that every browser seeks right: an MP3 of a constant bit rate keeps its frames, everything else is encoded
 * anew, which needs ffmpeg. In: the file, its first bytes, a folder to write into. Throws `PieceFault`.
 */
export async function audioOf(
  path: string,
  head: Buffer,
  folder: string,
  { ffmpeg: program }: Listener,
): Promise<Audio> {
  const target = join(folder, 'audio.mp3');
  const [demuxer, name] = kinds.find(([, , is]) => is(head)) ?? [];
  if (demuxer === undefined) throw new PieceFault('is no audio that can be read');
  const frames = demuxer === 'mp3' ? await framesOf(path) : undefined;
  if (frames) {
    if (frames.seconds > MOST_SECONDS) throw new PieceFault('is longer than 48 hours');
    await writeFrames(path, frames, target);
    const report =
      program && (await ffmpeg(program, [...inputOf('mp3', target), '-af', listening, '-f', 'null', '-']));
    const heard = report ? heardIn(report, frames.seconds) : { loudness: null, silences: [] };
    return { path: target, seconds: frames.seconds, late: frames.late, ...heard };
  }
  if (program === undefined)
    throw new PieceFault(
      `is ${name}, which browsers play or seek wrongly: install ffmpeg, and it is encoded anew`,
    );
  const encoded = join(folder, 'encoded.mp3');
  const report = await ffmpeg(program, [...inputOf(demuxer, path), ...encoding('-f', 'mp3', encoded)]);
  const made = await framesOf(encoded);
  if (!made) throw new PieceFault('is no audio that can be read');
  if (made.seconds >= MOST_SECONDS - 1) throw new PieceFault('is longer than 48 hours');
  await writeFrames(encoded, made, target);
  await rm(encoded);
  return { path: target, seconds: made.seconds, late: 0, ...heardIn(report, made.seconds) };
}
