import { favouritesName, getSuitableLevels, type Learning } from '@escucho/contracts';
import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { getOffset, type Pagination, withTotal } from '../pagination.ts';

/** A query for playlists; `nameContains` is plain text and ignores case and accents. */
export interface PlaylistSearch extends Pagination {
  origin?: 'system' | 'user' | 'auto' | undefined;
  notName?: string | undefined;
  nameContains?: string | undefined;
  oldestFirst: boolean;
}

/** A user's own properties of a track. */
interface Mark {
  id: string;
  progress: number;
  like: boolean;
}

/** A user, and tracks whose marks are read. */
interface MarksRequest {
  userId: string;
  ids: readonly string[];
}

/** A playlist's cover is made of the images of its first tracks. */
export const COVER_COUNT = 4;

/** The columns of a track, with the article as `a`. */
export const trackColumns = [
  'a.id',
  'a.title',
  'a.narrator',
  'a.kind',
  'a.language',
  'a.level',
  'a.topic',
  'a.image',
  'a.artwork',
  'a.audio',
  'a.duration',
  'a.loudness',
] as const;

/** `trackColumns` as SQL. */
export const trackColumnsSql = sql.join(trackColumns.map((column) => sql.ref(column)));

const selectFavourites = (userId: string | RawBuilder<unknown>) => sql`
  select f.id from playlist f
  where f.owner_id = ${userId} and f.origin = 'auto' and f.name = ${sql.lit(favouritesName)}`;

/** Returns an SQL condition: whether a track is among a user's favourites. */
export const isFavourite = (userId: string, articleColumn: string): RawBuilder<boolean> => sql`exists (
  select 1 from playlist_item h
  where h.article_id = ${sql.ref(articleColumn)} and h.playlist_id = (${selectFavourites(userId)})
)`;

