/** MP3 of a constant bit rate, put so that a browser finds every time by counting. */
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PieceFault } from '../library/source.ts';

/** Where the frames of an MP3 lie in its file, and what they come to. */
export interface Frames {
  first: Buffer;
  from: number;
  to: number;
  count: number;
  seconds: number;
  /** How much later its sound comes by these frames than by a decoder that heeds what the file says of its encoder; seconds. */
  late: number;
}

interface Header {
  bytes: number;
  bitrate: number;
  rate: number;
  samples: number;
  /** Where the side information ends and an Info header stands. */
  infoAt: number;
}

const bitrates = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const rates = [44_100, 48_000, 32_000] as const;
const MOST_OF_TAGS = 16 * 2 ** 20;
/** Old tags and lyrics may follow the last frame. */
const MOST_AFTER = 256 * 1024;
const WINDOW = 2 ** 20;

/** In: four bytes. Out: what they say as the header of a frame of MPEG 1, 2 or 2.5, layer III; undefined for anything else. */
function headerOf(bytes: Buffer): Header | undefined {
  if (bytes.length < 4 || (bytes.readUInt16BE(0) & 0xffe6) !== 0xffe2) return undefined;
  const version = (bytes.readUInt8(1) >> 3) & 3;
  const [code, padding] = [bytes.readUInt8(2), (bytes.readUInt8(2) >> 1) & 1];
  const generation = version === 3 ? 1 : 2;
  const bitrate = bitrates[generation][(code >> 4) - 1];
  const full = rates[(code >> 2) & 3 ? (((code >> 2) & 3) === 1 ? 1 : 2) : 0];
  if (version === 1 || bitrate === undefined || ((code >> 2) & 3) === 3) return undefined;
  const rate = full / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const samples = generation === 1 ? 1152 : 576;
  const isMono = bytes.readUInt8(3) >> 6 === 3;
  const side = generation === 1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return {
    bytes: Math.floor(((samples / 8) * bitrate * 1000) / rate) + padding,
    ...{ bitrate, rate, samples },
    infoAt: 4 + side,
  };
}

/** Reads small pieces of a file one after another without asking the disk for each. */
function reader(file: FileHandle) {
  let window = Buffer.alloc(0);
  let at = 0;
  return async (place: number, length: number): Promise<Buffer> => {
    if (place < at || place + length > at + window.length) {
      const fresh = Buffer.alloc(WINDOW);
      const { bytesRead } = await file.read(fresh, 0, WINDOW, place);
      [window, at] = [fresh.subarray(0, bytesRead), place];
    }
    return window.subarray(place - at, place - at + length);
  };
}

type Read = ReturnType<typeof reader>;

/** The place behind the ID3 tags at the beginning. Throws `PieceFault` where they are longer than any cover needs. */
async function behindTags(read: Read): Promise<number> {
  let place = 0;
  for (;;) {
    const tag = await read(place, 10);
    if (tag.length < 10 || tag.toString('latin1', 0, 3) !== 'ID3') return place;
    const [a, b, c, d] = [6, 7, 8, 9].map((byte) => tag.readUInt8(byte) & 0x7f);
    place += 10 + ((a ?? 0) << 21) + ((b ?? 0) << 14) + ((c ?? 0) << 7) + (d ?? 0);
    if (place > MOST_OF_TAGS) throw new PieceFault('its tags are larger than 16 MB');
  }
}

const isIndex = (frame: Buffer, { infoAt }: Header): boolean =>
  ['Xing', 'Info'].includes(frame.toString('latin1', infoAt, infoAt + 4)) ||
  frame.toString('latin1', 36, 40) === 'VBRI';

/**
 * Encoder and decoder put samples before the sound. An encoder may say how many of them are its own; whoever heeds that cuts
 * off both, and so do those who make transcripts. Our frames name no encoder, and all of it is played: by Chromium, while Firefox cuts the
 * decoder's 529. The half of them is in between (see content/README.md).
 */
