import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentError } from '../catalogue-loader/article-files.ts';
import { createArticleWriter, createStableId, hashJson } from '../catalogue-loader/article-writer.ts';
import type { CatalogueLoaderRepository, StoredArticle } from '../catalogue-loader/repository.ts';
import { hashFile, type MediaStore } from '../media/media-store.ts';
import { buildArticle } from './article-builder.ts';
import { createSlug, type Metadata } from './metadata.ts';
import { findStoredBySource, followMoves } from './moved-recordings.ts';
import {
  describeReadError,
  findFilePath,
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
  /** Recordings with the same audio as another one, and the slug of its article. */
  duplicates: { name: string; as: string }[];
  failed: { name: string; reason: string }[];
}

/** What an import works with. */
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

/** What to import, and who is informed about it. */
export interface ImportRequest {
  list: RecordingList;
  /** Metadata for fields that the recordings lack. */
  metadata: Metadata;
  onProgress?: (done: number, total: number) => void;
  onError?: (name: string, reason: string) => void;
  /** Receives the new articles, also those that an interrupted import added, in the order of the recordings. */
  announce?: (articles: ImportResult['added']) => Promise<void>;
}

/** A recording whose files are on this machine. */
interface FetchedRecording {
  recording: Recording;
  files: RecordingFiles;
  audioHash: string;
  /** A folder for intermediate files. */
  folder: string;
}

/** Increase it when the same files result in a noticeably different article: the next import then builds all again. */
const IMPORT_VERSION = 4;

