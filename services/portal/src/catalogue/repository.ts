import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { isFavourite } from '../playlists/repository.ts';

/** What a track's row holds, as parts of a query with the article as `a` and one reader's place in it as `l`. */
export const trackColumns = (reader: string) =>
  sql`a.id, a.title, a.narrator, a.kind, a.language, a.level, a.topic, a.image, a.artwork, a.audio, a.duration,
    a.loudness, coalesce(l.position, 0) as progress, ${isFavourite(reader, 'a.id')} as "like"`;

export const trackPlace = (reader: string) =>
  sql`left join listening_progress l on l.article_id = a.id and l.user_id = ${reader}`;

/** Articles, audiobooks and visual books: the same for every reader. */
export function catalogueRepository(db: Database) {
  return {
    /** An article with its sentences in order. */
    findArticle: (id: string) =>
      db
        .selectFrom('article as a')
        .innerJoin('narrator as n', 'n.name', 'a.narrator')
        .select((eb) => [
          ...(['a.id', 'a.slug', 'a.title', 'a.summary', 'a.kind', 'a.language'] as const),
          ...(['a.translation_language', 'a.level', 'a.topic', 'a.narrator', 'a.image'] as const),
          ...(['a.artwork', 'a.duration', 'a.published_at', 'a.chapters', 'a.pages'] as const),
          ...(['a.estimated', 'n.image as narrator_image'] as const),
          jsonArrayFrom(
            eb
              .selectFrom('sentence as s')
              .select(['s.text', 's.translation', 's.starts_at as start', 's.ends_at as end'])
              .select(['s.paragraph', 's.chapter', 's.page'])
              .whereRef('s.article_id', '=', 'a.id')
              .orderBy('s.number'),
          ).as('sentences'),
        ])
        .where('a.id', '=', id)
        .executeTakeFirst(),

    /** What is needed to hand out an article's audio. */
    findAudio: (id: string) =>
      db.selectFrom('article').select(['audio', 'duration']).where('id', '=', id).executeTakeFirst(),
  };
}

export type CatalogueRepository = ReturnType<typeof catalogueRepository>;
export type ArticleRow = NonNullable<Awaited<ReturnType<CatalogueRepository['findArticle']>>>;
