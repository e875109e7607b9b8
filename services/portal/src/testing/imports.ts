import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, silentLog as log } from '@escucho/database/testing';
import { type CatalogueAdmin, importContent, withCatalogueAdmin } from '../content.ts';
import type { Metadata } from '../import/metadata.ts';
import { startPortal } from './portal.ts';

/** A path at which there is no ffmpeg. Measuring and encoding is what makes an import slow. */
export const missingFfmpeg = '/nowhere/ffmpeg';

/** Metadata for recordings that have none of their own. */
export const testMetadata: Metadata = { language: 'en', level: 'B1', topic: 'travel', narrator: 'Bo' };

interface ImportTestOptions extends Partial<Omit<Parameters<typeof importContent>[0], 'connection'>> {}

/** Starts a portal with a folder for recordings, and returns functions to import into it and to look at the result. */
export async function startImportTest() {
  const portal = await startPortal();
  const { db, connection, store, paths } = portal;
  const root = await createFolder();
  const folder = join(root, 'recordings');
  const scratchFolder = join(root, 'scratch');
  await mkdir(folder);

  return {
    ...portal,
    root,
    folder,
    scratchFolder,

    /** Imports the folder, without ffmpeg unless another program is given. */
    runImport: (options: ImportTestOptions = {}) =>
      importContent({
        connection,
        mediaStore: store,
        source: folder,
        metadata: testMetadata,
        scratchFolder,
        ffmpeg: missingFfmpeg,
        ...options,
      }),

    administer: <Result>(work: (admin: CatalogueAdmin) => Promise<Result>) =>
      withCatalogueAdmin({ connection, mediaStore: store, log }, work),

    /** Deletes imported articles, what is known of failed ones, and all recordings. */
    async reset(): Promise<void> {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      await db.deleteFrom('article').where('source', 'is not', null).execute();
      await db.deleteFrom('failed_recording').execute();
    },

    async findTitles(): Promise<string[]> {
      const rows = await db
        .selectFrom('article')
        .select('title')
        .where('source', 'is not', null)
        .orderBy('title')
        .execute();
      return rows.map(({ title }) => title);
    },

    listStoredFiles: async (): Promise<string[]> =>
      (await readdir(join(paths.directory, 'media'), { recursive: true })).sort(),
  };
}
