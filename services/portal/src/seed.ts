import { randomUUID } from 'node:crypto';
import type { Connection, Log } from '@escucho/database';
import { createAccountRepository } from './accounts/repository.ts';
import type { Profile } from './accounts/tokens.ts';
import { type Database, openPortalDatabase } from './database.ts';
import { libraryRepository } from './library/repository.ts';
import { idOf, type Loaded, libraryService } from './library/service.ts';
import type { MediaStore } from './media/store.ts';
import { type NotificationText, parseNotificationText } from './notifications/service.ts';
import { createSubscriptionRepository } from './subscriptions/repository.ts';

async function withDatabase<Result>(
  connection: Connection,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openPortalDatabase(connection, { name: 'portal seed', maxConnections: 1 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

interface LibraryOptions {
  connection: Connection;
  mediaStore: MediaStore;
  /** Holds `library/<slug>/article.json` with its files, and `playlists.json`. */
  directory: string;
  log: Log;
  clock?: () => Date;
}

/** Loads finished pieces into a migrated database; see `libraryService`. A second run changes nothing. */
export const loadLibrary = (options: LibraryOptions): Promise<Loaded> => {
  const { connection, mediaStore: store, directory, log, clock = () => new Date() } = options;
  return withDatabase(connection, (db) =>
    libraryService({ library: libraryRepository(db), store, log, clock }).load(directory),
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
 * Publishes a notification to all users and returns its id.
 *
 * @throws NotificationTextError
 */
export const publishNotification = (options: PublishOptions): Promise<string> => {
  const { connection, text, key, clock = () => new Date() } = options;
  return withDatabase(connection, async (db) => {
    const { titleEn, bodyEn, titleEs, bodyEs } = parseNotificationText(text);
    const id = key === undefined ? randomUUID() : idOf('notification', key);
    await libraryRepository(db).saveNotification(
      id,
      { en: [titleEn, bodyEn], es: [titleEs, bodyEs] },
      clock(),
    );
    return id;
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
 * Creates a user before the first sign-in, optionally with a promotional subscription without an end, and returns the id.
 * An existing user keeps the profile.
 */
export const seedUser = (options: SeedUserOptions): Promise<string> => {
  const { connection, subject, subscribed, email, firstName, lastName, clock = () => new Date() } = options;
  return withDatabase(connection, async (db) => {
    const accounts = createAccountRepository(db);
    if (!(await accounts.find(subject))) {
      await accounts.create(subject, clock());
      await accounts.updateProfile(subject, { email, firstName, lastName }, clock());
    }
    const account = await accounts.find(subject);
    if (!account) throw new Error('The user was deleted while being created');
    if (subscribed) await createSubscriptionRepository(db).grantPromotional(account.id, clock());
    return account.id;
  });
};
