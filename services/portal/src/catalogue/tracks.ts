import { sql } from 'kysely';
import { isFavourite } from '../favourites/repository.ts';

/** What a track's row holds, as parts of a query with the article as `a` and one reader's place in it as `l`. */
export const trackColumns = (reader: string) =>
  sql`a.id, a.title, a.narrator, a.kind, a.language, a.level, a.topic, a.image, a.artwork, a.audio, a.duration,
    coalesce(l.position, 0) as progress, ${isFavourite(reader, 'a.id')} as "like"`;

export const trackPlace = (reader: string) =>
  sql`left join listening_place l on l.article_id = a.id and l.user_id = ${reader}`;
