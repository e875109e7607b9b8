import { level as levels } from '@escucho/contracts';
import { type Selectable, sql } from 'kysely';
import type { Database, Language, Tables } from '../database.ts';

const previewColumns = [
  'id',
  'title',
  'summary',
  'kind',
  'language',
  'level',
  'duration',
  'image',
  'artwork',
] as const;

export type PreviewRow = Pick<Selectable<Tables['article']>, (typeof previewColumns)[number]>;

/** Creates the repository of what visitors without an account see of the catalogue. */
export function createShowcaseRepository(db: Database) {
  return {
    findPreview: (id: string) =>
      db.selectFrom('article').select(previewColumns).where('id', '=', id).executeTakeFirst(),

    /** Returns the newest articles of a language. */
    findNewest: (language: Language, limit: number) =>
      db
        .selectFrom('article')
        .select(previewColumns)
        .where('language', '=', language)
        .orderBy('published_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Returns the newest articles of a language at each level, the easiest level first; each level from its own index. */
    async findNewestByLevel(language: Language, limit: number): Promise<PreviewRow[]> {
      const { rows } = await sql<PreviewRow>`
        select ${sql.join(previewColumns.map((column) => sql.ref(`a.${column}`)))}
        from unnest(${levels.options}::text[]) with ordinality l (level, place) cross join lateral (
          select * from article where level = l.level and language = ${language}
          order by published_at desc, id desc limit ${limit}
        ) a
        order by l.place, a.published_at desc, a.id desc
      `.execute(db);
      return rows;
    },
  };
}

export type ShowcaseRepository = ReturnType<typeof createShowcaseRepository>;
