/**
 * Reads the frames of MP3 files of constant bit rate by hand, because a recording is imported without ffmpeg and without
 * re-encoding: `music-metadata` reports neither where frames start and end, nor whether they are uninterrupted and of one
 * bit rate, nor the encoder's delay, and ffprobe is missing on many machines.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ContentError } from '../catalogue-loader/article-files.ts';

/** The frames of an MP3 file; offsets and sizes in bytes. */
interface Mp3Frames {
  firstHeader: Buffer;
  from: number;
  to: number;
  count: number;
  seconds: number;
  /** Seconds by which the frames lag behind a decoder that skips the encoder's delay. */
  delaySeconds: number;
}

interface FrameHeader {
  bytes: number;
  bitrate: number;
  rate: number;
  samples: number;
  /** The offset of an Info header, behind the side information. */
  infoOffset: number;
}

const bitrates = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const sampleRates = [44_100, 48_000, 32_000] as const;
const MAX_TAG_BYTES = 16 * 2 ** 20;
/** Old tags and lyrics may follow the last frame. */
const MAX_TRAILING_BYTES = 256 * 1024;
const WINDOW_BYTES = 2 ** 20;

/** Parses the four bytes of a frame header of MPEG 1, 2 or 2.5, layer III; undefined for anything else. */
function parseHeader(bytes: Buffer): FrameHeader | undefined {
  if (bytes.length < 4 || (bytes.readUInt16BE(0) & 0xffe6) !== 0xffe2) return undefined;
  const version = (bytes.readUInt8(1) >> 3) & 3;
  const [flags, padding] = [bytes.readUInt8(2), (bytes.readUInt8(2) >> 1) & 1];
  const generation = version === 3 ? 1 : 2;
  const bitrate = bitrates[generation][(flags >> 4) - 1];
  const fullRate = sampleRates[(flags >> 2) & 3];
  if (version === 1 || bitrate === undefined || fullRate === undefined) return undefined;
  const rate = fullRate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const samples = generation === 1 ? 1152 : 576;
  const isMono = bytes.readUInt8(3) >> 6 === 3;
  const sideInformation = generation === 1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return {
    bytes: Math.floor(((samples / 8) * bitrate * 1000) / rate) + padding,
    bitrate,
    rate,
    samples,
    infoOffset: 4 + sideInformation,
  };
}

type Read = (offset: number, length: number) => Promise<Buffer>;

/** Creates a function that reads small parts of a file through a buffer. */
function createBufferedRead(file: FileHandle): Read {
  let buffer = Buffer.alloc(0);
  let start = 0;
  return async (offset, length) => {
    if (offset < start || offset + length > start + buffer.length) {
      const next = Buffer.alloc(WINDOW_BYTES);
      const { bytesRead } = await file.read(next, 0, WINDOW_BYTES, offset);
      [buffer, start] = [next.subarray(0, bytesRead), offset];
    }
    return buffer.subarray(offset - start, offset - start + length);
  };
}

/** Returns the offset behind the ID3 tags. */
async function skipTags(read: Read): Promise<number> {
  let offset = 0;
  for (;;) {
    const tag = await read(offset, 10);
    if (tag.length < 10 || tag.toString('latin1', 0, 3) !== 'ID3') return offset;
    const [a, b, c, d] = [6, 7, 8, 9].map((byte) => tag.readUInt8(byte) & 0x7f);
    offset += 10 + ((a ?? 0) << 21) + ((b ?? 0) << 14) + ((c ?? 0) << 7) + (d ?? 0);
    if (offset > MAX_TAG_BYTES) throw new ContentError('its tags are larger than 16 MB');
  }
}

const isInfoFrame = (frame: Buffer, { infoOffset }: FrameHeader): boolean =>
  ['Xing', 'Info'].includes(frame.toString('latin1', infoOffset, infoOffset + 4)) ||
  frame.toString('latin1', 36, 40) === 'VBRI';

const DECODER_DELAY_SAMPLES = 529;
/** Sizes of the optional fields of an Info header, by the bits of its flags; the encoder's name follows them. */
const infoFieldBytes = [4, 4, 100, 4] as const;
/** The offset of the encoder's delay from its name. */
const ENCODER_DELAY_OFFSET = 21;

