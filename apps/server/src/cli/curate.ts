import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openMediaStore, publishNotification } from '@escucho/portal';
import {
  type CatalogueAdmin,
  CatalogueAdminError,
  describeNewArticles,
  withCatalogueAdmin,
} from '@escucho/portal/content';
import { migrateAll } from '../storage.ts';
import type { Command } from './command.ts';
import { log } from './log.ts';

type Curating = CatalogueAdmin & { loadPlaylists(path: string): Promise<number> };
type Asked = Parameters<Command>[0];

const text = { type: 'string' } as const;
const editable = {
  ...{ title: text, summary: text, level: text, kind: text, topic: text },
  ...{ narrator: text, published: text },
};

/** Creates a command that works on the catalogue. */
const withCatalogue =
  (work: (curating: Curating, asked: Asked) => Promise<string>): Command =>
  async (asked) => {
    const { connection } = asked.storage;
    await migrateAll(connection);
    const mediaStore = await openMediaStore(asked.settings.mediaPlace);
    return withCatalogueAdmin({ connection, mediaStore, log }, (curating) => work(curating, asked));
  };

/** Applies an operation to every name; stops at the first error, and reports what was done before. */
async function eachOf(
  names: readonly string[],
  done: string,
  work: (name: string) => Promise<string>,
  shownBy = 'list',
) {
  if (names.length === 0) throw new Error(`Which one? npm run content -- ${shownBy} shows them.`);
  const lines: string[] = [];
  for (const name of names) {
    const said = await work(name).catch((error: unknown) => {
      throw error instanceof CatalogueAdminError ? new Error([...lines, error.message].join('\n')) : error;
    });
    lines.push(`${done}: ${said}`);
  }
  return lines.join('\n');
}

/** Creates a command without options that applies an operation to every name. */
const forEach = (
  done: string,
  work: (curating: Curating, name: string) => Promise<string>,
  shownBy?: string,
): Command =>
  withCatalogue((curating, { args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    return eachOf(positionals, done, (name) => work(curating, name), shownBy);
  });

const listed = (lines: readonly string[]): string => lines.join('\n') || 'Nothing.';

const minutes = (seconds: number | null) => (seconds === null ? '' : `${(seconds / 60).toFixed(1)} min`);

/** The editor's commands by name. */
export const curatingCommands: Readonly<Record<string, Command>> = {
  list: withCatalogue(async (curating, { args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const rows = await curating.findArticles(positionals.join(' '));
    const lines = rows.map(({ slug, title, state, level, language, narrator, seconds }) =>
      [
        slug,
        state === 'published' ? [language, level, minutes(seconds), narrator].join(' ') : state,
        title,
      ].join('  '),
    );
    return listed(lines);
  }),

  edit: withCatalogue(async (curating, { args }) => {
    const { values, positionals } = parseArgs({ args, options: editable, allowPositionals: true });
    const [name] = positionals;
    if (name === undefined) throw new Error('Which one? npm run content -- edit NAME --title …');
    const { title } = await curating.editArticle(name, values);
    return `Changed: ${values.title ?? title}`;
  }),

  unpublish: forEach('Unpublished', async (curating, name) => (await curating.unpublish(name)).title),

  publish: withCatalogue(async (curating, { args, storage: { connection } }) => {
    const options = { quiet: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const back: string[] = [];
    try {
      return await eachOf(positionals, 'Published', async (name) => {
        const { title, isPublished } = await curating.publish(name);
        if (!isPublished) return `${title} may come again: load or import it`;
        back.push(title);
        return title;
      });
    } finally {
      if (back.length > 0 && !values.quiet)
        await publishNotification({ connection, text: describeNewArticles(back) });
    }
  }),

  remove: forEach('Removed', async (curating, name) => (await curating.remove(name)).title),

  playlists: withCatalogue(async (curating, { args }) => {
    const [file] = parseArgs({ args, allowPositionals: true }).positionals;
    if (file !== undefined) {
      if (!existsSync(resolve(file))) throw new Error(`${file} is not there.`);
      return `${await curating.loadPlaylists(resolve(file))} playlists new or changed.`;
    }
    const rows = await curating.findPlaylists();
    return rows
      .map(({ name, active, total_tracks: tracks }) => `${name}  ${tracks} tracks${active ? '' : ', hidden'}`)
      .join('\n');
  }),

  show: forEach(
    'Shown',
    (curating, key) => curating.setPlaylistActive(key, true).then(() => key),
    'playlists',
  ),
  hide: forEach(
    'Hidden',
    (curating, key) => curating.setPlaylistActive(key, false).then(() => key),
    'playlists',
  ),

  place: withCatalogue(async (curating, { args }) => {
    const [key, ...names] = parseArgs({ args, allowPositionals: true }).positionals;
    if (key === undefined || names.length === 0) throw new Error('npm run content -- place PLAYLIST NAME…');
    await curating.prependToPlaylist(key, names);
    return `Placed at the head of ${key}: ${names.join(', ')}`;
  }),

  notifications: withCatalogue(async (curating, { args }) => {
    parseArgs({ args });
    const rows = await curating.findNotifications();
    return listed(
      rows.map(
        ({ id, title_en, created_at }) => `${id}  ${created_at.toISOString().slice(0, 16)}Z  ${title_en}`,
      ),
    );
  }),

  'take-back': forEach('Taken back', (curating, id) => curating.retractNotification(id), 'notifications'),
};