const DECODER_SAMPLES = 529;
/** Where an encoder's name stands behind the fields of an index that are there, by its flags; and where its delay, behind that. */
const INDEX_FIELDS = [4, 4, 100, 4] as const;
const DELAY_AFTER_NAME = 21;

/** In: the frame of an index. Out: how many samples later than by its word the sound is heard on the average of browsers; 0 where it names no encoder. */
function samplesLate(frame: Buffer, { infoAt }: Header): number {
  if (frame.length < infoAt + 8) return 0;
  const flags = frame.readUInt32BE(infoAt + 4);
  const at = INDEX_FIELDS.reduce((sum, bytes, bit) => sum + ((flags >> bit) & 1) * bytes, infoAt + 8);
  const delayAt = at + DELAY_AFTER_NAME;
  if (!/^La(vf|vc)|^LAME/.test(frame.toString('latin1', at, at + 4)) || frame.length < delayAt + 2) return 0;
  return (frame.readUInt16BE(delayAt) >> 4) + Math.round(DECODER_SAMPLES / 2);
}

/** Counts frames from a place on, as long as they keep one bit rate. */
async function count(read: Read, from: number, { bitrate, rate, samples }: Header) {
  let [place, frames] = [from, 0];
  for (;;) {
    const header = headerOf(await read(place, 4));
    if (!header) return { to: place, frames, isConstant: true };
    if (header.bitrate !== bitrate || header.rate !== rate || header.samples !== samples)
      return { to: place, frames, isConstant: false };
    place += header.bytes;
    frames += 1;
  }
}

/**
 * Looks an MP3 over. Out: its frames, where they are whole, of one bit rate and uninterrupted; undefined where they are
 * not, or where the file is no MP3. Throws `PieceFault` for tags beyond measure. Sizes in bytes.
 */
export async function framesOf(path: string): Promise<Frames | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = reader(file);
    let from = await behindTags(read);
    let header = headerOf(await read(from, 4));
    if (!header) return undefined;
    const index = await read(from, header.bytes);
    let late = 0;
    if (isIndex(index, header)) {
      late = samplesLate(index, header) / header.rate;
      from += header.bytes;
      header = headerOf(await read(from, 4));
    }
    if (!header || header.bytes < header.infoAt + 16) return undefined;
    const first = Buffer.from(await read(from, 4));
    const { to: end, frames, isConstant } = await count(read, from, header);
    const last = end > size ? 1 : 0;
    const to = last ? end - header.bytes : end;
    if (!isConstant || frames - last < 1 || size - to > MOST_AFTER) return undefined;
    const counted = frames - last;
    return { first, from, to, count: counted, seconds: (counted * header.samples) / header.rate, late };
  } finally {
    await file.close();
  }
}

/**
 * A frame that says only how many frames and bytes follow. It names no encoder: a browser that reads one corrects the
 * delay when it plays from the beginning, but not when it seeks.
 */
function infoOf({ first, from, to, count }: Frames): Buffer {
  const bytes = Buffer.from(first);
  // No checksum and no padding, whatever the first frame has.
  bytes.writeUInt8(bytes.readUInt8(1) | 1, 1);
  bytes.writeUInt8(bytes.readUInt8(2) & ~2, 2);
  const header = headerOf(bytes);
  if (!header) throw new Error('The first frame of an MP3 is none');
  const info = Buffer.alloc(header.bytes);
  bytes.copy(info);
  info.write('Info', header.infoAt, 'latin1');
  info.writeUInt32BE(3, header.infoAt + 4);
  info.writeUInt32BE(count, header.infoAt + 8);
  info.writeUInt32BE(to - from, header.infoAt + 12);
  return info;
}

/** Writes the frames of an MP3 behind such a header, and nothing else of the file. In: the file, its frames, where to. */
export async function writeFrames(path: string, frames: Frames, target: string): Promise<void> {
  async function* all() {
    yield infoOf(frames);
    yield* createReadStream(path, { start: frames.from, end: frames.to - 1 });
  }
  await pipeline(all, createWriteStream(target));
}
