import { api, toFormBody } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Measurement, OpenEnvironment, Result } from '../measurement.ts';
import type { Database } from '../support/database.ts';
import { withGeneratedCatalogue } from '../support/generated-catalogue.ts';

const TRACKS = 10_000;
const BATCH_SIZE = 500;
const ROUNDS = 200;

/** Returns the duration of a call, in milliseconds. */
async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Creates a client of the API. It throws if a response is an error, which would be fast. */
export function createPlaylistClient(origin: string, bearer: string) {
  return async (method: string, path: string, form?: URLSearchParams): Promise<{ _id: string }> => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: bearer },
      ...(form && { body: form }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

type PlaylistClient = ReturnType<typeof createPlaylistClient>;

/** Creates a playlist of generated articles. Returns its id, and `extra` ids of articles that it does not contain. */
export async function createPlaylist(call: PlaylistClient, db: Database, trackCount: number, extra = 0) {
  const { rows } = await sql<{ id: string }>`
    select id from article where slug like 'generated-%' order by id limit ${trackCount + extra}
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  const { _id } = await call(
    'POST',
    api.playlists.createPlaylist.path,
    toFormBody({ name: `With ${trackCount} tracks` }),
  );
  for (let from = 0; from < trackCount; from += BATCH_SIZE)
    await addTracks(call, _id, ids.slice(from, Math.min(from + BATCH_SIZE, trackCount)));
  return { playlist: _id, extraIds: ids.slice(trackCount) };
}

const addTracks = (call: PlaylistClient, _id: string, trackIds: readonly string[]) =>
  call('PUT', api.playlists.changePlaylist.path, toFormBody({ _id, 'articles.added': trackIds }));

async function measure(open: OpenEnvironment): Promise<Result[]> {
  const environment = await open();
  return withGeneratedCatalogue(environment, { items: TRACKS + ROUNDS }, async (db) => {
    const call = createPlaylistClient(environment.origin, environment.bearer);
    const { playlist, extraIds } = await createPlaylist(call, db, TRACKS, ROUNDS);
    const [addTimes, openTimes, ceiling]: number[][] = [[], [], []];
    for (const id of extraIds) {
      addTimes?.push(await measureTime(() => addTracks(call, playlist, [id])));
      openTimes?.push(
        await measureTime(() =>
          Promise.all([
            call('GET', `/playlist/find-by-id/${playlist}`),
            call('GET', `/playlist/find-playlist-content/${playlist}?page=1&limit=100`),
          ]),
        ),
      );
      ceiling?.push(await measureTime(() => sql`select 1`.execute(db)));
    }
    return [
      { label: 'add a track', unit: 'ms', values: addTimes ?? [], ceiling: ceiling ?? [] },
      {
        label: 'open the playlist with its first 100 tracks',
        unit: 'ms',
        values: openTimes ?? [],
        ceiling: ceiling ?? [],
      },
    ];
  });
}

export const playlist: Measurement = {
  name: 'playlist',
  title: 'Playlist of 10,000 tracks',
  method: `${ROUNDS} interleaved rounds over HTTP, client and server on the same machine. Ceiling: one round trip to the database, \`select 1\`.`,
  measure,
};
