import { join } from 'node:path';
import type { Log } from '@escucho/database';
import type { MediaStore } from '../media/media-store.ts';
import type { NotificationRepository } from '../notifications/repository.ts';
import {
  ContentError,
  listArticleFolders,
  type PlaylistDefinition,
  readArticleFolder,
  readPlaylistFile,
} from './article-files.ts';
import { createArticleWriter, createStableId, hashJson } from './article-writer.ts';
import type { CatalogueLoaderRepository, StoredArticle } from './repository.ts';

/** The result of a load, by slugs; `loaded` are new or changed. */
export interface LoadResult {
  loaded: string[];
  unchanged: string[];
  failed: { slug: string; reason: string }[];
}

/** Receives how many of how many articles are done. */
type OnProgress = (done: number, total: number) => void;

interface CatalogueLoaderDeps {
  articles: CatalogueLoaderRepository;
  notifications: Pick<NotificationRepository, 'save'>;
  store: MediaStore;
  log: Log;
  clock: () => Date;
}

const welcomeNotification = {
  titleEn: 'Welcome to Escucho',
  bodyEn:
    'Choose something on Discover and press play. Stop whenever you like: every device of yours knows where you were.',
  titleEs: 'Te damos la bienvenida a Escucho',
  bodyEs:
    'Elige algo en Descubrir y toca reproducir. Detente cuando quieras: todos tus dispositivos saben dónde te quedaste.',
};

/** Playlists that an administrator adds are sorted after those of the library. */
const FIRST_CUSTOM_SORT_ORDER = 1000;

const toArticleId = (slug: string): string => createStableId('article', slug);

/** Creates the service that loads a library of finished articles. A second load writes only what has changed. */
export function createCatalogueLoader({ articles, notifications, store, log, clock }: CatalogueLoaderDeps) {
  const { upsertArticle, isComplete } = createArticleWriter({ articles, store });

  /** Returns stored articles of which all files are stored, by id. */
  async function findComplete(ids: readonly string[]): Promise<Map<string, StoredArticle>> {
    const stored = await articles.findStored('id', ids);
    const complete = await Promise.all(stored.map(isComplete));
    return new Map(stored.filter((_, index) => complete[index]).map((article) => [article.id, article]));
  }

  async function loadArticles(library: string, onProgress: OnProgress | undefined): Promise<LoadResult> {
    const withdrawn = await articles.findWithdrawn();
    const folders = (await listArticleFolders(library))
      .map((folder) => ({ ...folder, id: toArticleId(folder.name) }))
      .filter(({ id }) => !withdrawn.ids.has(id));
    const completeById = await findComplete(folders.map(({ id }) => id));
    const result: LoadResult = { loaded: [], unchanged: [], failed: [] };
    for (const [index, { id, name, stamp }] of folders.entries()) {
      const complete = completeById.get(id);
      try {
        const outcome =
          complete?.stamp === stamp
            ? 'unchanged'
            : await upsertArticle({ id, ...(await readArticleFolder(library, name)), stamp }, complete);
        if (outcome !== 'withdrawn') result[outcome === 'changed' ? 'loaded' : 'unchanged'].push(name);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        result.failed.push({ slug: name, reason: error.message });
        log.warn({ article: name, reason: error.message }, 'article skipped');
      }
      onProgress?.(index + 1, folders.length);
    }
    return result;
  }

  /** Returns the ids of a playlist's articles that exist, each once. Logs the others, except for withdrawn ones. */
  function findPlaylistArticles(
    { key, articles }: PlaylistDefinition,
    existing: ReadonlySet<string>,
    withdrawn: ReadonlySet<string>,
  ): string[] {
    const slugById = new Map(articles.map((slug) => [toArticleId(slug), slug]));
    const missing = [...slugById]
      .filter(([id]) => !existing.has(id) && !withdrawn.has(id))
      .map(([, slug]) => slug);
    if (missing.length > 0) log.warn({ playlist: key, missing }, 'playlist names unknown articles');
    return [...slugById.keys()].filter((id) => existing.has(id));
  }

  /** Returns how many playlists were new or changed. */
  async function loadPlaylists(path: string, firstSortOrder: number): Promise<number> {
    const definitions = await readPlaylistFile(path);
    const hashes = await articles.findPlaylistHashes(
      definitions.map(({ key }) => createStableId('playlist', key)),
    );
    const existing = await articles.findExistingIds(
      definitions.flatMap((definition) => definition.articles.map(toArticleId)),
    );
    const withdrawn = await articles.findWithdrawn();
    let changed = 0;
    for (const [index, definition] of definitions.entries()) {
      const id = createStableId('playlist', definition.key);
      const sortOrder = firstSortOrder + index;
      const tracks = findPlaylistArticles(definition, existing, withdrawn.ids);
      const hash = hashJson([definition, tracks, sortOrder]);
      if (hashes.get(id) === hash) continue;
      const all = [...new Set(definition.articles.map(toArticleId))];
      await articles.savePlaylist(id, definition, { articles: all, sortOrder, hash, now: clock() });
      changed += 1;
    }
    return changed;
  }

  return {
    /**
     * Loads articles and playlists. Logs and skips those that are invalid.
     *
     * @param directory - the folder that holds `library/` and `playlists.json`
     */
    async load(directory: string, onProgress?: OnProgress): Promise<LoadResult> {
      const result = await loadArticles(join(directory, 'library'), onProgress);
      await loadPlaylists(join(directory, 'playlists.json'), 0).catch((error: unknown) => {
        if (!(error instanceof ContentError)) throw error;
        result.failed.push({ slug: 'playlists.json', reason: error.message });
        log.warn({ reason: error.message }, 'playlists.json skipped');
      });
      await notifications.save(createStableId('notification', 'welcome'), welcomeNotification, clock());
      return result;
    },

    /**
     * Loads system playlists from a file like `playlists.json`; new ones are sorted after those of the library.
     *
     * @returns how many playlists were new or changed
     * @throws ContentError when the file is invalid.
     */
    loadPlaylists: (path: string): Promise<number> => loadPlaylists(path, FIRST_CUSTOM_SORT_ORDER),
  };
}
