import type { MediaStore } from '../media/media-store.ts';
import type { MediaRepository } from './media-repository.ts';
import { CatalogueAdminError } from './service.ts';

interface MediaCleanerDeps {
  media: MediaRepository;
  store: MediaStore;
  clock: () => Date;
}

/** A file of the media store that no article uses. */
interface UnusedFile {
  key: string;
  /** In bytes. */
  size: number;
  /** When it was found unused first, and nothing that uses it was written since. */
  foundAt: Date;
  /** Whether it has been unused for long enough: nobody has a signed URL of it, and no backup set refers to it. */
  isDeletable: boolean;
}

interface CleanOptions {
  /** For how many days files must have been unused before they are deleted. */
  unusedDays: number;
  /** Whether to delete those that may be deleted. */
  isDeleting: boolean;
  onProgress?: (done: number, total: number) => void;
}

/** Users may have a signed URL of a file until then, which is valid for up to eight days. */
export const MIN_UNUSED_DAYS = 10;

const DAY_MS = 24 * 3_600_000;
/** Many, because each query reads all articles. */
const KEYS_PER_QUERY = 10_000;
/** Few, because an import or a load that needs one of them waits for all. */
const FILES_PER_DELETION = 20;

function* toChunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Creates the service that finds the media which no article uses, and deletes them some time afterwards. */
export function createMediaCleaner({ media, store, clock }: MediaCleanerDeps) {
  async function findUnusedKeys(onProgress: CleanOptions['onProgress']): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of store.keys()) keys.push(key);
    const unused: string[] = [];
    let done = 0;
    for (const chunk of toChunks(keys, KEYS_PER_QUERY)) {
      const used = await media.findUsed(chunk);
      unused.push(...chunk.filter((key) => !used.has(key)));
      done += chunk.length;
      onProgress?.(done, keys.length);
    }
    if (keys.length > 0 && unused.length === keys.length)
      throw new CatalogueAdminError(
        'The catalogue uses no file of the media store. Check that MEDIA_STORE and DATABASE_URL are those of the product.',
      );
    return unused;
  }

  return {
    /**
     * Finds the media that no article uses, and records since when. Deletes those for which it is long enough, if asked to.
     *
     * @returns all that were found, and the keys of the deleted ones
     * @throws CatalogueAdminError when the catalogue uses no file of the store, which is that of another installation
     */
    async cleanMedia({ unusedDays, isDeleting, onProgress }: CleanOptions) {
      const unusedSince = new Date(clock().getTime() - unusedDays * DAY_MS);
      const files: UnusedFile[] = [];
      for (const chunk of toChunks(await findUnusedKeys(onProgress), KEYS_PER_QUERY)) {
        for (const { key, foundAt } of await media.recordUnused(chunk, clock())) {
          const file = await store.stat(key);
          if (!file) continue;
          // One that was stored again since may be about to be used.
          const isDeletable = foundAt <= unusedSince && file.modified <= unusedSince;
          files.push({ key, size: file.size, foundAt, isDeletable });
        }
      }
      const deletable = files.flatMap((file) => (isDeleting && file.isDeletable ? file.key : []));
      const deleted = new Set<string>();
      for (const chunk of toChunks(deletable, FILES_PER_DELETION))
        for (const key of await media.deleteUnused(chunk, unusedSince, store.remove)) deleted.add(key);
      return { files, deleted };
    },
  };
}
