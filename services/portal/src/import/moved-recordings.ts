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

/** Returns the articles of sources, by source. */
export async function findStoredBySource(
  articles: CatalogueLoaderRepository,
  sources: Iterable<string>,
): Promise<ReadonlyMap<string | null, StoredArticle>> {
  const stored = await articles.findStored('source', [...sources]);
  return new Map(stored.map((article) => [article.source, article]));
}

/**
 * Finds articles whose audio is at another path, while at their own there is other audio or nothing: the files were renamed,
 * and the paths used again. An article whose audio is nowhere else stays at its path, where it was recorded again, unless
 * the recording there is that of an article which moves there: then it has no path any more.
 *
 * @param sources - files that may have changed, and those at paths of withdrawn articles
 * @param storedBySource - the articles at the paths of the recordings
 * @returns where articles are read from now, by their id; null where their audio is nowhere
 */
async function findMoves(
  sources: readonly string[],
  storedBySource: ReadonlyMap<string | null, StoredArticle>,
  { withdrawn, articles, isGone }: ImportedRecordings,
): Promise<ReadonlyMap<string, string | null>> {
  const moves = new Map<string, string | null>();
  const audioBySource = new Map<string, string>();
  async function readAudio(paths: readonly string[]): Promise<void> {
    for (const source of paths) {
      // An unreadable file is reported when it is imported.
      const hash = await hashFile(findFilePath(source) ?? '').catch(() => undefined);
      const isWithdrawn = withdrawn.sources.has(source) && withdrawn.audio.has(hash ?? '');
      if (hash !== undefined && !isWithdrawn) audioBySource.set(source, hash);
    }
  }
  const isUsed = (source: string) => withdrawn.sources.has(source) || storedBySource.has(source);

  await readAudio(sources.filter(isUsed));
  const replaced = sources.flatMap((source) => {
    const [article, hash] = [storedBySource.get(source), audioBySource.get(source)];
    return article && hash !== undefined && article.audioHash !== hash ? article : [];
  });
  const missing: StoredArticle[] = [];
  const published = [...audioBySource.values()].filter((hash) => !withdrawn.audio.has(hash));
  for (const article of await articles.findStored('source_audio_hash', published))
    if (article.source === null || (await isGone(article.source))) missing.push(article);
  if (replaced.length === 0 && missing.length === 0) return moves;

  await readAudio(sources.filter((source) => !isUsed(source)));
  const sourceByAudio = new Map<string, string>();
  for (const source of sources) {
    const hash = audioBySource.get(source);
    if (hash === undefined) continue;
    // The copy beside an article with the same audio is a duplicate, wherever it is in the list.
    const isOwn = storedBySource.get(source)?.audioHash === hash;
    if (isOwn || !sourceByAudio.has(hash)) sourceByAudio.set(hash, source);
  }
  const replacedSources = new Set(replaced.map(({ source }) => source));
  for (const { id, audioHash } of [...replaced, ...missing]) {
    const source = sourceByAudio.get(audioHash ?? '');
    if (source === undefined || (storedBySource.has(source) && !replacedSources.has(source))) continue;
    moves.set(id, source);
    // Of two articles with the same audio only one can follow it.
    sourceByAudio.delete(audioHash ?? '');
  }
  // An article whose path another one takes has none any more.
  const taken = new Set(moves.values());
  for (const { id, source } of replaced) if (taken.has(source) && !moves.has(id)) moves.set(id, null);
  return moves;
}

/** Finds the articles of unchanged recordings at their former sources; returns their sources by their id. */
async function findFormer(
  recordings: readonly Recording[],
  { articles, isCurrent }: ImportedRecordings,
): Promise<ReadonlyMap<string, string>> {
  const formerSources = recordings.flatMap(({ formerSource }) => formerSource ?? []);
  const articleBySource = await findStoredBySource(articles, formerSources);
  const moves = recordings.flatMap((recording): [string, string][] => {
    const article = articleBySource.get(recording.formerSource ?? '');
    return article && isCurrent(article, recording) ? [[article.id, recording.source]] : [];
  });
  return new Map(moves);
}

/**
 * Lets articles whose recordings were moved follow them.
 *
 * @returns the recordings to import, which are those that are not withdrawn, and their articles by source
 */
export async function followMoves(imported: ImportedRecordings) {
  const { recordings, withdrawn, articles, imports, isCurrent } = imported;
  const isWithdrawn = ({ source }: Recording) => withdrawn.sources.has(source);
  const toSources = (some: readonly Recording[]) => some.map(({ source }) => source);
  const published = recordings.filter((recording) => !isWithdrawn(recording));
  const storedBySource = await findStoredBySource(articles, toSources(published));
  const changed = published.filter((recording) => {
    const stored = storedBySource.get(recording.source);
    return !stored || !isCurrent(stored, recording);
  });
  const files = toSources([...changed, ...recordings.filter(isWithdrawn)]).filter(
    (source) => findFilePath(source) !== undefined,
  );
  const unknown = changed.filter(({ source }) => !storedBySource.has(source));
  const moves = new Map([
    ...(await findMoves(files, storedBySource, imported)),
    ...(await findFormer(unknown, imported)),
  ]);
  if (moves.size === 0) return { pending: published, storedBySource };
  await imports.saveSources(moves);
  const moved = new Set(moves.values());
  const pending = recordings.filter((recording) => !isWithdrawn(recording) || moved.has(recording.source));
  return { pending, storedBySource: await findStoredBySource(articles, toSources(pending)) };
}
