import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { allOf, type Piece, type PieceMedia, type PlaylistEntry } from './piece.ts';

const SENTENCES_AT_ONCE = 1000;

/** What a piece was read from: its files as they lay there, and what was in them. */
export interface Origin {
  stamp: string;
  hash: string;
  /** Of an import: where it was read from, the SHA-256 of the audio there, and whether times are estimated. */
  imported?: { source: string; audio: string; estimated: boolean };
}

function articleOf(piece: Piece, media: PieceMedia, { stamp, hash, imported }: Origin) {
  return {
    slug: piece.slug,
    title: piece.title,
    summary: piece.summary,
    kind: piece.kind,
    language: piece.language,
    translation_language: piece.translationLanguage ?? null,
    level: piece.level,
    topic: piece.topic,
    narrator: piece.narrator.name,
    image: media.image,
    artwork: media.artwork,
    audio: media.audio,
    duration: piece.duration,
    loudness: piece.audio.loudness ?? null,
    chapters: JSON.stringify(piece.chapters.map(({ title, start }) => ({ title, start }))),
    pages: JSON.stringify(
      piece.pages.map(({ title, start, alt }, index) => ({ title, start, alt, image: media.pages[index] })),
    ),
    source_stamp: stamp,
    content_hash: hash,
    estimated: imported?.estimated ?? false,
    source: imported?.source ?? null,
    source_audio: imported?.audio ?? null,
    published_at: new Date(`${piece.published}T00:00:00Z`),
  };
}

const sentencesOf = (id: string, piece: Piece) =>
  piece.sentences.map((sentence, number) => ({
    article_id: id,
    number,
    text: sentence.text,
    translation: sentence.translation ?? null,
    starts_at: sentence.start,
    ends_at: sentence.end,
    paragraph: sentence.paragraph,
    chapter: sentence.chapter ?? null,
    page: sentence.page ?? null,
  }));

const knownQuery = (db: Database) =>
  db
    .selectFrom('article as a')
    .innerJoin('narrator as n', 'n.name', 'a.narrator')
    .select(['a.id', 'a.slug', 'a.source', 'a.source_stamp as stamp', 'a.content_hash as hash'])
    .select(['a.image', 'a.artwork', 'a.audio', 'a.pages', 'n.image as portrait']);
type KnownQuery = ReturnType<typeof knownQuery>;

/** Without the columns that an editor changed. */
function withoutEdited<Row extends object>(row: Row, edited: Record<string, unknown>): Partial<Row> {
  const kept: Partial<Row> = { ...row };
  for (const column of Object.keys(edited)) Reflect.deleteProperty(kept, column);
  return kept;
}

