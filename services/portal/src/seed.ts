import { randomUUID } from 'node:crypto';
import type { Connection, Log } from '@escucho/database';
import type { Kysely } from 'kysely';
import { createAccountRepository } from './accounts/repository.ts';
import type { Profile } from './accounts/tokens.ts';
import { createStableId } from './catalogue-loader/article-writer.ts';
import { createCatalogueLoaderRepository } from './catalogue-loader/repository.ts';
import { createCatalogueLoader, type LoadResult } from './catalogue-loader/service.ts';
import { openPortalDatabase, type Tables } from './database.ts';
import type { MediaStore } from './media/media-store.ts';
import { createNotificationRepository } from './notifications/repository.ts';
import { type NotificationText, parseNotificationText } from './notifications/service.ts';
import { createSubscriptionRepository } from './subscriptions/repository.ts';

const seedConnection = { name: 'portal seed', maxConnections: 1 };

interface LibraryOptions {
  connection: Connection;
  mediaStore: MediaStore;
  /** Holds `library/<slug>/article.json` with its files, and `playlists.json`. */
  directory: string;
  log: Log;
  clock?: () => Date;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Loads finished articles into a migrated database; see `createCatalogueLoader`. A second run writes only what has changed.
 *
 * It takes no lock of imports, which may run for hours while servers start: it writes articles of its own ids and deletes no
 * media.
 */
export async function loadLibrary({
  connection,
  mediaStore: store,
  directory,
  log,
  clock = () => new Date(),
  onProgress,
}: LibraryOptions): Promise<LoadResult> {
  await using db = openPortalDatabase(connection, seedConnection);
  const articles = createCatalogueLoaderRepository(db);
  const notifications = createNotificationRepository(db);
  return await createCatalogueLoader({ articles, notifications, store, log, clock }).load(
    directory,
    onProgress,
  );
}

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
 * @throws Error when the text is invalid; its message is for the author.
 */
export async function publishNotification({
  connection,
  text,
  key,
  clock = () => new Date(),
}: PublishOptions): Promise<{ id: string; isNew: boolean }> {
  await using db = openPortalDatabase(connection, seedConnection);
  const id = key === undefined ? randomUUID() : createStableId('notification', key);
  const isNew = await createNotificationRepository(db).save(id, parseNotificationText(text), clock());
  return { id, isNew };
}

interface SeedUserOptions extends Profile {
  /** The identity provider's `sub`. */
  subject: string;
  subscribed: boolean;
  clock?: () => Date;
}

/**
 * Creates a user before the first sign-in, optionally with a promotional subscription without an end, which counts in
 * the sandbox only. An existing user keeps the profile. The user is not asked what to learn.
 *
 * @returns the user's id
 */
export async function findOrCreateUser(db: Kysely<Tables>, options: SeedUserOptions): Promise<string> {
  const { subject, subscribed, email, firstName, lastName, clock = () => new Date() } = options;
  const now = clock();
  const accounts = createAccountRepository(db);
  await accounts.create(subject, now, {
    email,
    first_name: firstName,
    last_name: lastName,
    onboarded_at: now,
  });
  const account = await accounts.find(subject);
  if (!account) throw new Error('The user was deleted while being created');
  if (subscribed) await createSubscriptionRepository(db).grantPromotional(account.id, now);
  return account.id;
}

/** Finds or creates a user over a connection of its own; see `findOrCreateUser`. */
export async function seedUser(options: SeedUserOptions & { connection: Connection }): Promise<string> {
  await using db = openPortalDatabase(options.connection, seedConnection);
  return await findOrCreateUser(db, options);
}
