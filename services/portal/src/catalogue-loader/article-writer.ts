import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { hashFile, type MediaStore, toKey } from '../media/media-store.ts';
import { type ArticleContent, type ArticleMedia, listMedia } from './article-files.ts';
import type { ArticleOrigin, CatalogueLoaderRepository, StoredArticle } from './repository.ts';

interface ArticleWriterDeps {
  articles: CatalogueLoaderRepository;
  store: MediaStore;
}

/** An article that is ready to be written, with the paths of its files. */
interface PreparedArticle extends Omit<ArticleOrigin, 'hash'> {
  id: string;
  content: ArticleContent;
  files: ArticleMedia;
  /** Everything the article was made of, as text; together with the files it decides whether the article has changed. */
  text: string;
}

/**
 * Returns an id that follows from a name, so that addresses stay the same when a database is created again: a UUID of
 * version 8 (RFC 9562).
 */
export function createStableId(kind: 'article' | 'playlist' | 'notification', name: string): string {
  const bytes = createHash('sha256').update(`escucho ${kind} ${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the SHA-256 of a value's JSON, in hex. */
export const hashJson = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Stores the files that the media store lacks, and returns their keys. */
async function storeFiles(
  paths: ArticleMedia,
  { articles, store }: ArticleWriterDeps,
): Promise<ArticleMedia> {
  async function storeFile(path: string): Promise<string> {
    const key = toKey(await hashFile(path), extname(path).slice(1));
    await articles.claimMedia(key);
    if (!(await store.stat(key))) await store.put(key, path);
    return key;
  }
  const image = await storeFile(paths.image);
  const artwork = await storeFile(paths.artwork);
  const audio = await storeFile(paths.audio);
  const portrait = paths.portrait === null ? null : await storeFile(paths.portrait);
  const pages: string[] = [];
  for (const path of paths.pages) pages.push(await storeFile(path));
  return { image, artwork, audio, portrait, pages };
}

/** Creates the only writer of articles, for those of the library and imported ones alike. */
export function createArticleWriter({ articles, store }: ArticleWriterDeps) {
  return {
    /** Returns whether the media store has every file of a stored article. */
    async isComplete({ keys }: StoredArticle): Promise<boolean> {
      const files = await Promise.all(keys.map((key) => store.stat(key)));
      return files.every((file) => file !== undefined);
    },

    /**
     * Writes an article and its files.
     *
     * @param existing - the stored article, if it exists and is complete
     * @returns whether anything has changed, or that nothing was written because the article was withdrawn in the meantime
     */
    async upsertArticle(
      { id, content, files, text, stamp, imported }: PreparedArticle,
      existing: StoredArticle | undefined,
    ): Promise<'changed' | 'unchanged' | 'withdrawn'> {
      const keys = await storeFiles(files, { articles, store });
      const hash = hashJson([text, listMedia(keys)]);
      const origin = { stamp, ...(imported && { imported }) };
      if (existing?.hash === hash) {
        await articles.saveStamp(id, origin);
        return 'unchanged';
      }
      const isSaved = await articles.saveArticle(id, content, keys, { ...origin, hash });
      return isSaved ? 'changed' : 'withdrawn';
    },
  };
}
