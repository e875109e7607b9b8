import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@escucho/database';
import { ContentError } from '../catalogue-loader/article-files.ts';
import { createCatalogueLoaderRepository } from '../catalogue-loader/repository.ts';
import { openPortalDatabase } from '../database.ts';
import type { MediaStore } from '../media/media-store.ts';
import { findFfmpeg } from './audio.ts';
import { type AddressPolicy, createDownloader, type Downloader } from './downloader.ts';
import { parseFeed } from './feed.ts';
import { findRecordings } from './folder.ts';
import { type ImportRequest, type ImportResult, importRecordings } from './importer.ts';
import { maxBytes, type RecordingList } from './recording.ts';
import { createImportRepository } from './repository.ts';

const MAX_CONCURRENCY = 4;
const FEED_TIMEOUT_SECONDS = 60;

interface ImportOptions extends Omit<ImportRequest, 'list'> {
  connection: Connection;
  mediaStore: MediaStore;
  /** A folder, the file of a feed, or the address of a feed. */
  source: string;
  /** A folder for intermediate files; the leftovers of an interrupted import are removed. */
  scratchFolder: string;
  /** Which addresses feeds may refer to; those of the public internet by default. */
  addressPolicy?: Partial<AddressPolicy>;
  ffmpeg?: string;
}

/** Returns whether a source is the address of a feed instead of a path. */
export const isFeedAddress = (source: string): boolean => /^https?:/i.test(source);

async function listRecordings(
  source: string,
  downloader: Downloader,
  scratchFolder: string,
): Promise<RecordingList> {
  if (isFeedAddress(source)) {
    const target = join(scratchFolder, 'feed.xml');
    await downloader.download(source, target, { bytes: maxBytes.feed, seconds: FEED_TIMEOUT_SECONDS });
    return parseFeed(await readFile(target), downloader);
  }
  const found = await stat(source).catch(() => undefined);
  if (found?.isDirectory()) return findRecordings(source);
  if (!found?.isFile()) throw new ContentError('is neither a folder nor a feed');
  if (found.size > maxBytes.feed) throw new ContentError('is larger than 16 MB');
  return parseFeed(await readFile(source), downloader);
}

/**
 * Imports a folder of recordings or a podcast feed into a migrated database. A second run writes only what has changed,
 * so that it continues an interrupted one.
 *
 * @returns the result, and whether this machine has an ffmpeg that measures and encodes
 * @throws Error when nothing can be imported at all; its message is for the user.
 */
export async function importContent(options: ImportOptions): Promise<ImportResult & { canEncode: boolean }> {
  const { connection, mediaStore, source, scratchFolder, addressPolicy, ffmpeg, ...request } = options;
  // Without timeouts, because a book of many hours is one long transaction.
  const db = openPortalDatabase(connection, {
    name: 'portal import',
    maxConnections: 1,
    hasNoTimeouts: true,
  });
  const imports = createImportRepository(db);
  const downloader = createDownloader(addressPolicy);
  const encoder = await findFfmpeg(ffmpeg);
  try {
    return await imports.withLock(async () => {
      await rm(scratchFolder, { recursive: true, force: true });
      await mkdir(scratchFolder, { recursive: true });
      try {
        const list = await listRecordings(source, downloader, scratchFolder).catch((error: unknown) => {
          throw error instanceof ContentError ? new Error(`${source}: ${error.message}`) : error;
        });
        const deps = {
          articles: createCatalogueLoaderRepository(db),
          imports,
          store: mediaStore,
          ffmpeg: encoder,
          scratchFolder,
          // One more than there are cores, since a recording also waits for the disk and the database.
          concurrency: Math.min(MAX_CONCURRENCY, availableParallelism() + 1),
        };
        const result = await importRecordings(deps, { ...request, list });
        return { ...result, canEncode: encoder !== undefined };
      } finally {
        await rm(scratchFolder, { recursive: true, force: true });
      }
    });
  } finally {
    await downloader.close();
    await db.destroy();
  }
}
