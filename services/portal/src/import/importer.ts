import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentError } from '../catalogue-loader/article-files.ts';
import {
  createArticleWriter,
  createStableId,
  hashFile,
  hashJson,
} from '../catalogue-loader/article-writer.ts';
import type { CatalogueLoaderRepository, StoredArticle } from '../catalogue-loader/repository.ts';
import type { MediaStore } from '../media/media-store.ts';
import { buildArticle, toArticleContent } from './article-builder.ts';
import { createSlug, type Metadata } from './metadata.ts';
import {
  describeReadError,
  findArticleMoves,
  type Recording,
  type RecordingFiles,
  type RecordingList,
} from './recording.ts';
import { type ImportRepository, toAnnouncedStamp, toUnannouncedStamp } from './repository.ts';

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
  imports: ImportRepository;
  store: MediaStore;
  /** The program that measures and encodes; undefined if there is none on this machine. */
  ffmpeg: string | undefined;
  /** An empty folder for intermediate files. */
  scratchFolder: string;
  concurrency: number;
}

export interface ImportRequest {
  list: RecordingList;
  /** Metadata for fields that the recordings lack. */
  metadata: Metadata;
  onProgress?: (done: number, total: number) => void;
  onError?: (name: string, reason: string) => void;
  /** Receives the new articles, also those that an interrupted import added, in the order of the recordings. */
  announce?: (articles: ImportResult['added']) => Promise<void>;
}

/** The state of a running import. */
interface ImportRun extends ImportRequest {
  result: Omit<ImportResult, 'added'>;
  added: Map<Recording, ImportResult['added'][number]>;
  unannounced: Map<Recording, ImportResult['added'][number]>;
  sources: ReadonlySet<string>;
  /** Audio hashes of withdrawn articles. */
  withdrawnAudio: ReadonlySet<string>;
  /** By audio hash, the recording that is being or was imported with it. */
  importByAudio: Map<string, { name: string; isImported: Promise<boolean> }>;
}

/** A recording whose files are on this machine. */
interface FetchedRecording {
  recording: Recording;
  files: RecordingFiles;
  audioHash: string;
  /** The stamp of the article, if it is announced and measured. */
  stamp: string;
  /** A folder for intermediate files. */
  folder: string;
}

/** Increase it when the same files result in another article. */
const IMPORT_VERSION = 4;

