import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@escucho/database';
import { ContentError } from '../catalogue-loader/article-files.ts';
import { createArticleWriter, hashFile, hashJson } from '../catalogue-loader/article-writer.ts';
import {
  type CatalogueLoaderRepository,
  createCatalogueLoaderRepository,
  type StoredArticle,
} from '../catalogue-loader/repository.ts';
import { openPortalDatabase } from '../database.ts';
import type { MediaStore } from '../media/media-store.ts';
import { createStableId } from '../stable-id.ts';
import { buildArticle, toArticleContent } from './article-builder.ts';
import { findFfmpeg } from './audio.ts';
import { type AddressPolicy, createDownloader, type Downloader } from './downloader.ts';
import { parseFeed } from './feed.ts';
import { findRecordings } from './folder.ts';
import { createSlug, type Metadata } from './metadata.ts';
import { describeReadError, maxBytes, type Recording, type RecordingList } from './recording.ts';

/** The result of an import. */
export interface ImportResult {
  /** In the order of the recordings. */
  added: { slug: string; title: string }[];
  /** Slugs of articles whose source changed. */
  changed: string[];
  unchanged: number;
  /** Recordings of withdrawn articles, which an import does not add again. */
  withdrawn: number;
  /** Recordings with the same audio as another one. */
  duplicates: { name: string; as: string }[];
  failed: { name: string; reason: string }[];
}

interface ImporterDeps {
  articles: CatalogueLoaderRepository;
  store: MediaStore;
  /** The program that measures and encodes; undefined if there is none on this machine. */
  ffmpeg: string | undefined;
  /** An empty folder for intermediate files. */
  scratchFolder: string;
  concurrency: number;
}

interface ImportRequest {
  list: RecordingList;
  /** Metadata for fields that the recordings lack. */
  metadata: Metadata;
  onProgress?: (done: number, total: number) => void;
  onError?: (name: string, reason: string) => void;
}

/** The state of a running import. */
interface ImportRun extends ImportRequest {
  result: Omit<ImportResult, 'added'>;
  added: Map<Recording, ImportResult['added'][number]>;
  sources: ReadonlySet<string>;
  /** Audio hashes of withdrawn articles. */
  withdrawnAudio: ReadonlySet<string>;
  /** The name of the recording that was imported with an audio hash. */
  nameByAudio: Map<string, string>;
}

/** Increase it when the same files result in another article. */
const IMPORT_VERSION = 3;
const MAX_CONCURRENCY = 4;
const KEEP_ALIVE_INTERVAL_MS = 20_000;
const FEED_TIMEOUT_SECONDS = 60;

