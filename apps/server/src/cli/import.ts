import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Connection } from '@escucho/database';
import { type MediaStore, publishNotification } from '@escucho/portal';
import {
  describeNewArticles,
  type ImportResult,
  importContent,
  isFeedAddress,
  type Metadata,
  withCatalogueAdmin,
} from '@escucho/portal/content';
import { openCatalogueStore } from './catalogue.ts';
import { type Command, commandLog as log, resolvePath, toPrintable } from './command.ts';
import { createProgressBar } from './progress.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  language: text,
  level: text,
  topic: text,
  narrator: text,
  kind: text,
  playlist: text,
  quiet: flag,
  'allow-private': flag,
};

function summarizeImport({ added, changed, unchanged, withdrawn, duplicates, failed }: ImportResult): string {
  if ([added, changed, duplicates, failed].every(({ length }) => length === 0) && unchanged + withdrawn === 0)
    return 'There is nothing to import';
  return [
    `${added.length} new, ${changed.length} changed, ${unchanged} unchanged, ${failed.length} left out`,
    ...(duplicates.length > 0 ? [`${duplicates.length} are the same recording as another`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} were unpublished or removed before`] : []),
  ].join('; ');
}

/** Adds new articles to a playlist and notifies users. */
async function announceArticles(
  options: { connection: Connection; mediaStore: MediaStore },
  articles: ImportResult['added'],
  { playlist, quiet }: { playlist: string | undefined; quiet: boolean },
): Promise<void> {
  if (playlist !== undefined) {
    const names = articles.map(({ slug }) => slug);
    await withCatalogueAdmin({ ...options, log }, (admin) => admin.prependToPlaylist(playlist, names));
  }
  if (!quiet) {
    const text = describeNewArticles(articles.map(({ title }) => title));
    await publishNotification({ connection: options.connection, text });
  }
}

/** `content import`: imports a folder or a feed. Exit code 1 when anything failed. */
export const importCommand: Command = async (context) => {
  const { args, settings, storage } = context;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [source] = positionals;
  if (source === undefined || positionals.length > 1)
    throw new Error('Import what? npm run content -- import PATH|FEED');
  const { playlist, quiet, 'allow-private': allowPrivate, ...metadata } = values;
  const { connection } = storage;
  const mediaStore = await openCatalogueStore(context);
  const bar = createProgressBar();
  if (playlist !== undefined)
    await withCatalogueAdmin({ connection, mediaStore, log }, (admin) => admin.checkPlaylistExists(playlist));
  const result = await importContent({
    connection,
    mediaStore,
    scratchFolder: join(settings.dataDir, 'importing'),
    source: isFeedAddress(source) ? source : resolvePath(source),
    metadata: { ...metadata } satisfies Metadata,
    ...(allowPrivate && { addressPolicy: { isAllowed: () => true } }),
    announce: (articles) => announceArticles({ connection, mediaStore }, articles, { playlist, quiet }),
    onProgress: bar.update,
    onError: (name, reason) => bar.print(toPrintable(`${name}: ${reason}`)),
  });
  for (const { name, as } of result.duplicates)
    bar.print(toPrintable(`${name}: is the same recording as ${as}`));
  bar.clear();
  const advice = result.canEncode
    ? ''
    : ' ffmpeg is not installed: loudness was not measured, and only MP3 files of a constant bit rate were imported.';
  return { text: `${summarizeImport(result)}.${advice}`, failed: result.failed.length > 0 };
};
