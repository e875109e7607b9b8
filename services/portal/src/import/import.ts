import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@escucho/database';
import { openPortalDatabase } from '../database.ts';
import { libraryRepository } from '../library/repository.ts';
import { PieceFault } from '../library/source.ts';
import type { MediaStore } from '../media/store.ts';
import { findFfmpeg } from './audio.ts';
import { type Found, limits } from './draft.ts';
import type { Hints } from './facts.ts';
import { draftsInFeed } from './feed.ts';
import { draftsInFolder } from './folder.ts';
import { type Asked, type Imported, importService } from './service.ts';
import { type Guard, openWeb, type Web } from './web.ts';

const MOST_AT_ONCE = 4;
const CLAIM_EVERY_MS = 20_000;

interface Options extends Pick<Asked, 'onProgress' | 'onFault'> {
  connection: Connection;
  mediaStore: MediaStore;
  /** A folder, a feed's file, or a feed's address. */
  place: string;
  /** What is said of all pieces where their own front matter says nothing. */
  hints: Hints;
  /** A folder of the import's own; what an import that broke off left in it is removed by the next. */
  workshop: string;
  /** Which addresses feeds may point to; those of the open internet unless said. */
  web?: Partial<Guard>;
  ffmpeg?: string;
}

async function find(place: string, web: Web, workshop: string): Promise<Found> {
  if (/^https?:/i.test(place)) {
    const target = join(workshop, 'feed.xml');
    await web.download(place, target, { bytes: limits.feed, seconds: 60 });
    return draftsInFeed(await readFile(target), web);
  }
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory()) return draftsInFolder(place);
  if (!found?.isFile()) throw new PieceFault('is neither a folder nor a feed');
  if (found.size > limits.feed) throw new PieceFault('is larger than 16 MB');
  return draftsInFeed(await readFile(place), web);
}

/**
 * Imports a folder of recordings or a podcast feed into a migrated database. A second run changes only what changed, so
 * that one that was killed goes on where it was. Out: what it came to, and whether this machine could measure and encode.
 * Throws an Error in words where nothing can be imported at all.
 */
export async function importContent(options: Options): Promise<Imported & { canEncode: boolean }> {
  const { connection, mediaStore: store, place, hints, workshop, onProgress, onFault } = options;
  // A book of many hours is one transaction, and the others wait for it.
  const db = openPortalDatabase(connection, {
    name: 'portal import',
    maxConnections: 1,
    hasNoTimeouts: true,
  });
  const library = libraryRepository(db);
  const web = openWeb(options.web);
  const ffmpeg = await findFfmpeg(options.ffmpeg);
  const atOnce = Math.min(MOST_AT_ONCE, availableParallelism());
  // A connection that lies idle is closed, and what it claims is free.
  const alive = setInterval(() => void library.claimImport().catch(() => {}), CLAIM_EVERY_MS);
  try {
    if (!(await library.claimImport()))
      throw new Error('Another import is running. Wait for it, then go on.');
    await rm(workshop, { recursive: true, force: true });
    await mkdir(workshop, { recursive: true });
    const found = await find(place, web, workshop).catch((error: unknown) => {
      throw error instanceof PieceFault ? new Error(`${place}: ${error.message}`) : error;
    });
    const asked = { found, hints, ...(onProgress && { onProgress }), ...(onFault && { onFault }) };
    const imported = await importService({ library, store, ffmpeg, workshop, atOnce }).import(asked);
    await rm(workshop, { recursive: true, force: true });
    return { ...imported, canEncode: ffmpeg !== undefined };
  } finally {
    clearInterval(alive);
    await web.close();
    await db.destroy();
  }
}
