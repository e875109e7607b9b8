import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openMediaStore, publishNotification } from '@escucho/portal';
import {
  type CatalogueAdmin,
  CatalogueAdminError,
  ContentError,
  describeNewArticles,
  MIN_UNUSED_DAYS,
  withCatalogueAdmin,
} from '@escucho/portal/content';
import { migrateAll } from '../storage.ts';
import {
  assertNoArguments,
  type Command,
  type CommandContext,
  type Commands,
  confirmDeletion,
  confirmOption,
  getArgument,
  commandLog as log,
  resolvePath,
} from './command.ts';
import { createProgressBar } from './progress.ts';

const text = { type: 'string' } as const;
const editOptions = {
  title: text,
  summary: text,
  level: text,
  kind: text,
  topic: text,
  narrator: text,
  published: text,
};

/** Migrates the database and opens the media store. */
async function openStores({ storage: { connection }, settings }: CommandContext) {
  await migrateAll(connection);
  return { connection, mediaStore: await openMediaStore(settings.mediaLocation), log };
}

/**
 * Opens the database and the media store for a command that adds to both. Prints a warning where the media store has no media
 * of the catalogue, because the command may lack the MEDIA_STORE of the product. It is no error: a load repairs a store that
 * was lost.
 */
export async function openCatalogueStores(context: CommandContext) {
  const stores = await openStores(context);
  if (await withCatalogueAdmin(stores, (admin) => admin.lacksMedia())) {
    const { mediaLocation: location } = context.settings;
    const name =
      'directory' in location ? `file:${location.directory}` : `s3://${location.bucket}/${location.prefix}`;
    process.stderr.write(
      `Warning: ${name} has no recordings of this catalogue. Check that MEDIA_STORE is that of the product.\n`,
    );
  }
  return stores;
}

/** Creates a command that works on the catalogue. */
const withCatalogue =
  (run: (admin: CatalogueAdmin, context: CommandContext) => Promise<string>): Command =>
  async (context) =>
    withCatalogueAdmin(await openStores(context), (admin) => run(admin, context));

/**
 * Applies an operation to every name; stops at the first error and reports what was done before.
 *
 * @param label - precedes the result of each operation, e.g. `Removed`
 * @param listCommand - the command that lists the valid names
 */
async function runForEach(
  names: readonly string[],
  label: string,
  run: (name: string) => Promise<string>,
  listCommand = 'list',
) {
  if (names.length === 0) throw new Error(`Which one? npm run content -- ${listCommand} shows them.`);
  const lines: string[] = [];
  for (const name of names) {
    const result = await run(name).catch((error: unknown) => {
      throw error instanceof CatalogueAdminError ? new Error([...lines, error.message].join('\n')) : error;
    });
    lines.push(`${label}: ${result}`);
  }
  return lines.join('\n');
}

/** Creates a command without options that applies an operation to every name. */
const forEachName = (
  label: string,
  run: (admin: CatalogueAdmin, name: string) => Promise<string>,
  listCommand?: string,
): Command =>
  withCatalogue((admin, { args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    return runForEach(positionals, label, (name) => run(admin, name), listCommand);
  });

const joinLines = (lines: readonly string[]): string => lines.join('\n') || 'Nothing.';

const formatMinutes = (seconds: number | null) =>
  seconds === null ? '' : `${(seconds / 60).toFixed(1)} min`;

/** Formats a number of files and their size. */
function formatFiles(files: readonly { size: number }[]): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return `${files.length} ${files.length === 1 ? 'file' : 'files'} (${(bytes / 1e6).toFixed(1)} MB)`;
}

/** `content clean`: lists the media that no article uses, or deletes them some time after they were found. */
const cleanCommand = withCatalogue(async (admin, { args, settings }) => {
  const { values } = parseArgs({ args, options: { delete: { type: 'boolean', default: false } } });
  // A restored backup set needs the media of its time.
  const unusedDays = Math.max(MIN_UNUSED_DAYS, settings.backup?.keepDays ?? 0);
  const bar = createProgressBar();
  const options = { unusedDays, isDeleting: values.delete, onProgress: bar.update };
  const { files, deleted } = await admin.cleanMedia(options).finally(bar.clear);
  const remaining = files.filter(({ key }) => !deleted.has(key));
  const lines = remaining.map(({ key, size, foundAt }) =>
    [key, `${Math.ceil(size / 1000)} kB`, `unused since ${foundAt.toISOString().slice(0, 10)}`].join('  '),
  );
  const deletable = remaining.filter((file) => file.isDeletable);
  if (values.delete) lines.push(`Deleted ${formatFiles(files.filter(({ key }) => deleted.has(key)))}.`);
  if (remaining.length > 0) lines.push(`No article uses ${formatFiles(remaining)}.`);
  else if (!values.delete) lines.push('Every file is used.');
  if (deletable.length > 0)
    lines.push(
      `To delete ${formatFiles(deletable)}, unused for ${unusedDays} days: npm run content -- clean --delete`,
    );
  else if (remaining.length > 0)
    lines.push(`They can be deleted once they have been unused for ${unusedDays} days.`);
  return lines.join('\n');
});

