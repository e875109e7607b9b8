import { randomUUID } from 'node:crypto';
import type { Connection, Log } from '@escucho/database';
import { createAccountRepository } from './accounts/repository.ts';
import type { Profile } from './accounts/tokens.ts';
import { createStableId } from './catalogue-loader/article-writer.ts';
import { createCatalogueLoaderRepository } from './catalogue-loader/repository.ts';
import { createCatalogueLoader, type LoadResult } from './catalogue-loader/service.ts';
import { withPortalDatabase } from './database.ts';
import type { MediaStore } from './media/media-store.ts';
import { createNotificationRepository } from './notifications/repository.ts';
import { type NotificationText, parseNotificationText } from './notifications/service.ts';
import { createSubscriptionRepository } from './subscriptions/repository.ts';

interface LibraryOptions {
  connection: Connection;
  mediaStore: MediaStore;
  /** Holds `library/<slug>/article.json` with its files, and `playlists.json`. */
  directory: string;
  log: Log;
  clock?: () => Date;
}

/**
 * Loads finished articles into a migrated database; see `createCatalogueLoader`. A second run writes only what has changed.
 *
 * It takes no lock of imports, which may run for hours while servers start: it writes articles of its own ids, deletes no
 * media, and the next load stores a file again that a removal has deleted.
 */
export const loadLibrary = (options: LibraryOptions): Promise<LoadResult> => {
  const { connection, mediaStore: store, directory, log, clock = () => new Date() } = options;
  return withPortalDatabase(connection, 'portal seed', (db) =>
    createCatalogueLoader({
      articles: createCatalogueLoaderRepository(db),
      notifications: createNotificationRepository(db),
      store,
      log,
      clock,
    }).load(directory),
  );
};

interface PublishOptions {
  connection: Connection;
  /** Title and body in both languages. */
  text: NotificationText;
  /** A notification with the key of an existing one is not published again. */
  key?: string;
  clock?: () => Date;
}

/**
 * Publishes a notification to all users.
 *
 * @returns its id, and whether it was published now: one with the key of another is not
 * @throws NotificationTextError
 */
export const publishNotification = (options: PublishOptions): Promise<{ id: string; isNew: boolean }> => {
  const { connection, text, key, clock = () => new Date() } = options;
  return withPortalDatabase(connection, 'portal seed', async (db) => {
    const id = key === undefined ? randomUUID() : createStableId('notification', key);
    const isNew = await createNotificationRepository(db).save(id, parseNotificationText(text), clock());
    return { id, isNew };
  });
};

interface SeedUserOptions extends Profile {
  connection: Connection;
  /** The identity provider's `sub`. */
  subject: string;
  subscribed: boolean;
  clock?: () => Date;
}

/**
 * Creates a user before the first sign-in, optionally with a promotional subscription without an end, which counts in
 * the sandbox only, and returns the id.
 * An existing user keeps the profile. The user is not asked what to learn.
 */
export const seedUser = (options: SeedUserOptions): Promise<string> => {
  const { connection, subject, subscribed, email, firstName, lastName, clock = () => new Date() } = options;
  return withPortalDatabase(connection, 'portal seed', async (db) => {
    const accounts = createAccountRepository(db);
    if (!(await accounts.find(subject))) {
      await accounts.create(subject, clock());
      const now = clock();
      await accounts.updateProfile(subject, { email, firstName, lastName }, { issuedAt: now, now });
      await accounts.markOnboarded(subject, clock());
    }
    const account = await accounts.find(subject);
    if (!account) throw new Error('The user was deleted while being created');
    if (subscribed) await createSubscriptionRepository(db).grantPromotional(account.id, clock());
    return account.id;
  });
};
