/** From the joined sentences to the finished sound: warm, clear and as loud as every other piece. */
import { join } from 'node:path';
import { encode, sampleRate } from './narrate-mp3.ts';
import { run } from './narrate-run.ts';
import { readWav, type Sound, writeWav } from './narrate-wav.ts';

/** Integrated loudness in LUFS, and the highest peak in dBFS. */
export const target = { loudness: -18, peak: -1.5 } as const;

/** What a listener gets: integrated loudness in LUFS and true peak in dBFS. */
export interface Measured {
  loudness: number;
  peak: number;
}

/** Rumble out, a little less mud, presence and air, for the synthesiser is dull; all of it far below a millisecond of delay. */
const tone = [
  ['highpass', '-2', '70'],
  ['equalizer', '320', '0.8q', '-1.5'],
  ['equalizer', '2300', '0.8q', '4'],
  ['treble', '2.5', '5500', '0.7q'],
].flat();

/** In: a sound file. Out: its loudness by EBU R 128 and its true peak. */
export async function measure(file: string): Promise<Measured> {
  const { stderr } = await run('ffmpeg', [
    '-hide_banner',
    '-nostats',
    '-i',
    file,
    '-af',
    'ebur128=peak=true',
    '-f',
    'null',
    '-',
  ]);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const [, loudness] = /I:\s+(-?[\d.]+) LUFS/.exec(summary) ?? [];
  const [, peak] = /Peak:\s+(-?[\d.]+) dBFS/.exec(summary) ?? [];
  if (loudness === undefined || peak === undefined) throw new Error(`ffmpeg could not measure ${file}`);
  return { loudness: Number(loudness), peak: Number(peak) };
}

/** Turns single peaks down to a ceiling, smoothly and looking ahead and back alike. In and out: samples; no time moves. */
export function holdPeaks(samples: Float32Array, ceiling: number): Float32Array {
  const size = sampleRate / 1000;
  const reach = 5;
  const around = (values: readonly number[], at: number, by: number): number[] =>
    values.slice(Math.max(0, at - by), at + by + 1);
  const wanted = Array.from({ length: Math.ceil(samples.length / size) }, (_, block) => {
    const peak = samples
      .subarray(block * size, (block + 1) * size)
      .reduce((highest, s) => Math.max(highest, Math.abs(s)), 0);
    return Math.min(1, ceiling / Math.max(peak, 1e-9));
  });
  // One block more than is averaged, since the gain also slides between the middles of neighbouring blocks.
  const lowest = wanted.map((_, block) => Math.min(...around(wanted, block, reach + 1)));
  const gains = lowest.map((_, block) => {
    const near = around(lowest, block, reach);
    return near.reduce((sum, gain) => sum + gain, 0) / near.length;
  });
  return samples.map((sample, i) => {
    const at = Math.max(0, i / size - 0.5);
    const [a = 1, b = a] = gains.slice(Math.floor(at), Math.floor(at) + 2);
    return sample * (a + (b - a) * (at % 1));
  });
}

/** In: the joined narration, a scratch folder and the MP3 to write. Out: how loud the written file is. No step moves a time. */
export async function master(sound: Sound, folder: string, mp3: string): Promise<Measured> {
  const joined = join(folder, 'joined.wav');
  const toned = join(folder, 'toned.wav');
  const finished = join(folder, 'finished.wav');
  writeWav(joined, sound);
  await run('sox', ['-D', '-V1', joined, toned, 'gain', '-8', 'rate', '-v', String(sampleRate), ...tone]);
  const gain = 10 ** ((target.loudness - (await measure(toned)).loudness) / 20);
  const even = readWav(toned).samples.map((sample) => sample * gain);
  let ceiling = target.peak - 0.5;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    writeWav(finished, { rate: sampleRate, samples: holdPeaks(even, 10 ** (ceiling / 20)) });
    await encode(finished, mp3);
    const after = await measure(mp3);
    // The meter rounds to a tenth; the encoder moves peaks up as well as down.
    const over = after.peak + 0.1 - target.peak;
    if (over <= 0) return after;
    ceiling -= over + 0.05;
  }
  throw new Error('The peaks do not come down');
}
