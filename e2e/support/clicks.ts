import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const sampleRate = 48_000;
const longest = 180;
/** Words are said to begin so long before the click in them, that no seek cuts it off; seconds. */
export const lead = 0.25;

/** When each click is heard, in seconds: about every two, at no regular distance. */
export const clicks: readonly number[] = Array.from(
  { length: 88 },
  (_, index) => 1.5 + 2 * index + ((index * 37) % 100) / 200,
);

/** The words of a click, by its number. */
export const wordsOf = (index: number) => `This is click number ${index}.`;

/** A low tone all along, so that it is heard where sound begins, and loud clicks of ten milliseconds, as a WAV. In: how long, seconds. */
export function clicksAsWav(seconds = longest): Buffer {
  const bytes = Buffer.alloc(44 + 2 * seconds * sampleRate);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, sampleRate],
    [28, 2 * sampleRate],
    [40, bytes.length - 44],
  ] as const)
    bytes.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, at);
  bytes.write('data', 36);
  const put = (sample: number, value: number) =>
    bytes.writeInt16LE(Math.round(value * 32_767), 44 + 2 * sample);
  for (let sample = 0; sample < seconds * sampleRate; sample += 1)
    put(sample, 0.03 * Math.sin((2 * Math.PI * 440 * sample) / sampleRate));
  for (const click of clicks.filter((click) => click < seconds - 1)) {
    const from = Math.round(click * sampleRate);
    for (let sample = 0; sample < sampleRate / 100; sample += 1)
      put(from + sample, 0.9 * Math.cos((2 * Math.PI * 1000 * sample) / sampleRate));
  }
  return bytes;
}

const rates = [22_050, 44_100, 48_000] as const;

const clock = (time: number) => {
  const [minutes, rest] = [Math.floor(time / 60), (time % 60).toFixed(3)];
  return `00:${String(minutes).padStart(2, '0')}:${rest.padStart(6, '0')}`;
};

const transcript = () =>
  `WEBVTT\n\n${clicks
    .map((click, index) => `${clock(click - lead)} --> ${clock(click + 1)}\n${wordsOf(index)}\n`)
    .join('\n')}`;

/** Whether this machine can make the recordings. */
export const canEncode = () =>
  run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  );

/** A recording of clicks: its title, and whether the catalogue keeps its frames or encodes it anew. */
export interface Recording {
  title: string;
  isEncodedAnew: boolean;
}

/**
 * Recordings of clicks in a folder, as somebody would bring them, with their transcripts: a WAV, and MP3 of a constant bit rate
 * as encoders write them by default.
 */
export async function recordClicks(folder: string): Promise<Recording[]> {
  await mkdir(folder, { recursive: true });
  const source = join(folder, 'plain.wav');
  await writeFile(source, clicksAsWav());
  for (const rate of rates)
    await run('ffmpeg', [
      ...['-v', 'error', '-y', '-i', source, '-ar', String(rate)],
      ...['-c:a', 'libmp3lame', '-b:a', '64k', join(folder, `compressed ${rate}.mp3`)],
    ]);
  const recordings = ['plain', ...rates.map((rate) => `compressed ${rate}`)].map((title) => ({
    title,
    isEncodedAnew: title === 'plain',
  }));
  for (const { title } of recordings) await writeFile(join(folder, `${title}.vtt`), transcript());
  return recordings;
}
