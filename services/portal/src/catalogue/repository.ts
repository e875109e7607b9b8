import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';

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
          'n.image as narrator_image',
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
