import { flatten } from '#shared/i18n/flatten.ts';
import { articles } from './articles.ts';
import { books } from './books.ts';

/** What search, the lists, an article's page and the visual books say. */
export const reading = { articles, books };
export const texts = flatten(reading);