/** Creates the service that imports recordings. A second import writes only what has changed. */
function createImporter({ articles, store, ffmpeg, scratchFolder, concurrency }: ImporterDeps) {
  const { upsertArticle, isComplete } = createArticleWriter({ articles, store });
  // Without ffmpeg an article is unmeasured: the next import with ffmpeg measures it, one without leaves measured ones alone.
  const toStoredStamp = (stamp: string) => (ffmpeg === undefined ? `${stamp} unmeasured` : stamp);
  const isCurrent = (stored: string, stamp: string) => stored === stamp || stored === toStoredStamp(stamp);

  /** Returns whether the stored recording is gone. Only an import of a feed knows which episodes there are. */
  async function isGone(stored: string, { source }: Recording, sources: ReadonlySet<string>) {
    if (stored.startsWith('file:'))
      return (await stat(stored.slice('file:'.length)).catch(() => undefined)) === undefined;
    return !source.startsWith('file:') && !sources.has(stored);
  }

  /** Looks for another article with the same audio: `duplicateOf` if both recordings exist, `movedFrom` if its source is gone. */
  async function findSameAudio(
    { nameByAudio, sources }: ImportRun,
    recording: Recording,
    hash: string,
  ): Promise<{ movedFrom?: StoredArticle; duplicateOf?: string }> {
    const duplicateOf = nameByAudio.get(hash);
    if (duplicateOf !== undefined) return { duplicateOf };
    nameByAudio.set(hash, recording.name);
    const [article] = await articles.findStoredByAudio(hash);
    if (!article) return {};
    const isMoved = await isGone(article.source ?? '', recording, sources);
    return isMoved ? { movedFrom: article } : { duplicateOf: article.slug };
  }

  /** An article whose recording was moved keeps the slug of its old source, where there may be another recording now. */
  async function createUnusedSlug(title: string, source: string, audioHash: string): Promise<string> {
    const slug = createSlug(title, source);
    return (await articles.isSlugUsed(slug)) ? createSlug(title, `${source} ${audioHash}`) : slug;
  }

  async function importRecording(
    run: ImportRun,
    recording: Recording,
    stored: StoredArticle | undefined,
    folder: string,
  ): Promise<void> {
    const { result, metadata } = run;
    const stamp = hashJson([IMPORT_VERSION, recording.stamp, metadata]);
    if (stored && isCurrent(stored.stamp, stamp) && (await isComplete(stored))) {
      result.unchanged += 1;
      return;
    }
    const files = await recording.fetch(folder);
    const audioHash = await hashFile(files.audio);
    if (!stored && run.withdrawnAudio.has(audioHash)) {
      result.withdrawn += 1;
      return;
    }
    const { movedFrom: existing, duplicateOf } = stored
      ? { movedFrom: stored }
      : await findSameAudio(run, recording, audioHash);
    if (duplicateOf !== undefined) {
      result.duplicates.push({ name: recording.name, as: duplicateOf });
      return;
    }

    const article = await buildArticle({ recording, files, defaults: metadata }, folder, ffmpeg);
    const slug =
      existing?.slug ?? (await createUnusedSlug(article.metadata.title, recording.source, audioHash));
    const content = toArticleContent(article, slug);
    const outcome = await upsertArticle(
      {
        id: existing?.id ?? createStableId('article', slug),
        content,
        text: hashJson([IMPORT_VERSION, content]),
        stamp: toStoredStamp(stamp),
        files: { ...article.cover, audio: article.audio.path, portrait: null, pages: [] },
        imported: { source: recording.source, audio: audioHash, estimated: article.text.isEstimated },
      },
      existing && (await isComplete(existing)) ? existing : undefined,
    );
    if (outcome !== 'changed') result[outcome] += 1;
    else if (existing) result.changed.push(slug);
    else run.added.set(recording, { slug, title: content.title });
  }

  function addFailed({ result, onError }: ImportRun, name: string, reason: string): void {
    result.failed.push({ name, reason });
    onError?.(name, reason);
  }

  /** Imports a recording; reports it as failed if its files are unusable, and throws any other error. */
  async function tryImport(
    run: ImportRun,
    recording: Recording,
    stored: StoredArticle | undefined,
  ): Promise<void> {
    const folder = await mkdtemp(join(scratchFolder, 'recording-'));
    try {
      await importRecording(run, recording, stored, folder);
    } catch (error) {
      const reason = error instanceof ContentError ? error.message : describeReadError(error);
      if (reason === undefined) throw error;
      addFailed(run, recording.name, reason);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    /** Imports recordings. Failed ones leave nothing behind. */
    async importRecordings(request: ImportRequest): Promise<ImportResult> {
      const { recordings, failed } = request.list;
      const withdrawn = await articles.findWithdrawn();
      const pending = recordings.filter(({ source }) => !withdrawn.sources.has(source));
      const sources = new Set(recordings.map(({ source }) => source));
      const run: ImportRun = {
        ...request,
        sources,
        withdrawnAudio: withdrawn.audio,
        nameByAudio: new Map(),
        added: new Map(),
        result: {
          changed: [],
          unchanged: 0,
          withdrawn: recordings.length - pending.length,
          duplicates: [],
          failed: [],
        },
      };
      for (const { name, reason } of failed) addFailed(run, name, reason);
      const stored = await articles.findStoredBySource([...sources]);
      const storedBySource = new Map(stored.map((article) => [article.source, article]));
      const queue = pending.values();
      let done = 0;
      const work = async () => {
        for (const recording of queue) {
          await tryImport(run, recording, storedBySource.get(recording.source));
          done += 1;
          request.onProgress?.(done, pending.length);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      return { ...run.result, added: recordings.flatMap((recording) => run.added.get(recording) ?? []) };
    },
  };
}

interface ImportOptions extends Pick<ImportRequest, 'metadata' | 'onProgress' | 'onError'> {
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

async function listRecordings(
  source: string,
  downloader: Downloader,
  scratchFolder: string,
): Promise<RecordingList> {
  if (/^https?:/i.test(source)) {
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
  const { connection, mediaStore, source, metadata, scratchFolder, onProgress, onError } = options;
  // Without timeouts, because a book of many hours is one long transaction.
  const db = openPortalDatabase(connection, {
    name: 'portal import',
    maxConnections: 1,
    hasNoTimeouts: true,
  });
  const articles = createCatalogueLoaderRepository(db);
  const downloader = createDownloader(options.addressPolicy);
  const ffmpeg = await findFfmpeg(options.ffmpeg);
  // An idle connection would be closed, which releases the lock.
  const keepAlive = setInterval(
    () => void articles.acquireImportLock().catch(() => {}),
    KEEP_ALIVE_INTERVAL_MS,
  );
  try {
    if (!(await articles.acquireImportLock()))
      throw new Error('Another import is running. Wait for it, then go on.');
    await rm(scratchFolder, { recursive: true, force: true });
    await mkdir(scratchFolder, { recursive: true });
    const list = await listRecordings(source, downloader, scratchFolder).catch((error: unknown) => {
      throw error instanceof ContentError ? new Error(`${source}: ${error.message}`) : error;
    });
    const importer = createImporter({
      articles,
      store: mediaStore,
      ffmpeg,
      scratchFolder,
      concurrency: Math.min(MAX_CONCURRENCY, availableParallelism()),
    });
    const result = await importer.importRecordings({
      list,
      metadata,
      ...(onProgress && { onProgress }),
      ...(onError && { onError }),
    });
    await rm(scratchFolder, { recursive: true, force: true });
    return { ...result, canEncode: ffmpeg !== undefined };
  } finally {
    clearInterval(keepAlive);
    await downloader.close();
    // Without a connection there is nothing to release.
    await articles.releaseImportLock().catch(() => {});
    await db.destroy();
  }
}
