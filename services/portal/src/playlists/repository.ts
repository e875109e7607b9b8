import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { isFavourite } from '../favourites/repository.ts';
import type { Window } from '../paging.ts';

/** Which playlists are looked for; `notName` is a whole name, `nameContains` plain text whatever its case. */
export interface PlaylistSearch extends Window {
  origin?: 'system' | 'user' | 'auto' | undefined;
  notName?: string | undefined;
  nameContains?: string | undefined;
  oldestFirst: boolean;
}

/** A number, or one that never changes and so may stand in the statement, which is then planned once and well. */
type Count = number | RawBuilder<number>;

/** A playlist is shown by the pictures of so many of its first tracks. */
export const COVER_COUNT = 4;
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Playlists as one reader sees them: the system's and the reader's own; anybody else's do not exist. */
export function createPlaylistRepository(db: Database) {
  const thisPlaylist = sql.ref<string>('p.id');

  const selectReadable = (reader: string) =>
    db
      .selectFrom('playlist as p')
      .where((eb) =>
        eb.or([
          eb('p.owner_id', '=', reader),
          eb.and([eb('p.owner_id', 'is', null), eb('p.active', '=', sql.lit(true))]),
        ]),
      );

  const items = () =>
    db
      .selectFrom('playlist_item as i')
      .where('i.playlist_id', '=', thisPlaylist)
      .orderBy('i.sort_key')
      .orderBy('i.article_id');

  const images = () =>
    jsonArrayFrom(
      items().innerJoin('article as a', 'a.id', 'i.article_id').select('a.image').limit(COVER_COUNT),
    ).as('images');

  /** A page of the playlist's tracks with the reader's place and heart. The page is cut before anything is joined. */
  const tracks = (reader: string, { limit, offset }: { limit: Count; offset: Count }) =>
    jsonArrayFrom(
      db
        .selectFrom(items().select(['i.article_id', 'i.sort_key']).limit(limit).offset(offset).as('item'))
        .innerJoin('article as a', 'a.id', 'item.article_id')
        .leftJoin('listening_progress as l', (join) =>
          join.onRef('l.article_id', '=', 'a.id').on('l.user_id', '=', reader),
        )
        .select((eb) => [
          ...(['a.id', 'a.title', 'a.narrator', 'a.kind', 'a.language', 'a.level', 'a.topic'] as const),
          ...(['a.image', 'a.artwork', 'a.audio', 'a.duration', 'a.loudness'] as const),
          eb.fn.coalesce('l.position', sql.lit(0)).as('progress'),
          isFavourite(reader, 'a.id').as('like'),
        ])
        .orderBy('item.sort_key')
        .orderBy('item.article_id'),
    ).as('tracks');

  const columns = [
    ...(['p.id', 'p.name', 'p.titles', 'p.origin', 'p.active'] as const),
    ...(['p.total_tracks', 'p.total_duration', 'p.created_at'] as const),
  ] as const;

  function search(reader: string, { origin, notName, nameContains }: PlaylistSearch) {
    let query = selectReadable(reader);
    if (origin !== undefined) query = query.where('p.origin', '=', origin);
    if (notName !== undefined) query = query.where('p.name', '<>', notName);
    if (nameContains !== undefined) query = query.where('p.name', 'ilike', likePattern(nameContains));
    return query;
  }

  return {
    find: (reader: string, id: string) =>
      selectReadable(reader).select(columns).select(images()).where('p.id', '=', id).executeTakeFirst(),

    /** Out: the page's playlists and how many there are in all. */
    async findPage(reader: string, wanted: PlaylistSearch) {
      const direction = wanted.oldestFirst ? 'asc' : 'desc';
      const rows = await search(reader, wanted)
        .select(columns)
        .select((eb) => [images(), eb.fn.countAll<number>().over().as('total')])
        .orderBy('p.created_at', direction)
        .orderBy('p.id', direction)
        .limit(wanted.limit)
        .offset(wanted.offset)
        .execute();
      if (rows.length > 0 || wanted.offset === 0) return { rows, total: rows[0]?.total ?? 0 };
      const counted = await search(reader, wanted)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { rows, total: counted.total };
    },

    /** A playlist with a page of its tracks, or undefined where the reader has no such playlist. */
    findContent: (reader: string, id: string, window: Window) =>
      selectReadable(reader)
        .select(['p.id', 'p.name', 'p.origin', 'p.total_tracks'])
        .select(tracks(reader, window))
        .where('p.id', '=', id)
        .executeTakeFirst(),

    /** The system's playlists in Discover's order, each with its first tracks. */
    findSystemPlaylists: (reader: string, most: { rows: number; tracks: number }) =>
      db
        .selectFrom('playlist as p')
        .select(columns)
        .select(tracks(reader, { limit: sql.lit(most.tracks), offset: sql.lit(0) }))
        .where('p.owner_id', 'is', null)
        .where('p.active', '=', sql.lit(true))
        .orderBy('p.sort_order')
        .orderBy('p.id')
        .limit(sql.lit(most.rows))
        .execute(),

    /** How the system's playlists begin (PLAY-04). */
    findFirstTracks: () =>
      db
        .selectFrom('playlist as p')
        .select(['p.id as playlist', 'p.name', 'p.origin'])
        .select(items().select('i.article_id').limit(1).as('first'))
        .where('p.owner_id', 'is', null)
        .where('p.active', '=', sql.lit(true))
        .execute(),
  };
}

export type PlaylistRepository = ReturnType<typeof createPlaylistRepository>;
export type PlaylistRow = NonNullable<Awaited<ReturnType<PlaylistRepository['find']>>>;
export type ContentRow = NonNullable<Awaited<ReturnType<PlaylistRepository['findContent']>>>;
export type TrackRow = ContentRow['tracks'][number];
