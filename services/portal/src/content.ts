/** What the command line does to the catalogue, beside loading finished pieces. Not part of the running product. */
import type { Connection, Log } from '@escucho/database';
import { curatingRepository } from './curating/repository.ts';
import { type CuratingService, curatingService } from './curating/service.ts';
import { openPortalDatabase } from './database.ts';
import { libraryRepository } from './library/repository.ts';
import { libraryService } from './library/service.ts';
import type { MediaStore } from './media/store.ts';
import { createNotificationRepository } from './notifications/repository.ts';

export { CuratingFault } from './curating/policy.ts';
export type { CuratingService } from './curating/service.ts';
export type { Hints } from './import/facts.ts';
export { importContent } from './import/import.ts';
export type { Imported } from './import/service.ts';
export { newsOf } from './library/news.ts';
export { NotificationTextError, parseNotificationText } from './notifications/service.ts';

interface Options {
  connection: Connection;
  mediaStore: MediaStore;
  /** Hears of pieces that a playlist names and that are not there. */
  log: Log;
  clock?: () => Date;
}

/** An editor's hands on a migrated database: what `curatingService` does, and playlists from a file. */
export async function withCurating<Result>(
  { connection, mediaStore: store, log, clock = () => new Date() }: Options,
  work: (curating: CuratingService & { loadPlaylists(path: string): Promise<number> }) => Promise<Result>,
): Promise<Result> {
  const db = openPortalDatabase(connection, { name: 'portal curating', maxConnections: 1 });
  const { loadPlaylists } = libraryService({ library: libraryRepository(db), store, log, clock });
  try {
    return await work({
      ...curatingService({
        ...{ curating: curatingRepository(db), notifications: createNotificationRepository(db) },
        ...{ store, clock },
      }),
      loadPlaylists,
    });
  } finally {
    await db.destroy();
  }
}
