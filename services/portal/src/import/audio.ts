import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ContentError } from '../catalogue-loader/article-files.ts';
import { hasMagic } from './metadata.ts';
import { scanFrames, writeWithInfoHeader } from './mp3.ts';
import type { Silence } from './timing.ts';

/** An imported audio file. */
export interface ImportedAudio {
  path: string;
  seconds: number;
  /** In LUFS; null where it could not be measured. */
  loudness: number | null;
  silences: Silence[];
  /** Seconds by which the file lags behind the times of a transcript of the original. */
  delaySeconds: number;
}

/** Longer than any audiobook in one file. */
const MAX_SECONDS = 48 * 3600;
const FFMPEG_TIMEOUT_MS = 60 * 60_000;
/** The log has a line of measurements for each tenth of a second. */
const MAX_LOG_BYTES = 1024 ** 3;
/** The loudness that EBU R128 reports for silence. */
const SILENCE_LUFS = -70;

/** Returns whether a file starts with the frame of an MP3 or with the tags before it. */
const isMp3 = (head: Buffer) =>
  hasMagic('ID3')(head) || (head.length >= 2 && (head.readUInt16BE(0) & 0xffe0) === 0xffe0);

/** Audio formats by their first bytes: ffmpeg's demuxer, the name for messages, and the test. */
const formats: readonly (readonly [demuxer: string, name: string, matches: (head: Buffer) => boolean])[] = [
  ['mov', 'M4A', hasMagic('ftyp', 4)],
  ['ogg', 'Ogg', hasMagic('OggS')],
  ['flac', 'FLAC', hasMagic('fLaC')],
  ['wav', 'WAV', (head) => hasMagic('RIFF')(head) && hasMagic('WAVE', 8)(head)],
  ['aiff', 'AIFF', hasMagic('FORM')],
  ['matroska', 'WebM', (head) => head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3],
  ['aac', 'AAC', (head) => head.length >= 2 && (head.readUInt16BE(0) & 0xfff6) === 0xfff0],
  ['mp3', 'MP3 of a varying bit rate', isMp3],
];

const execute = promisify(execFile);

/**
 * Runs ffmpeg and returns its log.
 *
 * @throws ContentError when it fails or exceeds the timeout; the system's error when it cannot be started
 */
async function runFfmpeg(program: string, args: readonly string[]): Promise<string> {
  // The timer of `spawn` would keep the process alive for as long as the timeout where there is no ffmpeg.
  const options = { timeout: FFMPEG_TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_LOG_BYTES } as const;
  try {
    const { stderr } = await execute(program, ['-nostdin', '-hide_banner', '-y', ...args], options);
    return stderr;
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') throw error;
    throw new ContentError('is no audio that can be read', { cause: error });
  }
}

/**
 * Finds the pauses, then measures the loudness in one pass. Of speech, the band above 8 kHz adds at most 0.1 LU, and half
 * the samples are half of the filter's work, which is the largest part of an import.
 */
const measurementFilters = 'silencedetect=n=-38dB:d=0.2,aresample=16000,ebur128=framelog=verbose';

const findNumbers = (log: string, pattern: RegExp): number[] =>
  Array.from(log.matchAll(pattern), ([, number]) => Number(number));

function parseMeasurements(log: string, seconds: number): Pick<ImportedAudio, 'loudness' | 'silences'> {
  const loudness = findNumbers(log, /\bI:\s+(-?[\d.]+) LUFS/g).at(-1);
  const ends = findNumbers(log, /silence_end: ([\d.]+)/g);
  const silences = findNumbers(log, /silence_start: (-?[\d.]+)/g).map((start, index) => ({
    start: Math.max(0, start),
    end: ends[index] ?? seconds,
  }));
  return { loudness: loudness === undefined || loudness <= SILENCE_LUFS ? null : loudness, silences };
}

/** Returns arguments that read only this file, not others it may refer to, and only its first audio stream. */
const toInputArgs = (demuxer: string, path: string) => {
  const limits = ['-protocol_whitelist', 'file', '-f', demuxer, '-t', String(MAX_SECONDS)];
  return [...limits, '-i', `file:${path}`, '-map', '0:a:0', '-vn', '-sn', '-dn'];
};

