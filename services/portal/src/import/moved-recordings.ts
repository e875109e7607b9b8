import { hashFile } from '../catalogue-loader/article-writer.ts';
import type { StoredArticle } from '../catalogue-loader/repository.ts';
import type { Recording } from './recording.ts';

const FILE_PREFIX = 'file:';

/** An article whose recording is at another path. */
interface ArticleMove {
  id: string;
  from: string;
  /** Where it is read from now. */
  source: string;
}

/**
 * Finds articles whose audio is at another path, while there is other audio at their own: the files were renamed, and the
 * paths used again. An article whose audio is nowhere else stays at its path, where it was recorded again.
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
  const replaced: StoredArticle[] = [];
  for (const source of sources) {
    // An unreadable file is reported when it is imported.
    const hash = await hashFile(source.slice(FILE_PREFIX.length)).catch(() => undefined);
    if (hash === undefined) continue;
    const article = storedBySource.get(source);
    if (article && article.audioHash !== hash) replaced.push(article);
    // The copy beside an article with the same audio is a duplicate, wherever it is in the list.
    if (!sourceByAudio.has(hash) || article?.audioHash === hash) sourceByAudio.set(hash, source);
  }
  const moves = new Map<string, ArticleMove>();
  for (const { id, source: from, audioHash } of replaced) {
    const source = sourceByAudio.get(audioHash ?? '');
    if (from === null || source === undefined) continue;
    moves.set(from, { id, from, source });
    // Of two articles with the same audio only one can follow it.
    sourceByAudio.delete(audioHash ?? '');
  }
  // A path is free if it has no article or its article moves, too.
  const findBlocked = () =>
    [...moves.values()].filter(({ source }) => storedBySource.has(source) && !moves.has(source));
  for (let blocked = findBlocked(); blocked.length > 0; blocked = findBlocked())
    for (const { from } of blocked) moves.delete(from);
  return [...moves.values()];
}