/** Reads playlists as a user sees them: those of the system and the user's own. */
export function createPlaylistRepository(db: Database) {
  const thisPlaylist = sql.ref<string>('p.id');

  const selectReadable = (userId: string) =>
    db
      .selectFrom('playlist as p')
      .where('p.deleted_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb('p.owner_id', '=', userId),
          eb.and([eb('p.owner_id', 'is', null), eb('p.active', '=', sql.lit(true))]),
        ]),
      );

  const selectSystem = () =>
    db.selectFrom('playlist as p').where('p.owner_id', 'is', null).where('p.active', '=', sql.lit(true));

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

  /** The items that suit a learner, and the first one. */
  function suitableItems({ language, level }: Learning) {
    if (language === null && level === null) return items();
    return items()
      .innerJoin('article as s', 's.id', 'i.article_id')
      .where((eb) => {
        const suitable = [eb('s.level', 'in', getSuitableLevels(level))];
        if (language !== null) suitable.push(eb('s.language', '=', language));
        const first = items().select('i.article_id').limit(1);
        return eb.or([eb.and(suitable), eb('i.article_id', '=', first)]);
      });
  }

  /** The tracks of items, which are limited before anything is joined. */
  const selectTracks = (page: ReturnType<typeof items>) =>
    db
      .selectFrom(page.select(['i.article_id', 'i.sort_key']).as('item'))
      .innerJoin('article as a', 'a.id', 'item.article_id')
      .select(trackColumns)
      .orderBy('item.sort_key')
      .orderBy('item.article_id');

  const pageItems = (pagination: Pagination) => items().limit(pagination.limit).offset(getOffset(pagination));

  /** A page of the playlist's tracks with the user's progress and favourites. */
  const tracks = (userId: string, pagination: Pagination) =>
    jsonArrayFrom(
      selectTracks(pageItems(pagination))
        .leftJoin('listening_progress as l', (join) =>
          join.onRef('l.article_id', '=', 'a.id').on('l.user_id', '=', userId),
        )
        .select((eb) => [
          eb.fn.coalesce('l.position', sql.lit(0)).as('progress'),
          isFavourite(userId, 'a.id').as('like'),
        ]),
    ).as('tracks');

  const columns = [
    'p.id',
    'p.name',
    'p.titles',
    'p.origin',
    'p.active',
    'p.total_tracks',
    'p.total_duration',
    'p.created_at',
  ] as const;

  function search(userId: string, { origin, notName, nameContains }: PlaylistSearch) {
    let query = selectReadable(userId);
    if (origin !== undefined) query = query.where('p.origin', '=', origin);
    if (notName !== undefined) query = query.where('p.name', '<>', notName);
    if (nameContains !== undefined)
      query = query.where(sql`strpos(lower(unaccent(p.name)), lower(unaccent(${nameContains})))`, '>', 0);
    return query;
  }

  return {
    find: (userId: string, id: string) =>
      selectReadable(userId).select(columns).select(images()).where('p.id', '=', id).executeTakeFirst(),

    /** Returns a page of playlists and the total number. */
    async findPage(userId: string, query: PlaylistSearch) {
      const direction = query.oldestFirst ? 'asc' : 'desc';
      const rows = await search(userId, query)
        .select(columns)
        .select((eb) => [images(), eb.fn.countAll<number>().over().as('total')])
        .orderBy('p.created_at', direction)
        .orderBy('p.id', direction)
        .limit(query.limit)
        .offset(getOffset(query))
        .execute();
      return withTotal(rows, query, () =>
        search(userId, query)
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow(),
      );
    },

    /** Returns a playlist with a page of its tracks. */
    findContent: (userId: string, id: string, pagination: Pagination) =>
      selectReadable(userId)
        .select(['p.id', 'p.name', 'p.origin', 'p.total_tracks'])
        .select(tracks(userId, pagination))
        .where('p.id', '=', id)
        .executeTakeFirst(),

    /** Returns a system playlist with a page of its tracks, without what belongs to a user. */
    findSystemContent: (id: string, pagination: Pagination) =>
      selectSystem()
        .select(['p.id', 'p.name', 'p.origin', 'p.total_tracks'])
        .select(jsonArrayFrom(selectTracks(pageItems(pagination))).as('tracks'))
        .where('p.id', '=', id)
        .executeTakeFirst(),

    /**
     * Returns the system playlists in Discover's order, each with its first tracks: of those that suit the learner, and the
     * very first, which may be free (PLAY-04).
     */
    findSystemPlaylists: (max: { rows: number; tracks: number }, learning: Learning) =>
      selectSystem()
        .select(columns)
        .select(items().select('i.article_id').limit(1).as('first'))
        .select(jsonArrayFrom(selectTracks(suitableItems(learning).limit(max.tracks))).as('tracks'))
        .orderBy('p.sort_order')
        .orderBy('p.id')
        .limit(max.rows)
        .execute(),

    async findCatalogueVersion(): Promise<number> {
      const { version } = await db
        .selectFrom('catalogue_version')
        .select('version')
        .executeTakeFirstOrThrow();
      return version;
    },

    /**
     * Returns the progress of users in tracks and which are favourites, where there is any, and the version of the
     * catalogue: for each request, in order.
     */
    async findMarks(requests: readonly MarksRequest[]): Promise<{ version: number; marks: Mark[] }[]> {
      const numbered = requests.map((request, number) => ({ ...request, number }));
      const { rows } = await sql<{ version: number; marks: Mark[] }>`
        select version, (
          select coalesce(json_agg(json_build_object(
            'id', article_id, 'progress', coalesce(l.position, 0), 'like', f.playlist_id is not null)), '[]')
          from (
            select article_id, position from listening_progress
            where user_id = r."userId" and article_id = any(r.ids)
          ) l
          full join (
            select article_id, playlist_id from playlist_item
            where playlist_id = (${selectFavourites(sql.ref('r.userId'))}) and article_id = any(r.ids)
          ) f using (article_id)
        ) as marks
        from catalogue_version, json_to_recordset(${JSON.stringify(numbered)})
          as r (number integer, "userId" uuid, ids uuid[])
        order by r.number
      `.execute(db);
      return rows;
    },

    /** Returns the first track of each system playlist, which is free (PLAY-04). */
    findFirstTracks: () =>
      selectSystem()
        .select(['p.id as playlist', 'p.name', 'p.origin'])
        .select(items().select('i.article_id').limit(1).as('first'))
        .execute(),
  };
}

export type PlaylistRepository = ReturnType<typeof createPlaylistRepository>;
export type PlaylistRow = NonNullable<Awaited<ReturnType<PlaylistRepository['find']>>>;
export type TrackColumns = Awaited<
  ReturnType<PlaylistRepository['findSystemPlaylists']>
>[number]['tracks'][number];
type ContentRow = NonNullable<Awaited<ReturnType<PlaylistRepository['findContent']>>>;
export type TrackRow = ContentRow['tracks'][number];
