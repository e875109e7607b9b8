import type { StoredArticle } from '../catalogue-loader/repository.ts';
import type { Metadata } from './metadata.ts';
import type { TranscriptFormat } from './text.ts';

/** The files of a recording, on this machine. */
export interface RecordingFiles {
  /** The path of the audio file. */
  audio: string;
  text?: { content: string; format: 'markdown' | 'plain' };
  transcript?: { content: string; format: TranscriptFormat };
  picture?: Buffer;
}

/** A recording in a folder or a feed that can be imported. */
export interface Recording {
  /** Where it comes from, the same in every run. */
  source: string;
  /** Its path in the folder, or its title in the feed; for messages. */
  name: string;
  /** Changes when any of its files changes; computed without reading them. */
  stamp: string;
  metadata: Metadata;
  /** Metadata derived from the name and date of the file, for fields that nothing else provides. */
  fallback: Metadata;
  /**
   * Reads or downloads its files.
   *
   * @param folder - an empty folder for downloads
   * @throws ContentError when a file is missing, too large or unreadable.
   */
  fetch(folder: string): Promise<RecordingFiles>;
}

/** The recordings of a folder or feed, and the entries that cannot be imported. */
export interface RecordingList {
  recordings: Recording[];
  /** How the sources of all episodes of the feed begin; undefined for a folder. */
  sourcePrefix?: string;
  failed: { name: string; reason: string }[];
}

export const maxBytes = {
  audio: 2 * 2 ** 30,
  text: 2 * 2 ** 20,
  transcript: 8 * 2 ** 20,
  picture: 24 * 2 ** 20,
  feed: 16 * 2 ** 20,
} as const;

const unreadableCodes = ['EACCES', 'EPERM', 'ENOENT', 'EISDIR', 'EIO', 'ELOOP'];

/** Returns why a file cannot be read when the error concerns only this file, or undefined for any other error. */
export function describeReadError(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return unreadableCodes.includes(code) ? `cannot be read (${code})` : undefined;
}

const FILE_PREFIX = 'file:';

/** Returns the source of the recording in a file. */
export const toFileSource = (path: string): string => FILE_PREFIX + path;

/** Returns the path of the file that a source names; undefined for an episode of a feed. */
export const findFilePath = (source: string): string | undefined =>
  source.startsWith(FILE_PREFIX) ? source.slice(FILE_PREFIX.length) : undefined;

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
export async function findArticleMoves(
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
