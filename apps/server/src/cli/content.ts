import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getErrorMessage } from '@escucho/database';
import { loadLibrary, moveMedia, openMediaStore, publishNotification } from '@escucho/portal';
import {
  describeNewArticles,
  type ImportResult,
  importContent,
  isFeedAddress,
  type Metadata,
  parseNotificationText,
  withCatalogueAdmin,
} from '@escucho/portal/content';
import * as z from 'zod/mini';
import { getWorkspaceDirectory, migrateAll } from '../storage.ts';
import { catalogueCommands, openCatalogueStores } from './catalogue.ts';
import {
  type Command,
  type CommandLine,
  type Commands,
  getArgument,
  isEntryPoint,
  readSourceLocation,
  readStoreArgument,
  resolvePath,
  runCommand,
  toPrintable,
} from './command.ts';
import { createProgressBar } from './progress.ts';

const fileSchema = z.array(
  z.object({
    key: z.string().check(z.minLength(1), z.maxLength(100)),
    titleEn: z.string(),
    bodyEn: z.string(),
    titleEs: z.string(),
    bodyEs: z.string(),
  }),
);

const text = { type: 'string' } as const;
const notifyOptions = { 'title-en': text, 'body-en': text, 'title-es': text, 'body-es': text };

/**
 * Reads the notifications of a file.
 *
 * @throws Error that names the invalid entry and field
 */
async function readNotifications(file: string) {
  const content = await readFile(resolvePath(file), 'utf8').catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  const result = fileSchema.safeParse(data);
  if (!result.success) {
    const fields = new Set(result.error.issues.map(({ path }) => path.join('.') || 'the list'));
    throw new Error(
      `${file} is not a JSON list of {key, titleEn, bodyEn, titleEs, bodyEs}. Look at: ${[...fields].join(', ')}.`,
    );
  }
  return result.data.map(({ key, ...text }) => {
    try {
      return { key, text: parseNotificationText(text) };
    } catch (error) {
      throw new Error(`${file}, ${key}: ${getErrorMessage(error)}`);
    }
  });
}

/** `content notify`: sends every user the notification of the options, or those of a file. */
const notifyCommand: Command = async ({ args, storage: { connection } }) => {
  const { values, positionals } = parseArgs({ args, options: notifyOptions, allowPositionals: true });
  const file = getArgument(positionals);
  await migrateAll(connection);
  if (file !== undefined) {
    if (Object.keys(values).length > 0) throw new Error('Name a file or the texts, not both.');
    const notifications = await readNotifications(file);
    let sent = 0;
    for (const { key, text } of notifications)
      if ((await publishNotification({ connection, key, text })).isNew) sent += 1;
    return `${sent} sent to every user, ${notifications.length - sent} sent before.`;
  }
  const { 'title-en': titleEn, 'body-en': bodyEn, 'title-es': titleEs, 'body-es': bodyEs } = values;
  const { id } = await publishNotification({ connection, text: { titleEn, bodyEn, titleEs, bodyEs } });
  return `Notified every user (${id}).`;
};

const flag = { type: 'boolean', default: false } as const;
const importOptions = {
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
  stores: Awaited<ReturnType<typeof openCatalogueStores>>,
  articles: ImportResult['added'],
  { playlist, quiet }: { playlist: string | undefined; quiet: boolean },
): Promise<void> {
  if (playlist !== undefined) {
    const names = articles.map(({ slug }) => slug);
    await withCatalogueAdmin(stores, (admin) => admin.prependToPlaylist(playlist, names));
  }
  if (!quiet) {
    const text = describeNewArticles(articles.map(({ title }) => title));
    await publishNotification({ connection: stores.connection, text });
  }
}

