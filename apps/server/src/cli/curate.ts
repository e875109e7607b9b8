import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { notifyReaders, openMediaStore } from '@escucho/portal';
import { type CuratingService, newsOf, withCurating } from '@escucho/portal/content';
import { migrateAll } from '../storage.ts';
import type { Command } from './command.ts';
import { log } from './log.ts';

type Curating = CuratingService & { loadPlaylists(path: string): Promise<number> };
type Asked = Parameters<Command>[0];

const text = { type: 'string' } as const;
const editable = {
  ...{ title: text, summary: text, level: text, kind: text, topic: text },
  ...{ narrator: text, published: text },
};

/** A command with the catalogue at hand. */
const withCatalogue =
  (work: (curating: Curating, asked: Asked) => Promise<string>): Command =>
  async (asked) => {
    const { connection } = asked.storage;
    await migrateAll(connection);
    const mediaStore = await openMediaStore(asked.settings.mediaPlace);
    return withCurating({ connection, mediaStore, log }, (curating) => work(curating, asked));
  };

/** A command about every name it is given; the first that is wrong ends it. */
const forEach = (
  done: string,
  work: (curating: Curating, name: string, asked: Asked) => Promise<string>,
): Command =>
  withCatalogue(async (curating, asked) => {
    const names = asked.args.filter((arg) => !arg.startsWith('--'));
    if (names.length === 0) throw new Error('Which one? npm run content -- list shows the names.');
    const lines: string[] = [];
    for (const name of names) lines.push(`${done}: ${await work(curating, name, asked)}`);
    return lines.join('\n');
  });

const minutes = (seconds: number | null) => (seconds === null ? '' : `${(seconds / 60).toFixed(1)} min`);

/** What an editor does, by the names of commands. */
export const curatingCommands: Readonly<Record<string, Command>> = {
  list: withCatalogue(async (curating, { args: [text = ''] }) => {
    const rows = await curating.list(text);
    const lines = rows.map(({ slug, title, state, level, language, narrator, seconds }) =>
      [
        slug,
        state === 'published' ? [language, level, minutes(seconds), narrator].join(' ') : state,
        title,
      ].join('  '),
    );
    return lines.length === 0 ? 'Nothing.' : lines.join('\n');
  }),

  edit: withCatalogue(async (curating, { args }) => {
    const { values, positionals } = parseArgs({ args, options: editable, allowPositionals: true });
    const [name] = positionals;
    if (name === undefined) throw new Error('Which one? npm run content -- edit NAME --title …');
    const { title } = await curating.edit(name, values);
    return `Changed: ${values.title ?? title}`;
  }),

  unpublish: forEach('Unpublished', async (curating, name) => (await curating.unpublish(name)).title),

  publish: forEach('Published', async (curating, name, { args, storage: { connection } }) => {
    const { title, isBack } = await curating.publish(name);
    if (!isBack) return `${title} may come again: load or import it`;
    if (!args.includes('--quiet')) await notifyReaders({ connection, words: newsOf([title]) });
    return title;
  }),

  remove: forEach('Removed', async (curating, name) => (await curating.remove(name)).title),

  playlists: withCatalogue(async (curating, { args: [file] }) => {
    if (file !== undefined) {
      if (!existsSync(resolve(file))) throw new Error(`${file} is not there.`);
      return `${await curating.loadPlaylists(resolve(file))} playlists new or changed.`;
    }
    const rows = await curating.playlists();
    return rows
      .map(({ name, active, total_tracks: tracks }) => `${name}  ${tracks} tracks${active ? '' : ', hidden'}`)
      .join('\n');
  }),

  show: forEach('Shown', async (curating, key) => {
    await curating.show(key, true);
    return key;
  }),

  hide: forEach('Hidden', async (curating, key) => {
    await curating.show(key, false);
    return key;
  }),

  place: withCatalogue(async (curating, { args: [key, ...names] }) => {
    if (key === undefined || names.length === 0) throw new Error('npm run content -- place PLAYLIST NAME…');
    await curating.place(key, names);
    return `Placed at the head of ${key}: ${names.join(', ')}`;
  }),
};
