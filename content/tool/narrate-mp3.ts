/** The audio file: MP3 of a constant bit rate in which every frame has the same size, so that time is a matter of counting. */
import { readFileSync, writeFileSync } from 'node:fs';
import { run } from './narrate-run.ts';

export const bitrate = 48000;
export const sampleRate = 48000;

const samplesPerFrame = 1152;
const frameBytes = (samplesPerFrame / 8) * (bitrate / sampleRate);
/** Where the side information of a mono frame ends and an Info header stands. */
const infoAt = 21;

/**
 * Encoder and decoder together hold the sound back by 1105 samples. Chromium and ffmpeg play all of them when the
 * header names no encoder delay, Firefox drops the decoder's 529. Cutting 841 in advance puts both within 5.5 ms of
 * the written times, in opposite directions.
 */
const cutInAdvance = 841;

/** LAME turns the sound down to 95 percent at this bit rate. */
const encoderGain = 0.95;

/** In: a WAV file at `sampleRate` and the file to write. Out: nothing; the MP3 is written, as loud as the WAV. */
export async function encode(wav: string, mp3: string): Promise<void> {
  const filter = `atrim=start_sample=${cutInAdvance},asetpts=N/SR/TB,aformat=sample_fmts=fltp,volume=1/${encoderGain}`;
  const coding = ['-c:a', 'libmp3lame', '-b:a', String(bitrate), '-compression_level', '0'];
  // Without a reservoir every frame stands on its own, so that a seek is heard from its first sample.
  const container = ['-reservoir', '0', '-write_xing', '0', '-id3v2_version', '0', '-bitexact', '-f', 'mp3'];
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    wav,
    '-map',
    '0:a',
    '-af',
    filter,
    '-ac',
    '1',
    ...coding,
    ...container,
    mp3,
  ]);
  writeFileSync(mp3, withInfo(readFileSync(mp3)));
}

/**
 * Puts an Info header before the frames. It says only how many frames and bytes follow: enough for a browser to know
 * the duration and to find a time by counting. It names no encoder, for a browser that reads one corrects the delay
 * when it plays from the beginning but not when it seeks.
 */
function withInfo(frames: Buffer): Buffer {
  if (frames.length % frameBytes !== 0) throw new Error('The encoder did not write frames of one size');
  const info = Buffer.alloc(frameBytes);
  frames.copy(info, 0, 0, 4);
  info.write('Info', infoAt, 'latin1');
  info.writeUInt32BE(3, infoAt + 4);
  info.writeUInt32BE(frames.length / frameBytes, infoAt + 8);
  info.writeUInt32BE(frames.length, infoAt + 12);
  return Buffer.concat([info, frames]);
}

/** In: an MP3 as `encode` writes it. Out: its duration in seconds as a browser plays it; throws when it is not one of ours. */
export function durationOf(mp3: Buffer): number {
  const count = mp3.length / frameBytes - 1;
  const ours =
    Number.isInteger(count) &&
    mp3.toString('latin1', infoAt, infoAt + 4) === 'Info' &&
    mp3.readUInt32BE(infoAt + 8) === count;
  if (!ours) throw new Error('not a whole MP3 of the narration');
  for (let frame = 0; frame <= count; frame += 1) {
    if (mp3.readUInt16BE(frame * frameBytes) !== 0xfffb)
      throw new Error(`frame ${frame} of the MP3 is broken`);
  }
  return (count * samplesPerFrame) / sampleRate;
}