/** Writes what everybody may read. */
export function libraryRepository(db: Database) {
  async function saveSentences(transaction: Database, id: string, piece: Piece): Promise<void> {
    await transaction.deleteFrom('sentence').where('article_id', '=', id).execute();
    const rows = sentencesOf(id, piece);
    for (let from = 0; from < rows.length; from += SENTENCES_AT_ONCE) {
      await transaction
        .insertInto('sentence')
        .values(rows.slice(from, from + SENTENCES_AT_ONCE))
        .execute();
    }
  }

  async function known(narrow: (query: KnownQuery) => KnownQuery) {
    const rows = await narrow(knownQuery(db)).execute();
    return rows.map(({ id, slug, source, stamp, hash, ...media }) => ({
      ...{ id, slug, source, stamp, hash },
      keys: allOf({ ...media, pages: media.pages.map(({ image }) => image) }),
    }));
  }

  return {
    /** What is known of pieces: what they were read from, and every key they need of the media store. */
    findKnown: (ids: readonly string[]) =>
      known((query) => query.where('a.id', '=', sql<string>`any(${ids}::uuid[])`)),

    /** The same of imported pieces, by where they were read from. */
    findKnownSources: (sources: readonly string[]) =>
      known((query) => query.where('a.source', '=', sql<string>`any(${sources}::text[])`)),

    /** The same of imported pieces, by the SHA-256 of the audio they were read from. */
    findKnownAudio: (hash: string) => known((query) => query.where('a.source_audio', '=', hash)),

    /** What was taken out of the catalogue: ids, sources, and the SHA-256 of imported audio. */
    async findWithdrawn(): Promise<Record<'ids' | 'sources' | 'audio', ReadonlySet<string>>> {
      const rows = await db.selectFrom('withdrawn').select(['id', 'source', 'source_audio']).execute();
      return {
        ids: new Set(rows.map(({ id }) => id)),
        sources: new Set(rows.flatMap(({ source }) => source ?? [])),
        audio: new Set(rows.flatMap(({ source_audio }) => source_audio ?? [])),
      };
    },

    /** Whether this is the only import now; it stays so until the connection is closed. Wants a single connection. */
    async claimImport(): Promise<boolean> {
      const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_lock(hashtext('escucho import')) as mine`.execute(db);
      return rows[0]?.mine ?? false;
    },

    /** Those of the ids that are articles. */
    async findArticles(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db
        .selectFrom('article')
        .select('id')
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Writes an article with its narrator and sentences, all or nothing; it can be searched for from then on. */
    savePiece: (id: string, piece: Piece, media: PieceMedia, origin: Origin): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('narrator')
          .values({ name: piece.narrator.name, image: media.portrait })
          .onConflict((conflict) =>
            media.portrait === null
              ? conflict.doNothing()
              : conflict.column('name').doUpdateSet({ image: media.portrait }),
          )
          .execute();
        const article = articleOf(piece, media, origin);
        const before = await transaction
          .selectFrom('article')
          .select('edited')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        await transaction
          .insertInto('article')
          .values({ id, ...article })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(withoutEdited(article, before?.edited ?? {})),
          )
          .execute();
        await saveSentences(transaction, id, piece);
        await sql`select index_articles(array[${id}::uuid])`.execute(transaction);
      }),

    /** Notes that the same content lies there in new files, or was read from another place. */
    async saveStamp(id: string, stamp: string, source?: string): Promise<void> {
      const changes = { source_stamp: stamp, ...(source !== undefined && { source }) };
      await db.updateTable('article').set(changes).where('id', '=', id).execute();
    },

    /** What playlists were read from, by id. */
    async findPlaylistHashes(ids: readonly string[]) {
      const rows = await db
        .selectFrom('playlist')
        .select(['id', 'content_hash'])
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      return new Map(rows.map(({ id, content_hash }) => [id, content_hash]));
    },

    /** Writes a system playlist and its tracks in order, all or nothing. */
    savePlaylist: (
      id: string,
      entry: PlaylistEntry,
      { articles, place, hash, now }: { articles: readonly string[]; place: number; hash: string; now: Date },
    ): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const playlist = {
          name: entry.name,
          titles: JSON.stringify(entry.titles),
          origin: 'system',
          sort_order: place,
          content_hash: hash,
        } as const;
        await transaction
          .insertInto('playlist')
          .values({ id, ...playlist, created_at: now })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(playlist))
          .execute();
        await transaction.deleteFrom('playlist_item').where('playlist_id', '=', id).execute();
        await sql`
          insert into playlist_item (playlist_id, article_id, sort_key, added_at)
          select ${id}::uuid, article, ordinality - 1, ${now}::timestamptz
          from unnest(${articles}::uuid[]) with ordinality as item (article, ordinality)
        `.execute(transaction);
      }),

    /** Writes a notification for everybody, once. */
    async saveNotification(id: string, words: { en: [string, string]; es: [string, string] }, now: Date) {
      const [title_en, body_en] = words.en;
      const [title_es, body_es] = words.es;
      await db
        .insertInto('notification')
        .values({ id, title_en, title_es, body_en, body_es, created_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },
  };
}

export type LibraryRepository = ReturnType<typeof libraryRepository>;
export type KnownPiece = Awaited<ReturnType<LibraryRepository['findKnown']>>[number];