/** Imports recordings. Failed ones leave nothing behind. A second import writes only what has changed. */
export async function importRecordings(
  { articles, imports, store, ffmpeg, scratchFolder, concurrency }: ImporterDeps,
  { list: { recordings, sourcePrefix, failed }, metadata, onProgress, onError, announce }: ImportRequest,
): Promise<ImportResult> {
  const { upsertArticle, isComplete } = createArticleWriter({ articles, store });
  const withdrawn = await articles.findWithdrawn();
  const sources = new Set(recordings.map(({ source }) => source));
  const result: Omit<ImportResult, 'added'> = {
    changed: [],
    unchanged: 0,
    withdrawn: 0,
    duplicates: [],
    failed: [],
  };
  /** By the sources of the recordings. */
  const added = new Map<string, ImportResult['added'][number]>();
  const imported = new Set<string>();
  /** By audio hash, the end of the latest import of a recording with it. */
  const lastImportByAudio = new Map<string, Promise<void>>();

  const createStamp = ({ stamp }: Recording) => hashJson([IMPORT_VERSION, stamp, metadata]);
  // Without ffmpeg an article is unmeasured: the next import with ffmpeg measures it, one without leaves measured ones alone.
  const toStoredStamp = (stamp: string) => (ffmpeg === undefined ? `${stamp} unmeasured` : stamp);
  const isCurrent = (stored: StoredArticle, recording: Recording) => {
    const stamp = createStamp(recording);
    return [stamp, toStoredStamp(stamp)].includes(toAnnouncedStamp(stored.stamp));
  };
  const isUnannounced = ({ stamp }: StoredArticle) => toAnnouncedStamp(stamp) !== stamp;
  const inOrder = <Item>(itemBySource: ReadonlyMap<string | null, Item>) =>
    recordings.flatMap(({ source }) => itemBySource.get(source) ?? []);

  /** Returns whether the stored recording is gone. Only an import of the same feed knows which episodes there are. */
  async function isGone(stored: string): Promise<boolean> {
    const path = findFilePath(stored);
    if (path !== undefined) return (await stat(path).catch(() => undefined)) === undefined;
    return sourcePrefix !== undefined && stored.startsWith(sourcePrefix) && !sources.has(stored);
  }

  /** An article whose recording was moved keeps the slug of its old source, where there may be another recording now. */
  async function createUnusedSlug(title: string, source: string, audioHash: string): Promise<string> {
    const slug = createSlug(title, source);
    return (await imports.isSlugUsed(slug)) ? createSlug(title, `${source} ${audioHash}`) : slug;
  }

  /** Builds the article of a recording and writes it over the existing one. */
  async function saveRecording(
    { recording, files, audioHash, folder }: FetchedRecording,
    existing: StoredArticle | undefined,
  ): Promise<void> {
    const findSlug = async (title: string) =>
      existing?.slug ?? createUnusedSlug(title, recording.source, audioHash);
    const article = await buildArticle({ recording, files, defaults: metadata }, findSlug, folder, ffmpeg);
    const { content, isEstimated: estimated } = article;
    const { slug, title } = content;
    const stamp = toStoredStamp(createStamp(recording));
    const outcome = await upsertArticle(
      {
        id: existing?.id ?? createStableId('article', slug),
        content,
        text: hashJson([IMPORT_VERSION, content]),
        stamp: !existing || isUnannounced(existing) ? toUnannouncedStamp(stamp) : stamp,
        files: article.files,
        imported: { source: recording.source, audio: audioHash, estimated },
      },
      existing && (await isComplete(existing)) ? existing : undefined,
    );
    if (outcome !== 'changed') result[outcome] += 1;
    else if (existing) result.changed.push(slug);
    else added.set(recording.source, { slug, title });
  }

  const findByAudio = async (audioHash: string): Promise<StoredArticle | undefined> =>
    (await articles.findStored('source_audio_hash', [audioHash]))[0];

  /**
   * Skips a recording with the audio of a withdrawn article, or of another one whose own recording is still there.
   *
   * @param article - the article at its path or, without one there, with its audio
   * @returns whether it was skipped
   */
  async function skipKnownAudio({ name, source }: Recording, audioHash: string, article?: StoredArticle) {
    const isOwn = article?.source === source;
    if (withdrawn.audio.has(audioHash) && !(isOwn && article.audioHash === audioHash)) {
      result.withdrawn += 1;
      return true;
    }
    if (!article || isOwn || article.source === null || (await isGone(article.source))) return false;
    result.duplicates.push({ name, as: article.slug });
    return true;
  }

  /**
   * Imports a recording unless it is skipped.
   *
   * @param article - the article at its path, or the one whose recording was moved there; undefined for a new one
   */
  async function importFetched(fetched: FetchedRecording, article: StoredArticle | undefined): Promise<void> {
    const { recording, audioHash } = fetched;
    if (await skipKnownAudio(recording, audioHash, article)) await imports.saveSkipped(recording, audioHash);
    else await saveRecording(fetched, article);
  }

  /** Imports recordings with the same audio in turn: the first that does not fail is an article, the others duplicates of it. */
  async function importNewInTurn(fetched: FetchedRecording): Promise<void> {
    const previous = lastImportByAudio.get(fetched.audioHash) ?? Promise.resolve();
    const importing = previous.then(async () => importFetched(fetched, await findByAudio(fetched.audioHash)));
    const ended = importing.catch(() => {});
    lastImportByAudio.set(fetched.audioHash, ended);
    await importing;
  }

  async function importRecording(
    recording: Recording,
    stored: StoredArticle | undefined,
    folder: string,
  ): Promise<void> {
    if (stored && isCurrent(stored, recording) && (await isComplete(stored))) {
      result.unchanged += 1;
      return;
    }
    const stamp = toStoredStamp(createStamp(recording));
    const { skippedAudio, failure } = await imports.findEarlierResult(recording, stamp);
    if (skippedAudio !== null) {
      const article = stored ?? (await findByAudio(skippedAudio));
      if (await skipKnownAudio(recording, skippedAudio, article)) return;
    }
    // Instead of downloading it again.
    if (failure !== null) throw new ContentError(failure);
    const files = await recording.fetch(folder);
    const audioHash = await hashFile(files.audio);
    const fetched = { recording, files, audioHash, folder };
    const importing = stored ? importFetched(fetched, stored) : importNewInTurn(fetched);
    await importing.catch(async (error: unknown) => {
      const isEpisode = findFilePath(recording.source) === undefined;
      if (isEpisode && error instanceof ContentError)
        await imports.saveFailure(recording.source, stamp, error.message);
      throw error;
    });
  }

  function addFailed(name: string, reason: string): void {
    result.failed.push({ name, reason });
    onError?.(name, reason);
  }

  /** Imports a recording; reports it as failed if its files are unusable, and throws any other error. */
  async function tryImport(recording: Recording, stored: StoredArticle | undefined): Promise<void> {
    const folder = await mkdtemp(join(scratchFolder, 'recording-'));
    try {
      await importRecording(recording, stored, folder);
      imported.add(recording.source);
    } catch (error) {
      const reason = error instanceof ContentError ? error.message : describeReadError(error);
      if (reason === undefined) throw error;
      addFailed(recording.name, reason);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Announces the new articles, except for those that were unpublished or removed since. */
  async function announceNew(): Promise<void> {
    const unannounced = inOrder(await findStoredBySource(articles, imported)).filter(isUnannounced);
    if (unannounced.length === 0) return;
    await announce?.(unannounced.map(({ slug, title }) => ({ slug, title })));
    await imports.markAnnounced(unannounced.map(({ id }) => id));
  }

  for (const { name, reason } of failed) addFailed(name, reason);
  const { pending, storedBySource } = await followMoves({
    recordings,
    withdrawn,
    articles,
    imports,
    isCurrent,
    isGone,
  });
  result.withdrawn = recordings.length - pending.length;
  // A generator, which a loop that throws closes for the others too.
  const queue = (function* () {
    yield* pending;
  })();
  let done = 0;
  // The first recording may take minutes.
  if (pending.length > 0) onProgress?.(done, pending.length);
  const work = async () => {
    for (const recording of queue) {
      await tryImport(recording, storedBySource.get(recording.source));
      done += 1;
      onProgress?.(done, pending.length);
    }
  };
  // All of them, since the caller releases the lock and deletes the files that they work with.
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  await announceNew();
  return { ...result, added: inOrder(added) };
}