/**
 * Returns by how many samples the frames are delayed once the Info header no longer names an encoder. A decoder that
 * knows the encoder skips its delay and the decoder's own, and so did the program that made the transcript. Without a name
 * Chromium plays all samples and Firefox skips the decoder's 529; the average is half of these (see content/README.md).
 */
function getDelaySamples(frame: Buffer, { infoOffset }: FrameHeader): number {
  if (frame.length < infoOffset + 8) return 0;
  const flags = frame.readUInt32BE(infoOffset + 4);
  const nameOffset = infoFieldBytes.reduce(
    (sum, bytes, bit) => sum + ((flags >> bit) & 1) * bytes,
    infoOffset + 8,
  );
  const delayOffset = nameOffset + ENCODER_DELAY_OFFSET;
  const isNamed = /^La(vf|vc)|^LAME/.test(frame.toString('latin1', nameOffset, nameOffset + 4));
  if (!isNamed || frame.length < delayOffset + 2) return 0;
  return (frame.readUInt16BE(delayOffset) >> 4) + Math.round(DECODER_DELAY_SAMPLES / 2);
}

/** Counts frames until the bit rate changes or a frame is missing. */
async function countFrames(read: Read, from: number, { bitrate, rate, samples }: FrameHeader) {
  let [offset, frames] = [from, 0];
  for (;;) {
    const header = parseHeader(await read(offset, 4));
    if (!header) return { to: offset, frames, isConstant: true };
    if (header.bitrate !== bitrate || header.rate !== rate || header.samples !== samples)
      return { to: offset, frames, isConstant: false };
    offset += header.bytes;
    frames += 1;
  }
}

/**
 * Finds the frames of an MP3 file.
 *
 * @returns undefined when the file is no MP3, or its frames are interrupted or of varying bit rates
 * @throws ContentError when its tags are larger than 16 MB.
 */
export async function scanFrames(path: string): Promise<Mp3Frames | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = createBufferedRead(file);
    let from = await skipTags(read);
    let header = parseHeader(await read(from, 4));
    if (!header) return undefined;
    const firstFrame = await read(from, header.bytes);
    let delaySeconds = 0;
    if (isInfoFrame(firstFrame, header)) {
      delaySeconds = getDelaySamples(firstFrame, header) / header.rate;
      from += header.bytes;
      header = parseHeader(await read(from, 4));
    }
    // The Info header that is written later must fit into a frame.
    if (!header || header.bytes < header.infoOffset + 16) return undefined;
    const firstHeader = Buffer.from(await read(from, 4));
    const { to: end, frames, isConstant } = await countFrames(read, from, header);
    const truncated = end > size ? 1 : 0;
    const to = truncated ? end - header.bytes : end;
    const count = frames - truncated;
    if (!isConstant || count < 1 || size - to > MAX_TRAILING_BYTES) return undefined;
    return { firstHeader, from, to, count, seconds: (count * header.samples) / header.rate, delaySeconds };
  } finally {
    await file.close();
  }
}

/**
 * Returns a frame that states only how many frames and bytes follow. It names no encoder, because browsers that read one
 * correct the delay when they play from the beginning, but not when they seek.
 */
function createInfoFrame({ firstHeader, from, to, count }: Mp3Frames): Buffer {
  const bytes = Buffer.from(firstHeader);
  // Without the checksum and the padding of the first frame.
  bytes.writeUInt8(bytes.readUInt8(1) | 1, 1);
  bytes.writeUInt8(bytes.readUInt8(2) & ~2, 2);
  const header = parseHeader(bytes);
  if (!header) throw new Error('The first frame of an MP3 has an invalid header');
  const info = Buffer.alloc(header.bytes);
  bytes.copy(info);
  info.write('Info', header.infoOffset, 'latin1');
  info.writeUInt32BE(3, header.infoOffset + 4);
  info.writeUInt32BE(count, header.infoOffset + 8);
  info.writeUInt32BE(to - from, header.infoOffset + 12);
  return info;
}

/** Writes the frames of an MP3 behind a plain Info header, without anything else of the file. */
export async function writeWithInfoHeader(path: string, frames: Mp3Frames, target: string): Promise<void> {
  async function* chunks() {
    yield createInfoFrame(frames);
    yield* createReadStream(path, { start: frames.from, end: frames.to - 1 });
  }
  await pipeline(chunks, createWriteStream(target));
}