/**
 * Returns arguments that encode an MP3 in which browsers seek exactly: at 48 kHz frames of this bit rate have no padding,
 * and without a bit reservoir each can be decoded by itself. The trimmed samples are the delay of encoder and decoder
 * (see content/README.md).
 */
const toEncodingArgs = (...target: string[]) => {
  const trim = 'atrim=start_sample=841,asetpts=N/SR/TB';
  const convert = 'aresample=48000,aformat=channel_layouts=mono,asplit[measured][whole]';
  const filters = `${convert};[measured]${measurementFilters},anullsink;[whole]${trim}`;
  const codec = ['-c:a', 'libmp3lame', '-b:a', '64k', '-reservoir', '0', '-write_xing', '0'];
  return ['-af', filters, ...codec, '-id3v2_version', '0', '-map_metadata', '-1', '-bitexact', ...target];
};

/** Returns the program if it is an ffmpeg with all needed filters and encoders, otherwise undefined. */
export async function findFfmpeg(program = 'ffmpeg'): Promise<string | undefined> {
  const silence = ['-f', 'lavfi', '-t', '0.2', '-i', 'anullsrc=r=44100:cl=stereo'];
  return runFfmpeg(program, [...silence, ...toEncodingArgs('-f', 'null', '-')]).then(
    () => program,
    () => undefined,
  );
}

/** Copies the frames of an MP3 of constant bit rate; undefined when the file is none. */
async function copyMp3(
  path: string,
  target: string,
  ffmpeg: string | undefined,
): Promise<ImportedAudio | undefined> {
  const frames = await scanFrames(path);
  if (!frames) return undefined;
  const { seconds, delaySeconds } = frames;
  if (seconds > MAX_SECONDS) throw new ContentError('is longer than 48 hours');
  await writeWithInfoHeader(path, frames, target);
  if (ffmpeg === undefined) return { path: target, seconds, delaySeconds, loudness: null, silences: [] };
  const measuring = ['-af', measurementFilters, '-f', 'null', '-'];
  const log = await runFfmpeg(ffmpeg, [...toInputArgs('mp3', target), ...measuring]);
  return { path: target, seconds, delaySeconds, ...parseMeasurements(log, seconds) };
}

/**
 * Converts a recording to an MP3 in which every browser seeks exactly. An MP3 of constant bit rate keeps its frames;
 * everything else is encoded, which needs ffmpeg.
 *
 * @param head - the first bytes of the file
 * @param folder - where the result is written
 * @param ffmpeg - the program; undefined if there is none on this machine
 * @throws ContentError when the file is no audio, is too long, or needs ffmpeg.
 */
export async function importAudio(
  path: string,
  head: Buffer,
  folder: string,
  ffmpeg: string | undefined,
): Promise<ImportedAudio> {
  const target = join(folder, 'audio.mp3');
  const [demuxer, name] = formats.find(([, , matches]) => matches(head)) ?? [];
  if (demuxer === undefined) throw new ContentError('is no audio that can be read');
  const copied = demuxer === 'mp3' ? await copyMp3(path, target, ffmpeg) : undefined;
  if (copied) return copied;
  if (ffmpeg === undefined)
    throw new ContentError(
      `is ${name}, which browsers play or seek wrongly: install ffmpeg, and it is re-encoded`,
    );
  const encoded = join(folder, 'encoded.mp3');
  const log = await runFfmpeg(ffmpeg, [
    ...toInputArgs(demuxer, path),
    ...toEncodingArgs('-f', 'mp3', encoded),
  ]);
  const frames = await scanFrames(encoded);
  if (!frames) throw new ContentError('is no audio that can be read');
  if (frames.seconds >= MAX_SECONDS - 1) throw new ContentError('is longer than 48 hours');
  await writeWithInfoHeader(encoded, frames, target);
  await rm(encoded);
  const { seconds } = frames;
  return { path: target, seconds, delaySeconds: 0, ...parseMeasurements(log, seconds) };
}
