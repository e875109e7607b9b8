import type { ImportRepository } from '../import/repository.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { NotificationRepository } from '../notifications/repository.ts';
import { createStableId } from '../stable-id.ts';
import { type ArticleChangesInput, CatalogueAdminError, parseChanges, toColumns } from './policy.ts';
import type { CatalogueAdminRepository } from './repository.ts';

interface CatalogueAdminDeps {
  catalogue: CatalogueAdminRepository;
  imports: Pick<ImportRepository, 'withLock'>;
  notifications: Pick<NotificationRepository, 'findPage' | 'retract'>;
  store: MediaStore;
  clock: () => Date;
}

const MAX_LISTED_NOTIFICATIONS = 50;

/**
 * Creates the service by which administrators change the catalogue. Articles are named by their slug, playlists by their
 * key or name, notifications by their id. Every method throws a `CatalogueAdminError` when it does not exist.
 */
export function createCatalogueAdmin({
  catalogue,
  imports,
  notifications,
  store,
  clock,
}: CatalogueAdminDeps) {
  const createNotFoundError = (slug: string) =>
    new CatalogueAdminError(`There is no article ${slug} in the catalogue.`);

  async function getArticle(slug: string) {
    const article = await catalogue.findArticle(slug);
    if (!article) throw createNotFoundError(slug);
    return article;
  }

  /** Returns the id of a system playlist by its key, or by its name in any case. */
  async function getPlaylistId(keyOrName: string): Promise<string> {
    const name = keyOrName.toLowerCase();
    const playlist = (await catalogue.findPlaylists()).find(
      (candidate) =>
        candidate.id === createStableId('playlist', keyOrName) || candidate.name.toLowerCase() === name,
    );
    if (!playlist) throw new CatalogueAdminError(`There is no system playlist ${keyOrName}.`);
    return playlist.id;
  }

  async function removeUnusedMedia(keys: readonly string[]): Promise<void> {
    const used = await catalogue.findUsedMedia(keys);
    for (const key of new Set(keys)) if (!used.has(key)) await store.remove(key);
  }

  /** Runs `work` while no import runs. */
  const withoutImports = <Result>(work: () => Promise<Result>): Promise<Result> =>
    imports.withLock(
      {
        isShared: true,
        createError: () =>
          new CatalogueAdminError('An import is running. Wait for it, or unpublish the article until then.'),
      },
      work,
    );

  return {
    findArticles: catalogue.findArticles,

    /** Changes an article's metadata. The next loads and imports keep the changed columns. */
    async editArticle(slug: string, input: ArticleChangesInput) {
      const changes = parseChanges(input);
      const article = await getArticle(slug);
      const isEdited = await catalogue.editArticle(article.id, toColumns(changes));
      if (!isEdited) throw createNotFoundError(slug);
      return article;
    },

    /** Hides an article from lists, searches and playlists until it is published again. */
    async unpublish(slug: string) {
      const article = await getArticle(slug);
      await catalogue.withdraw(article.id, { isRestorable: true, now: clock() });
      return article;
    },

    /**
     * Publishes an unpublished article again, with its playlist items and the users' progress.
     *
     * @returns the article; `isPublished` is false for a removed one, which the next load or import may add again
     */
    async publish(slug: string) {
      const withdrawn = await catalogue.findWithdrawn(slug);
      if (!withdrawn) throw new CatalogueAdminError(`${slug} was not taken out of the catalogue.`);
      return { ...withdrawn, isPublished: await catalogue.restore(withdrawn.id) };
    },

    /**
     * Deletes an article with its text, media and playlist items. Its listening events remain for the users' statistics.
     * Not during an import, whose next article may have the same cover.
     */
    remove: (slug: string) =>
      withoutImports(async () => {
        const withdrawn = await catalogue.findWithdrawn(slug);
        const article = withdrawn ?? (await getArticle(slug));
        const keys = withdrawn
          ? await catalogue.deleteWithdrawnRows(withdrawn.id)
          : await catalogue.withdraw(article.id, { isRestorable: false, now: clock() });
        await removeUnusedMedia(keys);
        await catalogue.deleteUnusedNarrators();
        return article;
      }),

    /** Returns the newest notifications, newest first. */
    findNotifications: async () =>
      (await notifications.findPage({ limit: MAX_LISTED_NOTIFICATIONS, offset: 0 })).rows,

    /** Retracts a notification from all users' lists and returns its title. */
    async retractNotification(id: string): Promise<string> {
      const notification = await notifications.retract(id, clock());
      if (!notification) throw new CatalogueAdminError(`There is no notification ${id}.`);
      return notification.title;
    },

    findPlaylists: catalogue.findPlaylists,

    async checkPlaylistExists(keyOrName: string): Promise<void> {
      await getPlaylistId(keyOrName);
    },

    /** Shows a system playlist on Discover, or hides it. */
    async setPlaylistActive(keyOrName: string, isActive: boolean): Promise<void> {
      await catalogue.setPlaylistActive(await getPlaylistId(keyOrName), isActive);
    },

    /** Moves articles to the beginning of a system playlist, in order, adding those that are not in it. */
    async prependToPlaylist(keyOrName: string, slugs: readonly string[]): Promise<void> {
      const playlistId = await getPlaylistId(keyOrName);
      const articleIds = new Set<string>();
      for (const slug of slugs) articleIds.add((await getArticle(slug)).id);
      await catalogue.prependToPlaylist(playlistId, [...articleIds], clock());
    },
  };
}

export type CatalogueAdmin = ReturnType<typeof createCatalogueAdmin>;
