import { open } from 'node:fs/promises';
import { parseFile } from 'music-metadata';
import { PieceFault } from '../library/source.ts';
import type { Hints } from './facts.ts';

const MOST_OF_TAGS = 96 * 2 ** 20;
/** A recording has a dozen, one in fragments two for each; millions of empty ones are there to take time. */
const MOST_PARTS = 100_000;
const HEADER = 16;

/** How a kind of file is put together: the file's beginning, and the length of a part (header included) by its first bytes. */
interface Layout {
  is: (head: Buffer) => boolean;
  /** Where the first part begins. */
  from: number;
  /** How the part with the sound is called, and where names stand. */
  sound: string;
  nameAt: number;
  /** Undefined for the last. In: the part's first bytes, and how many follow to the end of the file. */
  lengthOf: (part: Buffer, left: number) => number | undefined;
}

const begins =
  (name: string, at = 0) =>
  (head: Buffer) =>
    head.toString('latin1', at, at + 4) === name;
/** RIFF and AIFF put every part at an even place. */
const even = (length: number) => 8 + length + (length % 2);

const layouts: readonly Layout[] = [
  {
    ...{ is: begins('ftyp', 4), from: 0, sound: 'mdat', nameAt: 4 },
    lengthOf(part, left) {
      const length = part.readUInt32BE(0);
      return length === 0 ? left : length === 1 ? Number(part.readBigUInt64BE(8)) : length;
    },
  },
  {
    ...{ is: begins('RIFF'), from: 12, sound: 'data', nameAt: 0 },
    lengthOf: (part) => even(part.readUInt32LE(4)),
  },
  {
    ...{ is: begins('FORM'), from: 12, sound: 'SSND', nameAt: 0 },
    lengthOf: (part) => even(part.readUInt32BE(4)),
  },
  {
    ...{ is: begins('fLaC'), from: 4, sound: '', nameAt: 0 },
    lengthOf: (part) => (part.readUInt8(0) & 0x80 ? undefined : 4 + part.readUIntBE(1, 3)),
  },
];

/** Refuses a file whose tables and tags would fill the memory. In: the file's path and its first bytes. Throws `PieceFault`. */
export async function refuseHugeTags(path: string, head: Buffer): Promise<void> {
  const layout = layouts.find(({ is }) => is(head));
  if (!layout) return;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let [place, parts, bytes] = [layout.from, 0, 0];
    while (place + 8 <= size) {
      const { buffer: part } = await file.read(Buffer.alloc(HEADER), 0, HEADER, place);
      const length = layout.lengthOf(part, size - place);
      if (length === undefined || length < 4) return;
      if (part.toString('latin1', layout.nameAt, layout.nameAt + 4) !== layout.sound) bytes += length;
      if (bytes > MOST_OF_TAGS) throw new PieceFault('its tags are larger than 96 MB');
      parts += 1;
      if (parts > MOST_PARTS) throw new PieceFault('has more parts than any recording');
      place += length;
    }
  } finally {
    await file.close();
  }
}

/** What an audio file says of itself, and the picture in it. Tags that cannot be read say nothing. */
export async function tagsOf(path: string): Promise<{ hints: Hints; picture: Buffer | undefined }> {
  const read = await parseFile(path, { duration: false, skipPostHeaders: true }).catch(() => undefined);
  if (!read) return { hints: {}, picture: undefined };
  const { common } = read;
  const [picture] = common.picture ?? [];
  return {
    hints: {
      ...{ title: common.title, language: common.language, narrator: common.artist ?? common.albumartist },
      ...{ topic: common.genre?.[0], published: common.date ?? common.year?.toString() },
      summary: common.description?.[0] ?? common.comment?.[0]?.text,
    },
    picture: picture && Buffer.from(picture.data),
  };
}
