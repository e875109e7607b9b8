import { contentKind, level, singleLineText } from '@escucho/contracts';
import * as z from 'zod/mini';
import { createStableId } from '../catalogue-loader/article-writer.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { NotificationRepository } from '../notifications/repository.ts';
import type { CatalogueAdminRepository } from './repository.ts';

const text = (max: number) => singleLineText(max).check(z.normalize('NFC'), z.trim(), z.minLength(1));

const changesSchema = z.partial(
  z.object({
    title: text(300),
    summary: text(2000),
    level,
    kind: contentKind.check(z.refine((value) => value !== 'visual-book')),
    topic: text(60).check(z.toLowerCase()),
    narrator: text(100),
    published: z.iso.date(),
  }),
);
type ArticleChanges = z.infer<typeof changesSchema>;

/** New values as an administrator typed them. */
type ArticleChangesInput = Partial<Record<keyof ArticleChanges, string | undefined>>;

/** A request of an administrator that cannot be fulfilled. The message is shown to them. */
export class CatalogueAdminError extends Error {
  override readonly name = 'CatalogueAdminError';
}

/** Accepted values of the fields that are not free text. */
const acceptedValues: Partial<Record<string, string>> = {
  level: 'A1, A2, B1, B2, C1 or C2',
  kind: 'article or audiobook',
  published: 'YYYY-MM-DD',
};

/**
 * Validates changes to an article.
 *
 * @throws CatalogueAdminError that names every invalid field, or when there are no changes.
 */
function parseChanges(input: ArticleChangesInput): ArticleChanges {
  const normalized = { ...input, level: input.level?.toUpperCase() };
  const present = Object.fromEntries(Object.entries(normalized).filter(([, value]) => value !== undefined));
  if (Object.keys(present).length === 0)
    throw new CatalogueAdminError('Change what? Name at least one of the options.');
  const result = changesSchema.safeParse(present);
  if (result.success) return result.data;
  const names = new Set(result.error.issues.map(({ path }) => path.join('.')));
  const fields = Array.from(names, (name) =>
    acceptedValues[name] ? `${name} (${acceptedValues[name]})` : name,
  );
  throw new CatalogueAdminError(`Not usable: ${fields.join(', ')}. Nothing was changed.`);
}

/** Converts changes to columns of the table `article`. */
const toColumns = ({ published, ...columns }: ArticleChanges) => ({
  ...columns,
  ...(published !== undefined && { published_at: new Date(`${published}T00:00:00Z`) }),
});

interface CatalogueAdminDeps {
  catalogue: CatalogueAdminRepository;
  notifications: Pick<NotificationRepository, 'findPage' | 'retract'>;
  store: MediaStore;
  clock: () => Date;
}

const MAX_LISTED_NOTIFICATIONS = 50;
const CHECKED_RECORDINGS = 20;

/**
 * Creates the service by which administrators change the catalogue. Articles are named by their slug, playlists by their
 * key or name, notifications by their id. Every method throws a `CatalogueAdminError` when it does not exist.
 */
export function createCatalogueAdmin(deps: CatalogueAdminDeps) {
  const { catalogue, notifications, store, clock } = deps;
  const createNotFoundError = (slug: string) =>
    new CatalogueAdminError(`There is no article ${slug} in the catalogue.`);

  async function getArticle(slug: string) {
    const article = await catalogue.findArticle(slug);
    if (article) return article;
    if (await catalogue.findWithdrawn(slug))
      throw new CatalogueAdminError(`${slug} is unpublished or removed. Publish it first.`);
    throw createNotFoundError(slug);
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

  return {
    findArticles: catalogue.findArticles,

    /** Returns whether the media store has none of the recordings that were checked, as that of another catalogue. */
    async lacksMedia(): Promise<boolean> {
      const keys = await catalogue.findSomeAudio(CHECKED_RECORDINGS);
      const files = await Promise.all(keys.map((key) => store.stat(key)));
      return keys.length > 0 && files.every((file) => file === undefined);
    },

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
     * Deletes an article with its text and playlist items. Its listening events remain for the users' statistics, and its media
     * until `cleanMedia` finds them unused for long enough.
     */
    async remove(slug: string) {
      const withdrawn = await catalogue.findWithdrawn(slug);
      const article = withdrawn ?? (await getArticle(slug));
      if (withdrawn) await catalogue.deleteWithdrawnRows(withdrawn.id);
      else await catalogue.withdraw(article.id, { isRestorable: false, now: clock() });
      await catalogue.deleteUnusedNarrators();
      return article;
    },

    /** Returns the newest notifications, newest first. */
    findNotifications: async () =>
      (await notifications.findPage({ page: 1, limit: MAX_LISTED_NOTIFICATIONS })).rows,

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
