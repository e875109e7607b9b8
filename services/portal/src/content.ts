/** Administration of the catalogue and imports, for the command line. The running server does not use it. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { truncateText } from '@escucho/contracts';
import type { Connection, Log } from '@escucho/database';
import { createMediaCleaner } from './catalogue-admin/media-cleaner.ts';
import { createMediaRepository } from './catalogue-admin/media-repository.ts';
import { createCatalogueAdminRepository } from './catalogue-admin/repository.ts';
import { createCatalogueAdmin } from './catalogue-admin/service.ts';
import { ContentError } from './catalogue-loader/article-files.ts';
import { createCatalogueLoaderRepository } from './catalogue-loader/repository.ts';
import { createCatalogueLoader } from './catalogue-loader/service.ts';
import { type Database, openPortalDatabase } from './database.ts';
import { findFfmpeg } from './import/audio.ts';
import { type AddressPolicy, createDownloader, type Downloader } from './import/downloader.ts';
import { parseFeed } from './import/feed.ts';
import { findRecordings, isRecording } from './import/folder.ts';
import { type ImportRequest, type ImportResult, importRecordings } from './import/importer.ts';
import { assertValidOptions } from './import/metadata.ts';
import { maxBytes, type RecordingList } from './import/recording.ts';
import { createImportRepository } from './import/repository.ts';
import type { MediaStore } from './media/media-store.ts';
import { createNotificationRepository } from './notifications/repository.ts';

export { MIN_UNUSED_DAYS } from './catalogue-admin/media-cleaner.ts';
export { CatalogueAdminError } from './catalogue-admin/service.ts';
export { ContentError } from './catalogue-loader/article-files.ts';
export type { ImportResult } from './import/importer.ts';
export type { Metadata } from './import/metadata.ts';
export { parseNotificationText } from './notifications/service.ts';

interface Options {
  connection: Connection;
  mediaStore: MediaStore;
  /** Receives a warning when a playlist names unknown articles. */
  log: Log;
  clock?: () => Date;
}

function createContentAdmin(db: Database, { mediaStore: store, log, clock = () => new Date() }: Options) {
  const notifications = createNotificationRepository(db);
  const articles = createCatalogueLoaderRepository(db);
  const { loadPlaylists } = createCatalogueLoader({ articles, notifications, store, log, clock });
  return {
    ...createCatalogueAdmin({ catalogue: createCatalogueAdminRepository(db), notifications, store, clock }),
    ...createMediaCleaner({ media: createMediaRepository(db), store, clock }),
    loadPlaylists,
  };
}

/** The catalogue's administration. */
export type CatalogueAdmin = ReturnType<typeof createContentAdmin>;

/** Runs `work` with the catalogue's administration. */
export async function withCatalogueAdmin<Result>(
  options: Options,
  work: (admin: CatalogueAdmin) => Promise<Result>,
): Promise<Result> {
  const { connection } = options;
  // Without timeouts, because one statement moves the data of all listeners of an article.
  await using db = openPortalDatabase(connection, {
    name: 'portal catalogue admin',
    maxConnections: 1,
    hasNoTimeouts: true,
  });
  return await work(createContentAdmin(db, options));
}

const MAX_NAMED_ARTICLES = 3;
const MAX_BODY_LENGTH = 490;

const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${truncateText(text, max - 1)}…`;

/** Returns a notification about new articles in both languages. `titles` holds at least one. */
export function describeNewArticles(titles: readonly string[]) {
  const [first = ''] = titles;
  if (titles.length === 1) {
    const body = truncate(first, MAX_BODY_LENGTH);
    return { titleEn: 'There is something new', bodyEn: body, titleEs: 'Hay algo nuevo', bodyEs: body };
  }
  const named = truncate(titles.slice(0, MAX_NAMED_ARTICLES).join(' · '), MAX_BODY_LENGTH);
  const body = titles.length > MAX_NAMED_ARTICLES ? `${named} …` : named;
  return {
    titleEn: `${titles.length} new articles to listen to`,
    bodyEn: body,
    titleEs: `${titles.length} novedades para escuchar`,
    bodyEs: body,
  };
}

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
  if (isRecording(source)) throw new ContentError('is a recording: import the folder that it is in');
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
  assertValidOptions(request.metadata);
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
