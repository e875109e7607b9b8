import type { MediaStore } from '../media/media-store.ts';
import { isDeletable } from '../media/policy.ts';
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
  /** When it was found unused first. */
  foundAt: Date;
  isDeletable: boolean;
}

interface CleanOptions {
  /** For how many days files must have been unused before they are deleted. */
  unusedDays: number;
  /** Whether to delete those that may be deleted. */
  isDeleting: boolean;
  onProgress?: (done: number, total: number) => void;
}

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
      const now = clock();
      const files: UnusedFile[] = [];
      for (const chunk of toChunks(await findUnusedKeys(onProgress), KEYS_PER_QUERY)) {
        for (const { key, foundAt } of await media.recordUnused(chunk, now)) {
          const file = await store.stat(key);
          if (!file) continue;
          const use = { isUsed: false, foundAt, modified: file.modified };
          files.push({ key, size: file.size, foundAt, isDeletable: isDeletable(use, now, unusedDays) });
        }
      }
      const deleted: string[] = [];
      const deletable = files.flatMap((file) => (isDeleting && file.isDeletable ? file.key : []));
      for (const chunk of toChunks(deletable, FILES_PER_DELETION)) {
        const removed = await media.withRecords(chunk, async (records) => {
          const removed: string[] = [];
          for (const { key, foundAt, isUsed } of records) {
            const file = await store.stat(key);
            if (!file || !isDeletable({ isUsed, foundAt, modified: file.modified }, now, unusedDays))
              continue;
            await store.remove(key);
            removed.push(key);
          }
          return removed;
        });
        deleted.push(...removed);
      }
      return { files, deleted: new Set(deleted) };
    },
  };
}
