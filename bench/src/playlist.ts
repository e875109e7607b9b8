import { join } from 'node:path';
import { api, toFormBody } from '@escucho/contracts';
import { findRunningEmbedded, openDatabase } from '@escucho/database';
import { type Kysely, sql } from 'kysely';
import type { Figure, Measurement, OpenBench } from './figure.ts';
import { makeLibrary } from './library.ts';

const tracks = 10_000;
const atOnce = 500;
const rounds = 200;

/** How long something takes, in milliseconds. */
async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** Calls of a reader. Throws on a refusal, for that is quick. */
export function caller(origin: string, bearer: string) {
  return async (method: string, path: string, form?: URLSearchParams): Promise<{ _id: string }> => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: bearer },
      ...(form && { body: form }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

type Call = ReturnType<typeof caller>;

/** A playlist of the reader with so many tracks of the made library. Out: its id, and so many articles that are not in it. */
export async function makePlaylist(call: Call, db: Kysely<object>, tracks: number, spare = 0) {
  const { rows } = await sql<{ id: string }>`
    select id from article where slug like 'made-%' order by id limit ${tracks + spare}
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  const { _id } = await call(
    'POST',
    api.playlists.createPlaylist.path,
    toFormBody({ name: `With ${tracks} tracks` }),
  );
  for (let from = 0; from < tracks; from += atOnce)
    await add(call, _id, ids.slice(from, Math.min(from + atOnce, tracks)));
  return { playlist: _id, others: ids.slice(tracks) };
}

const add = (call: Call, _id: string, added: readonly string[]) =>
  call('PUT', api.playlists.changePlaylist.path, toFormBody({ _id, 'articles.added': added }));

async function measure(open: OpenBench): Promise<Figure[]> {
  const { origin, bearer, dataDir } = await open();
  const connection = await findRunningEmbedded(join(dataDir, 'postgres'));
  if (!connection) throw new Error('The product runs on no embedded database.');
  const db = openDatabase<object>({ connection, schema: 'portal', name: 'bench', maxConnections: 1 });
  try {
    await makeLibrary(db, tracks + rounds);
    const call = caller(origin, bearer);
    const { playlist, others } = await makePlaylist(call, db, tracks, rounds);
    const [added, opened, ceiling]: number[][] = [[], [], []];
    for (const id of others) {
      added?.push(await timeOf(() => add(call, playlist, [id])));
      opened?.push(
        await timeOf(() =>
          Promise.all([
            call('GET', `/playlist/find-by-id/${playlist}`),
            call('GET', `/playlist/find-playlist-content/${playlist}?page=1&limit=100`),
          ]),
        ),
      );
      ceiling?.push(await timeOf(() => sql`select 1`.execute(db)));
    }
    return [
      { what: 'add a track', unit: 'ms', ours: added ?? [], ceiling: ceiling ?? [] },
      {
        what: 'open the playlist with its first 100 tracks',
        unit: 'ms',
        ours: opened ?? [],
        ceiling: ceiling ?? [],
      },
    ];
  } finally {
    await db.destroy();
  }
}

export const playlist: Measurement = {
  name: 'playlist',
  title: 'Playlist of 10,000 tracks',
  how: `${rounds} interleaved rounds over HTTP, client and server on the same machine. Ceiling: one round trip to the database, \`select 1\`.`,
  measure,
};