/** Creates the service that imports recordings. A second import writes only what has changed. */
export function createImporter(deps: ImporterDeps) {
  const { articles, imports, store, ffmpeg, scratchFolder, concurrency } = deps;
  const { upsertArticle, isComplete } = createArticleWriter({ articles, store });
  const createStamp = ({ metadata }: ImportRequest, { stamp }: Recording) =>
    hashJson([IMPORT_VERSION, stamp, metadata]);
  // Without ffmpeg an article is unmeasured: the next import with ffmpeg measures it, one without leaves measured ones alone.
  const toStoredStamp = (stamp: string) => (ffmpeg === undefined ? `${stamp} unmeasured` : stamp);
  const isCurrent = (stored: string, stamp: string) =>
    [stamp, toStoredStamp(stamp)].includes(toAnnouncedStamp(stored));
  const isUnannounced = ({ stamp }: StoredArticle) => toAnnouncedStamp(stamp) !== stamp;

  /** Returns whether the stored recording is gone. Only an import of a feed knows which episodes there are. */
  async function isGone(stored: string, { source }: Recording, sources: ReadonlySet<string>) {
    if (stored.startsWith('file:'))
      return (await stat(stored.slice('file:'.length)).catch(() => undefined)) === undefined;
    return !source.startsWith('file:') && !sources.has(stored);
  }

  /**
   * Imports one of the recordings with the same audio. The others wait for it and are duplicates, unless it fails: then the
   * next of them is imported.
   */
  async function importUniqueAudio(
    { importByAudio, result }: ImportRun,
    { name, hash }: { name: string; hash: string },
    importAudio: () => Promise<void>,
  ): Promise<void> {
    for (let other = importByAudio.get(hash); other; other = importByAudio.get(hash)) {
      if (!(await other.isImported)) continue;
      result.duplicates.push({ name, as: other.name });
      return;
    }
    const importing = importAudio();
    const isImported = importing.then(
      () => true,
      () => {
        importByAudio.delete(hash);
        return false;
      },
    );
    importByAudio.set(hash, { name, isImported });
    await importing;
  }

  /** Looks for an article with the same audio: `duplicateOf` if both recordings exist, `movedFrom` if its source is gone. */
  async function findSameAudio(
    { sources }: ImportRun,
    recording: Recording,
    hash: string,
  ): Promise<{ movedFrom?: StoredArticle; duplicateOf?: string }> {
    const [article] = await articles.findStoredByAudio(hash);
    if (!article) return {};
    const isMoved = article.source === null || (await isGone(article.source, recording, sources));
    return isMoved ? { movedFrom: article } : { duplicateOf: article.slug };
  }

  /** An article whose recording was moved keeps the slug of its old source, where there may be another recording now. */
  async function createUnusedSlug(title: string, source: string, audioHash: string): Promise<string> {
    const slug = createSlug(title, source);
    return (await imports.isSlugUsed(slug)) ? createSlug(title, `${source} ${audioHash}`) : slug;
  }

  /** Builds the article of a recording and writes it over the existing one. */
  async function saveRecording(
    run: ImportRun,
    { recording, files, audioHash, stamp, folder }: FetchedRecording,
    existing: StoredArticle | undefined,
  ): Promise<void> {
    const { result, metadata } = run;
    const article = await buildArticle({ recording, files, defaults: metadata }, folder, ffmpeg);
    const slug =
      existing?.slug ?? (await createUnusedSlug(article.metadata.title, recording.source, audioHash));
    const content = toArticleContent(article, slug);
    const isNew = !existing || isUnannounced(existing);
    const outcome = await upsertArticle(
      {
        id: existing?.id ?? createStableId('article', slug),
        content,
        text: hashJson([IMPORT_VERSION, content]),
        stamp: isNew ? toUnannouncedStamp(toStoredStamp(stamp)) : toStoredStamp(stamp),
        files: { ...article.cover, audio: article.audio.path, portrait: null, pages: [] },
        imported: { source: recording.source, audio: audioHash, estimated: article.text.isEstimated },
      },
      existing && (await isComplete(existing)) ? existing : undefined,
    );
    if (isNew && outcome !== 'withdrawn') run.unannounced.set(recording, { slug, title: content.title });
    if (outcome !== 'changed') result[outcome] += 1;
    else if (existing) result.changed.push(slug);
    else run.added.set(recording, { slug, title: content.title });
  }

  async function importRecording(
    run: ImportRun,
    recording: Recording,
    stored: StoredArticle | undefined,
    folder: string,
  ): Promise<void> {
    const { result } = run;
    const stamp = createStamp(run, recording);
    if (stored && isCurrent(stored.stamp, stamp) && (await isComplete(stored))) {
      if (isUnannounced(stored)) run.unannounced.set(recording, stored);
      result.unchanged += 1;
      return;
    }
    const files = await recording.fetch(folder);
    const audioHash = await hashFile(files.audio);
    const fetched = { recording, files, audioHash, stamp, folder };
    if (stored) await saveRecording(run, fetched, stored);
    else if (run.withdrawnAudio.has(audioHash)) result.withdrawn += 1;
    else
      await importUniqueAudio(run, { name: recording.name, hash: audioHash }, async () => {
        const { movedFrom, duplicateOf } = await findSameAudio(run, recording, audioHash);
        if (duplicateOf === undefined) await saveRecording(run, fetched, movedFrom);
        else result.duplicates.push({ name: recording.name, as: duplicateOf });
      });
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

  /** Returns the articles of recordings by their source, once those whose recordings were moved have followed them. */
  async function findStored(request: ImportRequest, recordings: readonly Recording[]) {
    const findBySource = async () => {
      const stored = await articles.findStoredBySource(recordings.map(({ source }) => source));
      return new Map(stored.map((article) => [article.source, article]));
    };
    const storedBySource = await findBySource();
    const changed = recordings.filter((recording) => {
      const stored = storedBySource.get(recording.source);
      return !stored || !isCurrent(stored.stamp, createStamp(request, recording));
    });
    const moves = await findArticleMoves(changed, storedBySource);
    if (moves.length === 0) return storedBySource;
    await imports.saveSources(moves);
    return findBySource();
  }

  /** Announces the new articles, except for those that were unpublished or removed since. */
  async function announceNew({ list, unannounced, announce }: ImportRun): Promise<void> {
    const candidates = list.recordings.flatMap((recording) => unannounced.get(recording) ?? []);
    const existing = await imports.findExistingSlugs(candidates.map(({ slug }) => slug));
    const found = candidates.filter(({ slug }) => existing.has(slug));
    if (found.length === 0) return;
    await announce?.(found);
    await imports.markAnnounced(found.map(({ slug }) => slug));
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
        importByAudio: new Map(),
        added: new Map(),
        unannounced: new Map(),
        result: {
          changed: [],
          unchanged: 0,
          withdrawn: recordings.length - pending.length,
          duplicates: [],
          failed: [],
        },
      };
      for (const { name, reason } of failed) addFailed(run, name, reason);
      const storedBySource = await findStored(request, pending);
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
      await announceNew(run);
      return { ...run.result, added: recordings.flatMap((recording) => run.added.get(recording) ?? []) };
    },
  };
}
