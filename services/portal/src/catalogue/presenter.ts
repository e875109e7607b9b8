import type { Article } from '@escucho/contracts';
import type { Links } from '../media/links.ts';
import type { ArticleRow } from './repository.ts';

/** Converts an article to the API's form, with signed URLs of its pictures. */
export function toArticle(row: ArticleRow, links: Links): Article {
  return {
    _id: row.id,
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    kind: row.kind,
    language: row.language,
    translationLanguage: row.translation_language,
    level: row.level,
    topic: row.topic,
    narrator: {
      name: row.narrator,
      image: row.narrator_image === null ? null : links.picture(row.narrator_image),
    },
    image: links.picture(row.image),
    artwork: links.picture(row.artwork),
    duration: row.duration,
    publishedAt: row.published_at.toISOString(),
    chapters: row.chapters,
    pages: row.pages.map((page) => ({ ...page, image: links.picture(page.image) })),
    sentences: row.sentences,
    estimated: row.estimated,
  };
}