/** `content import`: imports a folder or a feed. Exit code 1 when anything failed. */
const importCommand: Command = async (context) => {
  const { args, settings } = context;
  const { values, positionals } = parseArgs({ args, options: importOptions, allowPositionals: true });
  const [source] = positionals;
  // An empty argument, as of an unset variable of a shell, would be the current directory.
  if (!source || positionals.length > 1) throw new Error('Import what? npm run content -- import PATH|FEED');
  const { playlist, quiet, 'allow-private': allowPrivate, ...metadata } = values;
  const stores = await openCatalogueStores(context);
  const bar = createProgressBar();
  if (playlist !== undefined)
    await withCatalogueAdmin(stores, (admin) => admin.checkPlaylistExists(playlist));
  const result = await importContent({
    ...stores,
    scratchFolder: join(settings.dataDir, 'importing'),
    source: isFeedAddress(source) ? source : resolvePath(source),
    metadata: { ...metadata } satisfies Metadata,
    ...(allowPrivate && { addressPolicy: { isAllowed: () => true } }),
    announce: (articles) => announceArticles(stores, articles, { playlist, quiet }),
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

const contentHelp = `npm run content -- COMMAND

  import PATH|FEED     import a folder of recordings, or a podcast feed by its URL or file; a repeated import adds
                       only what changed. docs/operations.md describes the files of a folder
    --language en|es --level A1…C2 --topic WORD --narrator NAME --kind article|audiobook
                       metadata of all articles that do not state it themselves
    --playlist NAME    add new articles at the head of a system playlist
    --quiet            do not notify users
    --allow-private    allow the feed to refer to addresses of this machine and its network

  list [TEXT]          list published and unpublished articles whose name or title contains TEXT
  edit NAME --title … --summary … --level … --kind … --topic … --narrator … --published YYYY-MM-DD
                       change an article's metadata; later loads and imports keep the change
  unpublish NAME…      remove articles from lists, searches and playlists without deleting them
  publish NAME… [--quiet]
                       publish unpublished articles again with their positions, and notify users; allow removed
                       ones to be imported again
  remove NAME…         delete articles permanently; --yes confirms it in scripts; clean deletes their media
  clean [--delete]     list the media that no article uses, such as those of removed articles and replaced recordings,
                       or delete those that were first listed at least 10 days ago (BACKUP_KEEP_DAYS where that is longer)
  playlists [FILE]     list the system playlists, or create them from a file like content/playlists.json
  place PLAYLIST NAME… add articles at the head of a system playlist
  hide PLAYLIST…, show PLAYLIST…
                       remove a system playlist from Discover, or show it again
                       PLAYLIST is its name in quotes, or its key in the file

  load [DIRECTORY]     load new and changed articles of DIRECTORY/library, and the playlists of DIRECTORY/playlists.json;
                       without it those that come with the product

  notify --title-en TEXT --body-en TEXT --title-es TEXT --body-es TEXT
                       send a notification to every user
  notify FILE          send the notifications of a JSON list of {key, titleEn, bodyEn, titleEs, bodyEs}, each key once

  notifications        list the newest notifications with their ids
  take-back ID…        delete notifications from every user's list permanently

  move-media --from STORE --to STORE
                       copy every file and verify its checksum; a repeated run copies only what is missing.
                       STORE is file:PATH or s3://BUCKET/PREFIX, with the AWS_… settings

content/README.md describes how articles are written, narrated and illustrated.`;

const contentCommands: Commands = {
  async load(context) {
    const directory = resolvePath(getArgument(context.args) ?? getWorkspaceDirectory('@escucho/content'));
    if (!existsSync(join(directory, 'library'))) throw new Error(`${directory} has no folder library.`);
    const stores = await openCatalogueStores(context);
    const bar = createProgressBar();
    const warn = (details: object, message: string) => {
      bar.clear();
      stores.log.warn(details, message);
    };
    const log = { ...stores.log, warn };
    const library = { ...stores, log, directory, onProgress: bar.update };
    const { loaded, unchanged, failed } = await loadLibrary(library).finally(bar.clear);
    const text = `${loaded.length} loaded, ${unchanged.length} unchanged, ${failed.length} left out.`;
    return { text, failed: failed.length > 0 };
  },
  import: importCommand,
  ...catalogueCommands,
  notify: notifyCommand,
  async 'move-media'({ args, env }) {
    const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
    const from = await openMediaStore(readSourceLocation('--from', values.from, env));
    const to = await openMediaStore(readStoreArgument('--to', values.to, env));
    const bar = createProgressBar();
    const { copied, present, failed } = await moveMedia({ from, to, onFile: bar.update });
    for (const { key, reason } of failed) bar.print(`${key}: ${reason}`);
    bar.clear();
    const text = `${copied} copied, ${present} there before, ${failed.length} failed.`;
    return { text, failed: failed.length > 0 };
  },
};

/** `npm run content`. */
export const contentCommandLine: CommandLine = {
  name: 'content',
  commands: contentCommands,
  help: contentHelp,
};

if (isEntryPoint(import.meta.filename)) await runCommand(contentCommandLine);
