import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { getErrorCode, getErrorMessage } from '@escucho/database';
import { ContentError } from '../catalogue-loader/article-files.ts';
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

const HEAD_BYTES = 16;
const MAX_TAG_BYTES = 96 * 2 ** 20;
/** A recording has about a dozen chunks, a fragmented one two for each fragment; millions of empty ones are an attack. */
const MAX_CHUNKS = 100_000;
const CHUNK_HEADER_BYTES = 16;

/** How a format divides a file into chunks. */
interface ChunkLayout {
  firstOffset: number;
  /** The name of the chunk that holds the audio, and the offset of names in a chunk. */
  audioChunk: string;
  nameOffset: number;
  /** Returns the length of a chunk with its header, or undefined for the last one. `remaining` counts to the end of the file. */
  getLength: (header: Buffer, remaining: number) => number | undefined;
}

const mp4Chunks: ChunkLayout = {
  firstOffset: 0,
  audioChunk: 'mdat',
  nameOffset: 4,
  getLength(header, remaining) {
    const length = header.readUInt32BE(0);
    return length === 0 ? remaining : length === 1 ? Number(header.readBigUInt64BE(8)) : length;
  },
};

const flacChunks: ChunkLayout = {
  firstOffset: 4,
  audioChunk: '',
  nameOffset: 0,
  getLength: (header) => (header.readUInt8(0) & 0x80 ? undefined : 4 + header.readUIntBE(1, 3)),
};

/** Describes RIFF and AIFF, which pad chunks to an even length. */
const toPaddedChunks = (audioChunk: string, readLength: (header: Buffer) => number): ChunkLayout => ({
  firstOffset: 12,
  audioChunk,
  nameOffset: 0,
  getLength: (header) => 8 + readLength(header) + (readLength(header) % 2),
});

/** An audio format; the bytes of its magic number are characters of Latin-1. */
interface AudioFormat {
  /** The demuxer of ffmpeg. */
  demuxer: string;
  /** The name for messages. */
  name: string;
  magic: RegExp;
  /** Of formats that are divided into chunks, which hold tags of any size. */
  chunks?: ChunkLayout;
}

const formats: readonly AudioFormat[] = [
  { demuxer: 'mov', name: 'M4A', magic: /^.{4}ftyp/s, chunks: mp4Chunks },
  { demuxer: 'ogg', name: 'Ogg', magic: /^OggS/ },
  { demuxer: 'flac', name: 'FLAC', magic: /^fLaC/, chunks: flacChunks },
  {
    demuxer: 'wav',
    name: 'WAV',
    magic: /^RIFF.{4}WAVE/s,
    chunks: toPaddedChunks('data', (header) => header.readUInt32LE(4)),
  },
  {
    demuxer: 'aiff',
    name: 'AIFF',
    magic: /^FORM/,
    chunks: toPaddedChunks('SSND', (header) => header.readUInt32BE(4)),
  },
  // 1A 45 DF A3, the header of EBML.
  { demuxer: 'matroska', name: 'WebM', magic: /^\cZE\xdf\xa3/ },
  { demuxer: 'aac', name: 'AAC', magic: /^\xff[\xf0\xf1\xf8\xf9]/ },
  // A frame, or the tags before it.
  { demuxer: 'mp3', name: 'MP3 of a varying bit rate', magic: /^(ID3|\xff[\xe0-\xff])/ },
];

/** @throws ContentError when the file has none of the formats */
async function detectFormat(path: string): Promise<AudioFormat> {
  const head = (await buffer(createReadStream(path, { end: HEAD_BYTES - 1 }))).toString('latin1');
  const format = formats.find(({ magic }) => magic.test(head));
  if (!format) throw new ContentError('is no audio that can be read');
  return format;
}

/**
 * Refuses a file whose tables and tags would fill the memory when they are parsed.
 *
 * @throws ContentError when tags are too large or chunks too many.
 */
async function rejectHugeTags(path: string, layout: ChunkLayout): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let [offset, chunks, tagBytes] = [layout.firstOffset, 0, 0];
    while (offset + 8 <= size) {
      const bytes = Buffer.alloc(CHUNK_HEADER_BYTES);
      const { buffer: header } = await file.read(bytes, 0, CHUNK_HEADER_BYTES, offset);
      const length = layout.getLength(header, size - offset);
      if (length === undefined || length < 4) return;
      const { nameOffset } = layout;
      if (header.toString('latin1', nameOffset, nameOffset + 4) !== layout.audioChunk) tagBytes += length;
      if (tagBytes > MAX_TAG_BYTES) throw new ContentError('its tags are larger than 96 MB');
      chunks += 1;
      if (chunks > MAX_CHUNKS) throw new ContentError('has more parts than any recording');
      offset += length;
    }
  } finally {
    await file.close();
  }
}

const execute = promisify(execFile);

/**
 * Runs ffmpeg and returns its log.
 *
 * @throws ContentError when it fails or exceeds the timeout; the system's error when it cannot be started or the disk is full
 */
async function runFfmpeg(program: string, args: readonly string[]): Promise<string> {
  // The timer of `spawn` would keep the process alive for as long as the timeout where there is no ffmpeg.
  const options = { timeout: FFMPEG_TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_LOG_BYTES } as const;
  try {
    const { stderr } = await execute(program, ['-nostdin', '-hide_banner', '-y', ...args], options);
    return stderr;
  } catch (error) {
    if (getErrorCode(error) !== undefined) throw error;
    if (getErrorMessage(error).includes('No space left on device'))
      throw Object.assign(new Error('ENOSPC: no space left on device', { cause: error }), { code: 'ENOSPC' });
    throw new ContentError('is no audio that can be read', { cause: error });
  }
}

/**
 * Finds the pauses and measures the loudness in one pass. Of speech, the band above 8 kHz adds at most 0.1 LU and hardly
 * moves a pause, and both filters work per sample.
 */
const measurementFilters = 'aresample=16000,silencedetect=n=-38dB:d=0.2,ebur128=framelog=verbose';

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
 * @param folder - where the result is written
 * @param ffmpeg - the program; undefined if there is none on this machine
 * @throws ContentError when the file is no audio, is too long, has tags that are too large, or needs ffmpeg.
 */
export async function importAudio(
  path: string,
  folder: string,
  ffmpeg: string | undefined,
): Promise<ImportedAudio> {
  const target = join(folder, 'audio.mp3');
  const { demuxer, name, chunks } = await detectFormat(path);
  if (chunks) await rejectHugeTags(path, chunks);
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
