/** Administration of the catalogue for the command line. The running server does not use it. */
import { truncateText } from '@escucho/contracts';
import type { Connection, Log } from '@escucho/database';
import { createMediaCleaner, type MediaCleaner } from './catalogue-admin/media-cleaner.ts';
import { createMediaRepository } from './catalogue-admin/media-repository.ts';
import { createCatalogueAdminRepository } from './catalogue-admin/repository.ts';
import { type CatalogueAdmin, createCatalogueAdmin } from './catalogue-admin/service.ts';
import { createCatalogueLoaderRepository } from './catalogue-loader/repository.ts';
import { createCatalogueLoader } from './catalogue-loader/service.ts';
import { openPortalDatabase } from './database.ts';
import type { MediaStore } from './media/media-store.ts';
import { createNotificationRepository } from './notifications/repository.ts';
import type { NotificationText } from './notifications/service.ts';

export type { MediaCleaner } from './catalogue-admin/media-cleaner.ts';
export { type CatalogueAdmin, CatalogueAdminError } from './catalogue-admin/service.ts';
export type { ImportResult } from './import/importer.ts';
export type { Metadata } from './import/metadata.ts';
export { importContent, isFeedAddress } from './import/service.ts';
export { MIN_UNUSED_DAYS } from './media/policy.ts';
export { NotificationTextError, parseNotificationText } from './notifications/service.ts';

interface Options {
  connection: Connection;
  mediaStore: MediaStore;
  /** Receives a warning when a playlist names unknown articles. */
  log: Log;
  clock?: () => Date;
}

/** Runs `work` with the catalogue's administration. */
export async function withCatalogueAdmin<Result>(
  { connection, mediaStore: store, log, clock = () => new Date() }: Options,
  work: (
    admin: CatalogueAdmin & MediaCleaner & { loadPlaylists(path: string): Promise<number> },
  ) => Promise<Result>,
): Promise<Result> {
  await using db = openPortalDatabase(connection, { name: 'portal catalogue admin', maxConnections: 1 });
  const notifications = createNotificationRepository(db);
  const articles = createCatalogueLoaderRepository(db);
  const catalogue = createCatalogueAdminRepository(db);
  const media = createMediaRepository(db);
  const { loadPlaylists } = createCatalogueLoader({ articles, notifications, store, log, clock });
  return await work({
    ...createCatalogueAdmin({ catalogue, notifications, store, clock }),
    ...createMediaCleaner({ media, store, clock }),
    loadPlaylists,
  });
}

const MAX_NAMED_ARTICLES = 3;
const MAX_BODY_LENGTH = 490;

const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${truncateText(text, max - 1)}…`;

/** Returns a notification about new articles in both languages. `titles` holds at least one. */
export function describeNewArticles(titles: readonly string[]): { [Name in keyof NotificationText]: string } {
  const [first = ''] = titles;
  if (titles.length === 1) {
    const body = truncate(first, MAX_BODY_LENGTH);
    return { titleEn: 'There is something new', bodyEn: body, titleEs: 'Hay algo nuevo', bodyEs: body };
  }
  const named = truncate(titles.slice(0, MAX_NAMED_ARTICLES).join(' · '), MAX_BODY_LENGTH);
  const body = titles.length > MAX_NAMED_ARTICLES ? `${named} …` : named;
  return {
    titleEn: `${titles.length} new articles to listen to`,
    bodyEn: body,
    titleEs: `${titles.length} novedades para escuchar`,
    bodyEs: body,
  };
}
