import { join } from 'node:path';
import { type Bitrate, encode, SAMPLE_RATE_HZ } from './mp3.ts';
import { run } from './programs.ts';
import { readWav, type Sound, writeWav } from './wav.ts';

/** Integrated loudness in LUFS and true peak in dBFS. */
interface Loudness {
  loudness: number;
  peak: number;
}

export const target: Loudness = { loudness: -18, peak: -1.5 };

/** A high-pass against rumble, less mud, more presence and air; the filters delay the sound by far less than a millisecond. */
const equalizer = [
  ['highpass', '-2', '70'],
  ['equalizer', '320', '0.8q', '-1.5'],
  ['equalizer', '2300', '0.8q', '4'],
  ['treble', '2.5', '5500', '0.7q'],
].flat();

/** Measures a sound file by EBU R 128. */
async function measure(file: string): Promise<Loudness> {
  const filter = ['-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-i', file, ...filter]);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const [, loudness] = /I:\s+(-?[\d.]+) LUFS/.exec(summary) ?? [];
  const [, peak] = /Peak:\s+(-?[\d.]+) dBFS/.exec(summary) ?? [];
  if (loudness === undefined || peak === undefined) throw new Error(`ffmpeg could not measure ${file}`);
  return { loudness: Number(loudness), peak: Number(peak) };
}

/** Limits single peaks to a ceiling. The gain changes smoothly before and after a peak; no sample moves in time. */
export function limitPeaks(samples: Float32Array, ceiling: number): Float32Array {
  const blockSize = SAMPLE_RATE_HZ / 1000;
  const reach = 5;
  const getNeighbours = (values: readonly number[], index: number, distance: number): number[] =>
    values.slice(Math.max(0, index - distance), index + distance + 1);
  const needed = Array.from({ length: Math.ceil(samples.length / blockSize) }, (_, block) => {
    const peak = samples
      .subarray(block * blockSize, (block + 1) * blockSize)
      .reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
    return Math.min(1, ceiling / Math.max(peak, 1e-9));
  });
  // One block more than is averaged, since the gain also slides between the middles of neighbouring blocks.
  const lowest = needed.map((_, block) => Math.min(...getNeighbours(needed, block, reach + 1)));
  const gains = lowest.map((_, block) => {
    const neighbours = getNeighbours(lowest, block, reach);
    return neighbours.reduce((sum, gain) => sum + gain, 0) / neighbours.length;
  });
  return samples.map((sample, i) => {
    const position = Math.max(0, i / blockSize - 0.5);
    const a = gains[Math.floor(position)] ?? 1;
    const b = gains[Math.floor(position) + 1] ?? a;
    return sample * (a + (b - a) * (position % 1));
  });
}

/**
 * Equalizes a narration, brings it to the target loudness and encodes it. No step moves a time.
 *
 * @param folder - where intermediate WAV files are written
 * @param mp3 - the file to write
 * @returns the measured loudness of the written file
 */
export async function master(sound: Sound, folder: string, mp3: string, bitrate: Bitrate): Promise<Loudness> {
  const [input, equalized, limited] = ['input', 'equalized', 'limited'].map((name) =>
    join(folder, `${name}.wav`),
  ) as [string, string, string];
  writeWav(input, sound);
  const rate = ['gain', '-8', 'rate', '-v', String(SAMPLE_RATE_HZ)];
  await run('sox', ['-D', '-V1', input, equalized, ...rate, ...equalizer]);
  const gain = 10 ** ((target.loudness - (await measure(equalized)).loudness) / 20);
  const samples = readWav(equalized).samples.map((sample) => sample * gain);
  let ceiling = target.peak - 0.5;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    writeWav(limited, { rate: SAMPLE_RATE_HZ, samples: limitPeaks(samples, 10 ** (ceiling / 20)) });
    await encode(limited, mp3, bitrate);
    const result = await measure(mp3);
    // The meter rounds to a tenth; the encoder raises peaks as well as lowers them.
    const excess = result.peak + 0.1 - target.peak;
    if (excess <= 0) return result;
    ceiling -= excess + 0.05;
  }
  throw new Error('The peaks stay above the target after six attempts');
}
