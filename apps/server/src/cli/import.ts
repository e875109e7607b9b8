import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Connection } from '@escucho/database';
import { type MediaStore, openMediaStore, publishNotification } from '@escucho/portal';
import { type Hints, type Imported, importContent, newsOf, withCurating } from '@escucho/portal/content';
import { migrateAll } from '../storage.ts';
import type { Command } from './command.ts';
import { log } from './log.ts';
import { progressBar } from './progress.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const said = { language: text, level: text, topic: text, narrator: text, kind: text };
const options = { ...said, playlist: text, quiet: flag, 'allow-private': flag };

/** A name or reason that may come from anywhere: nothing in it moves the cursor or rings the bell. */
const printable = (line: string): string => line.replace(/\p{Cc}+/gu, ' ');

/** What an import came to, in a sentence. */
function summaryOf({ added, changed, unchanged, withdrawn, same, failed }: Imported): string {
  if ([added, changed, same, failed].every(({ length }) => length === 0) && unchanged + withdrawn === 0)
    return 'There is nothing to import';
  return [
    `${added.length} new, ${changed.length} changed, ${unchanged} unchanged, ${failed.length} left out`,
    ...(same.length > 0 ? [`${same.length} are the same recording as another`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} were taken out of the catalogue before`] : []),
  ].join('; ');
}

/** Shows what is new to readers. */
async function announce(
  options: { connection: Connection; mediaStore: MediaStore },
  { added }: Imported,
  { playlist, quiet }: { playlist: string | undefined; quiet: boolean },
): Promise<void> {
  if (added.length === 0) return;
  if (playlist !== undefined) {
    const names = added.map(({ slug }) => slug);
    await withCurating({ ...options, log }, (curating) => curating.place(playlist, names));
  }
  if (!quiet) {
    const words = newsOf(added.map(({ title }) => title));
    await publishNotification({ connection: options.connection, text: words });
  }
}

/** `content import`: takes in a folder or a feed, and says what became of it. Exit code 1 where anything was left out. */
export const importCommand: Command = async ({ args, settings, storage }) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [place] = positionals;
  if (place === undefined || positionals.length > 1)
    throw new Error('Import what? npm run content -- import PATH|FEED');
  const { playlist, quiet, 'allow-private': allowPrivate, ...hints } = values;
  await migrateAll(storage.connection);
  const bar = progressBar();
  const { connection } = storage;
  const mediaStore = await openMediaStore(settings.mediaPlace);
  if (playlist !== undefined)
    await withCurating({ connection, mediaStore, log }, (curating) => curating.expectPlaylist(playlist));
  const imported = await importContent({
    ...{ connection, mediaStore },
    workshop: join(settings.dataDir, 'importing'),
    place,
    hints: { ...hints } satisfies Hints,
    ...(allowPrivate && { web: { allows: () => true } }),
    onProgress: bar.update,
    onFault: (name, reason) => bar.say(printable(`${name}: ${reason}`)),
  });
  for (const { name, as } of imported.same) bar.say(printable(`${name}: is the same recording as ${as}`));
  bar.clear();
  await announce({ connection, mediaStore }, imported, { playlist, quiet });
  if (imported.failed.length > 0) process.exitCode = 1;
  const advice = imported.canEncode
    ? ''
    : ' There is no ffmpeg here: loudness was not measured, and only MP3 of a constant bit rate was let in.';
  return `${summaryOf(imported)}.${advice}`;
};
