import type { CatalogueLoaderRepository, StoredArticle } from '../catalogue-loader/repository.ts';
import { hashFile } from '../media/media-store.ts';
import { findFilePath, type Recording } from './recording.ts';
import type { ImportRepository } from './repository.ts';

/** The recordings of an import, and what is known of their articles. */
interface ImportedRecordings {
  recordings: readonly Recording[];
  /** Sources and audio hashes of withdrawn articles. */
  withdrawn: Awaited<ReturnType<CatalogueLoaderRepository['findWithdrawn']>>;
  articles: CatalogueLoaderRepository;
  imports: ImportRepository;
  /** Returns whether an article needs no import of its recording. */
  isCurrent: (stored: StoredArticle, recording: Recording) => boolean;
  /** Returns whether there is no recording any more at a source. */
  isGone: (source: string) => Promise<boolean>;
}

type FindHash = (path: string) => Promise<string | undefined>;

/** Returns the articles of sources, by source. */
export async function findStoredBySource(
  articles: CatalogueLoaderRepository,
  sources: Iterable<string>,
): Promise<ReadonlyMap<string | null, StoredArticle>> {
  const stored = await articles.findStored('source', [...sources]);
  return new Map(stored.map((article) => [article.source, article]));
}

/** Returns a function that hashes a file once; undefined for an unreadable one, which is reported when it is imported. */
function createFindHash(): FindHash {
  const hashes = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const hash = hashes.get(path) ?? hashFile(path).catch(() => undefined);
    hashes.set(path, hash);
    return hash;
  };
}

/**
 * Finds articles whose audio is at another path, while there is other audio at their own: the files were renamed, and the
 * paths used again. An article whose audio is nowhere else stays at its path, where it was recorded again, unless the
 * recording there is that of an article which moves there: then it has no path any more.
 *
 * @param recordings - those that may have changed, and those at paths of withdrawn ones
 * @param storedBySource - the articles at the paths of the recordings
 * @param missing - articles without a recording at their own path
 * @param findHash - returns the hash of a file; undefined for an unreadable one
 * @returns where articles are read from now, by their id; null where their audio is nowhere
 */
async function findArticleMoves(
  recordings: readonly Recording[],
  storedBySource: ReadonlyMap<string | null, StoredArticle>,
  missing: readonly StoredArticle[],
  findHash: (path: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string | null>> {
  const files = recordings.flatMap(({ source }) => {
    const path = findFilePath(source);
    return path === undefined ? [] : { source, path };
  });
  const moves = new Map<string, string | null>();
  if (missing.length === 0 && !files.some(({ source }) => storedBySource.has(source))) return moves;
  const sourceByAudio = new Map<string, string>();
  const replacedBySource = new Map<string, StoredArticle>();
  for (const { source, path } of files) {
    const hash = await findHash(path);
    if (hash === undefined) continue;
    const article = storedBySource.get(source);
    if (article && article.audioHash !== hash) replacedBySource.set(source, article);
    // The copy beside an article with the same audio is a duplicate, wherever it is in the list.
    if (!sourceByAudio.has(hash) || article?.audioHash === hash) sourceByAudio.set(hash, source);
  }
  for (const { id, audioHash } of [...replacedBySource.values(), ...missing]) {
    const source = sourceByAudio.get(audioHash ?? '');
    const isFree = source !== undefined && (!storedBySource.has(source) || replacedBySource.has(source));
    if (!isFree) continue;
    moves.set(id, source);
    // Of two articles with the same audio only one can follow it.
    sourceByAudio.delete(audioHash ?? '');
  }
  // An article whose path another one takes has none any more.
  for (const source of [...moves.values()]) {
    const replaced = replacedBySource.get(source ?? '');
    if (replaced && !moves.has(replaced.id)) moves.set(replaced.id, null);
  }
  return moves;
}

/**
 * Finds the recordings at paths of withdrawn or other ones that have the audio of an article, which may have moved there.
 *
 * @param atOldPaths - recordings at paths that were those of others, as far as is known
 * @returns the recordings, and those of the articles whose own recording is gone
 */
async function findReusedPaths(
  atOldPaths: readonly Recording[],
  { withdrawn, articles, isGone }: ImportedRecordings,
  findHash: FindHash,
) {
  const audio = new Map<Recording, string>();
  for (const recording of atOldPaths) {
    const path = findFilePath(recording.source);
    const hash = path === undefined ? undefined : await findHash(path);
    if (hash !== undefined && !withdrawn.audio.has(hash)) audio.set(recording, hash);
  }
  const found = await articles.findStored('source_audio_hash', [...new Set(audio.values())]);
  const foundAudio = new Set(found.map(({ audioHash }) => audioHash));
  const reused = [...audio].flatMap(([recording, hash]) => (foundAudio.has(hash) ? recording : []));
  const missing: StoredArticle[] = [];
  for (const article of found)
    if (article.source === null || (await isGone(article.source))) missing.push(article);
  return { reused, missing };
}

/**
 * Lets articles whose recordings were moved follow them.
 *
 * @returns the recordings to import, which are those that are not withdrawn, and their articles by source
 */
export async function followMoves(imported: ImportedRecordings) {
  const { recordings, withdrawn, articles, imports, isCurrent } = imported;
  const isWithdrawn = ({ source }: Recording) => withdrawn.sources.has(source);
  const published = recordings.filter((recording) => !isWithdrawn(recording));
  const storedBySource = await findStoredBySource(
    articles,
    published.map(({ source }) => source),
  );
  const changed = published.filter((recording) => {
    const stored = storedBySource.get(recording.source);
    return !stored || !isCurrent(stored, recording);
  });
  const atOldPaths = [
    ...recordings.filter(isWithdrawn),
    ...changed.filter(({ source }) => storedBySource.has(source)),
  ];
  const findHash = createFindHash();
  const { reused, missing } = await findReusedPaths(atOldPaths, imported, findHash);
  const moves = await findArticleMoves(
    [...new Set([...changed, ...reused])],
    storedBySource,
    missing,
    findHash,
  );
  if (moves.size === 0) return { pending: published, storedBySource };
  await imports.saveSources(moves);
  const moved = new Set(moves.values());
  const pending = recordings.filter((recording) => !isWithdrawn(recording) || moved.has(recording.source));
  const sources = pending.map(({ source }) => source);
  return { pending, storedBySource: await findStoredBySource(articles, sources) };
}
