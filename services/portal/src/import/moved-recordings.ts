import { hashFile } from '../catalogue-loader/article-writer.ts';
import type { StoredArticle } from '../catalogue-loader/repository.ts';
import type { Recording } from './recording.ts';

const FILE_PREFIX = 'file:';

/** An article whose recording is not at its path any more. */
interface ArticleMove {
  id: string;
  /** Where it is read from now; null where its audio is nowhere. */
  source: string | null;
}

/**
 * Finds articles whose audio is at another path, while there is other audio at their own: the files were renamed, and the
 * paths used again. An article whose audio is nowhere else stays at its path, where it was recorded again, unless the
 * recording there is that of an article which moves there: then it has no path any more.
 *
 * @param recordings - those that may have changed
 * @param storedBySource - the articles at the paths of the recordings
 */
export async function findArticleMoves(
  recordings: readonly Recording[],
  storedBySource: ReadonlyMap<string | null, StoredArticle>,
): Promise<ArticleMove[]> {
  const sources = recordings.flatMap(({ source }) => (source.startsWith(FILE_PREFIX) ? source : []));
  if (!sources.some((source) => storedBySource.has(source))) return [];
  const sourceByAudio = new Map<string, string>();
  const replacedBySource = new Map<string, StoredArticle>();
  for (const source of sources) {
    // An unreadable file is reported when it is imported.
    const hash = await hashFile(source.slice(FILE_PREFIX.length)).catch(() => undefined);
    if (hash === undefined) continue;
    const article = storedBySource.get(source);
    if (article && article.audioHash !== hash) replacedBySource.set(source, article);
    // The copy beside an article with the same audio is a duplicate, wherever it is in the list.
    if (!sourceByAudio.has(hash) || article?.audioHash === hash) sourceByAudio.set(hash, source);
  }
  const moves = new Map<string, string>();
  for (const { id, audioHash } of replacedBySource.values()) {
    const source = sourceByAudio.get(audioHash ?? '');
    const isFree = source !== undefined && (!storedBySource.has(source) || replacedBySource.has(source));
    if (!isFree) continue;
    moves.set(id, source);
    // Of two articles with the same audio only one can follow it.
    sourceByAudio.delete(audioHash ?? '');
  }
  const detached = [...moves.values()]
    .flatMap((source) => replacedBySource.get(source) ?? [])
    .filter(({ id }) => !moves.has(id));
  return [
    ...detached.map(({ id }) => ({ id, source: null })),
    ...Array.from(moves, ([id, source]) => ({ id, source })),
  ];
}