/** The commands of `npm run content` that administer the catalogue, by name. */
export const catalogueCommands: Commands = {
  list: withCatalogue(async (admin, { args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const articles = await admin.findArticles(positionals.join(' '));
    return joinLines(
      articles.map(({ slug, title, state, level, language, narrator, seconds }) => {
        const details = [language, level, formatMinutes(seconds), narrator].join(' ');
        return [slug, state === 'published' ? details : state, title].join('  ');
      }),
    );
  }),

  edit: withCatalogue(async (admin, { args }) => {
    const { values, positionals } = parseArgs({ args, options: editOptions, allowPositionals: true });
    const name = getArgument(positionals);
    if (name === undefined) throw new Error('Which one? npm run content -- edit NAME --title …');
    const { title } = await admin.editArticle(name, values);
    return `Changed: ${values.title ?? title}`;
  }),

  unpublish: forEachName('Unpublished', async (admin, name) => (await admin.unpublish(name)).title),

  publish: withCatalogue(async (admin, { args, storage: { connection } }) => {
    const options = { quiet: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const published: string[] = [];
    try {
      return await runForEach(positionals, 'Published', async (name) => {
        const { title, isPublished } = await admin.publish(name);
        if (!isPublished) return `${title} may be loaded or imported again`;
        published.push(title);
        return title;
      });
    } finally {
      if (published.length > 0 && !values.quiet)
        await publishNotification({ connection, text: describeNewArticles(published) });
    }
  }),

  remove: withCatalogue(async (admin, { args }) => {
    const { values, positionals } = parseArgs({ args, options: confirmOption, allowPositionals: true });
    if (positionals.length > 0) await confirmDeletion(positionals.join(', '), values);
    return runForEach(positionals, 'Removed', async (name) => (await admin.remove(name)).title);
  }),

  clean: cleanCommand,

  playlists: withCatalogue(async (admin, { args }) => {
    const file = getArgument(args);
    if (file !== undefined) {
      const path = resolvePath(file);
      if (!existsSync(path)) throw new Error(`${file} does not exist.`);
      const changed = await admin.loadPlaylists(path).catch((error: unknown) => {
        if (!(error instanceof ContentError)) throw error;
        throw new Error(`${file}: ${error.message}; write it like content/playlists.json.`);
      });
      return `${changed} playlists new or changed.`;
    }
    const playlists = await admin.findPlaylists();
    return playlists
      .map(({ name, active, total_tracks: tracks }) => `${name}  ${tracks} tracks${active ? '' : ', hidden'}`)
      .join('\n');
  }),

  show: forEachName('Shown', (admin, key) => admin.setPlaylistActive(key, true).then(() => key), 'playlists'),
  hide: forEachName(
    'Hidden',
    (admin, key) => admin.setPlaylistActive(key, false).then(() => key),
    'playlists',
  ),

  place: withCatalogue(async (admin, { args }) => {
    const [key, ...names] = parseArgs({ args, allowPositionals: true }).positionals;
    if (key === undefined || names.length === 0) throw new Error('npm run content -- place PLAYLIST NAME…');
    await admin.prependToPlaylist(key, names);
    return `Placed at the head of ${key}: ${names.join(', ')}`;
  }),

  notifications: withCatalogue(async (admin, { args }) => {
    assertNoArguments(args);
    const notifications = await admin.findNotifications();
    return joinLines(
      notifications.map(
        ({ id, title_en, created_at }) => `${id}  ${created_at.toISOString().slice(0, 16)}Z  ${title_en}`,
      ),
    );
  }),

  'take-back': forEachName('Taken back', (admin, id) => admin.retractNotification(id), 'notifications'),
};
