import { open } from 'node:fs/promises';
import { parseFile } from 'music-metadata';
import { PieceFault } from '../library/source.ts';
import type { Hints } from './facts.ts';

const MOST_OF_A_BOX = 96 * 2 ** 20;
/** A recording has a dozen, one in fragments two for each; millions of empty ones are there to take time. */
const MOST_BOXES = 100_000;

/** Refuses an MP4 whose tables and tags would fill the memory. In: the file's path and its first bytes. */
export async function refuseHugeTags(path: string, head: Buffer): Promise<void> {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const box = Buffer.alloc(8);
    for (let [place, boxes] = [0, 0]; place + 8 <= size; boxes += 1) {
      if (boxes > MOST_BOXES) throw new PieceFault('has more parts than any recording');
      await file.read(box, 0, 8, place);
      const length = box.readUInt32BE(0);
      if (box.toString('latin1', 4, 8) !== 'mdat' && length > MOST_OF_A_BOX)
        throw new PieceFault('its tags are larger than 96 MB');
      // 0 runs to the end of the file, 1 has its length elsewhere; only sound is that long.
      if (length < 8) return;
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
