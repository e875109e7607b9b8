import { readFileSync, writeFileSync } from 'node:fs';
import { run } from './programs.ts';

/** The sample rate at which a narration is mastered. */
export const SAMPLE_RATE_HZ = 48_000;

/** The sample rate of the MP3 for each bit rate that a text may name in kbit/s. */
export const sampleRates = { 48: 48_000, 32: 32_000 } as const;
export type Bitrate = keyof typeof sampleRates;

const SAMPLES_PER_FRAME = 1152;
/** At one bit a sample every frame has the same size, so that a time follows from the number of frames. */
const FRAME_BYTES = SAMPLES_PER_FRAME / 8;
/** Sample rates by the two bits in the third byte of a frame's header (ISO 11172-3). */
const headerSampleRates = [44_100, 48_000, 32_000];
/** Offset of the Info header: behind the frame header and the side information of a mono frame. */
const INFO_OFFSET = 21;

/**
 * Encoder and decoder delay the sound by 1105 samples. Chromium and ffmpeg play all of them when the header names no
 * encoder delay; Firefox drops the decoder's 529. Trimming 841 puts both within 5.5 ms of the written times, in
 * opposite directions (see content/README.md).
 */
const TRIMMED_SAMPLES = 841;

/** LAME lowers the volume to 95 percent at this bit rate. */
const ENCODER_GAIN = 0.95;

/** Encodes a WAV file as an MP3 of a constant bit rate, at the same volume. */
export async function encode(wav: string, mp3: string, bitrate: Bitrate): Promise<void> {
  const resample = `aresample=${sampleRates[bitrate]}`;
  const filter = `${resample},atrim=start_sample=${TRIMMED_SAMPLES},asetpts=N/SR/TB,aformat=sample_fmts=fltp,volume=1/${ENCODER_GAIN}`;
  const input = ['-v', 'error', '-y', '-i', wav, '-map', '0:a', '-af', filter, '-ac', '1'];
  const codec = ['-c:a', 'libmp3lame', '-b:a', `${bitrate}k`, '-compression_level', '0'];
  // Without a bit reservoir every frame can be decoded by itself, so that a seek plays from its first sample.
  const container = ['-reservoir', '0', '-write_xing', '0', '-id3v2_version', '0', '-bitexact', '-f', 'mp3'];
  await run('ffmpeg', [...input, ...codec, ...container, mp3]);
  writeFileSync(mp3, withInfoHeader(readFileSync(mp3)));
}

/**
 * Prepends an Info header with the number of frames and bytes: enough for a browser to compute the duration and to seek.
 * It names no encoder, because Chromium then corrects the delay when it plays from the beginning but not when it seeks.
 */
function withInfoHeader(frames: Buffer): Buffer {
  if (frames.length % FRAME_BYTES !== 0) throw new Error('The encoder did not write frames of one size');
  const info = Buffer.alloc(FRAME_BYTES);
  frames.copy(info, 0, 0, 4);
  info.write('Info', INFO_OFFSET, 'latin1');
  info.writeUInt32BE(3, INFO_OFFSET + 4);
  info.writeUInt32BE(frames.length / FRAME_BYTES, INFO_OFFSET + 8);
  info.writeUInt32BE(frames.length, INFO_OFFSET + 12);
  return Buffer.concat([info, frames]);
}

/**
 * Returns the duration in seconds that a browser plays of an MP3 written by `encode`.
 *
 * @throws Error when the file is incomplete or was not written by `encode`.
 */
export function getDuration(mp3: Buffer): number {
  const frames = mp3.length / FRAME_BYTES - 1;
  const isOurs =
    Number.isInteger(frames) &&
    mp3.toString('latin1', INFO_OFFSET, INFO_OFFSET + 4) === 'Info' &&
    mp3.readUInt32BE(INFO_OFFSET + 8) === frames;
  if (!isOurs) throw new Error('not a whole MP3 of the narration');
  for (let frame = 0; frame <= frames; frame += 1) {
    if (mp3.readUInt16BE(frame * FRAME_BYTES) !== 0xfffb)
      throw new Error(`frame ${frame} of the MP3 is damaged`);
  }
  const sampleRate = headerSampleRates[(mp3.readUInt8(2) >> 2) & 3] ?? SAMPLE_RATE_HZ;
  return (frames * SAMPLES_PER_FRAME) / sampleRate;
}
