import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SAMPLE_RATE = 48_000;
const RECORDING_SECONDS = 180;
/** Each sentence starts this long before its click, so that a seek to the sentence does not cut the click off. */
export const LEAD_SECONDS = 0.25;

/** The times of the clicks, in seconds, at irregular distances of about two seconds. */
export const clickTimes: readonly number[] = Array.from(
  { length: 88 },
  (_, index) => 1.5 + 2 * index + ((index * 37) % 100) / 200,
);

/** Returns the sentence of the transcript that contains a click. */
export const getClickSentence = (index: number) => `This is click number ${index}.`;

/** Returns a WAV file with clicks of ten milliseconds over a low tone, which shows where audio starts. */
export function createClickWav(seconds = RECORDING_SECONDS): Buffer {
  const bytes = Buffer.alloc(44 + 2 * seconds * SAMPLE_RATE);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  for (const [offset, value] of [
    [16, 16],
    [24, SAMPLE_RATE],
    [28, 2 * SAMPLE_RATE],
    [40, bytes.length - 44],
  ] as const)
    bytes.writeUInt32LE(value, offset);
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, offset);
  bytes.write('data', 36);
  const writeSample = (sample: number, value: number) =>
    bytes.writeInt16LE(Math.round(value * 32_767), 44 + 2 * sample);
  for (let sample = 0; sample < seconds * SAMPLE_RATE; sample += 1)
    writeSample(sample, 0.03 * Math.sin((2 * Math.PI * 440 * sample) / SAMPLE_RATE));
  for (const time of clickTimes.filter((time) => time < seconds - 1)) {
    const from = Math.round(time * SAMPLE_RATE);
    for (let sample = 0; sample < SAMPLE_RATE / 100; sample += 1)
      writeSample(from + sample, 0.9 * Math.cos((2 * Math.PI * 1000 * sample) / SAMPLE_RATE));
  }
  return bytes;
}

const mp3SampleRates = [22_050, 44_100, 48_000] as const;

const formatTimestamp = (time: number) => {
  const [minutes, seconds] = [Math.floor(time / 60), (time % 60).toFixed(3)];
  return `00:${String(minutes).padStart(2, '0')}:${seconds.padStart(6, '0')}`;
};

const createTranscript = () =>
  `WEBVTT\n\n${clickTimes
    .map((time, index) => {
      const range = `${formatTimestamp(time - LEAD_SECONDS)} --> ${formatTimestamp(time + 1)}`;
      return `${range}\n${getClickSentence(index)}\n`;
    })
    .join('\n')}`;

/** Returns whether ffmpeg is installed, which encodes the recordings. */
export const hasFfmpeg = () =>
  run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  );

export interface Recording {
  title: string;
  /** Whether the import encodes it again; otherwise it keeps the original MP3 frames. */
  isReencoded: boolean;
}

/** Writes recordings with transcripts into a folder: a WAV, and MP3 files of a constant bit rate. */
export async function writeClickRecordings(folder: string): Promise<Recording[]> {
  await mkdir(folder, { recursive: true });
  const source = join(folder, 'plain.wav');
  await writeFile(source, createClickWav());
  for (const rate of mp3SampleRates) {
    const input = ['-v', 'error', '-y', '-i', source, '-ar', String(rate)];
    await run('ffmpeg', [
      ...input,
      '-c:a',
      'libmp3lame',
      '-b:a',
      '64k',
      join(folder, `compressed ${rate}.mp3`),
    ]);
  }
  const recordings = ['plain', ...mp3SampleRates.map((rate) => `compressed ${rate}`)].map((title) => ({
    title,
    isReencoded: title === 'plain',
  }));
  for (const { title } of recordings) await writeFile(join(folder, `${title}.vtt`), createTranscript());
  return recordings;
}
