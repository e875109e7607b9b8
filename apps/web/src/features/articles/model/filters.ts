import { contentKind, contentLanguage, languageNames, lengthBand, level } from '@escucho/contracts';
import * as z from 'zod/mini';
import { normalizeText } from '#shared/i18n/format.ts';
import type { MessageKey, T } from '#shared/i18n/i18n.ts';

const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

const searchFilters = z.object({
  language: optional(contentLanguage),
  level: optional(level),
  kind: optional(contentKind),
  topic: optional(z.string().check(z.minLength(1), z.maxLength(60))),
  length: optional(lengthBand),
});

/** The filters of a search (CAT-03). */
export type SearchFilters = z.infer<typeof searchFilters>;

/** The names of the filters, in the order of the page. */
export const filterNames = ['language', 'level', 'kind', 'topic', 'length'] as const;

export type FilterName = (typeof filterNames)[number];

/** Reads the filters of an address; invalid values are ignored. */
export const parseFilters = (query: URLSearchParams): SearchFilters =>
  searchFilters.parse(Object.fromEntries(query));

export const hasFilters = (filters: SearchFilters): boolean => filterNames.some((name) => filters[name]);

/** Search words of either language that name a filter rather than a subject: lower case, without accents. */
const filtersByWord = new Map<string, SearchFilters>([
  ...Array.from(languageNames, ([name, language]) => [name, { language }] as const),
  ['audiobook', { kind: 'audiobook' }],
  ['audiobooks', { kind: 'audiobook' }],
  ['audiolibro', { kind: 'audiobook' }],
  ['audiolibros', { kind: 'audiobook' }],
  ...level.options.map((name) => [name.toLowerCase(), { level: name }] as const),
]);

const findFilter = (word: string): SearchFilters | undefined => filtersByWord.get(normalizeText(word));

/** A search term whose words partly name filters. */
interface FilterSuggestion {
  /** The term without the words that name a filter. */
  term: string;
  /** The filters those words name. */
  named: SearchFilters;
  /** The current filters with the named ones. */
  filters: SearchFilters;
}

/** Returns the filters a term names (CAT-03); null where they are all set already or there are none. */
export function suggestFilters(term: string, current: SearchFilters): FilterSuggestion | null {
  const words = term.split(/\s+/).filter(Boolean);
  const named: SearchFilters = Object.assign({}, ...words.map(findFilter));
  const filters = { ...current, ...named };
  if (filterNames.every((name) => filters[name] === current[name])) return null;
  return { term: words.filter((word) => !findFilter(word)).join(' '), named, filters };
}

/** The filter of a list of the catalogue, as query parameters of the API (CAT-04). */
export type ListFilter = Pick<SearchFilters, 'kind' | 'topic' | 'level'> & { narrator?: string };

/** Returns the filter of the list at `/articles/{resource}/{arg}`; null where there is no such list. */
export function parseListFilter(resource: string, arg: string | undefined): ListFilter | null {
  switch (resource.toLowerCase()) {
    case 'latest':
      return arg === undefined ? {} : null;
    case 'audiobooks':
      return arg === undefined ? { kind: 'audiobook' } : null;
    case 'topic':
      return arg ? { topic: arg } : null;
    case 'narrator':
      return arg ? { narrator: arg } : null;
    case 'level': {
      const parsed = level.safeParse(arg?.toUpperCase());
      return parsed.success ? { level: parsed.data } : null;
    }
    default:
      return null;
  }
}

const topicKeys: Record<string, MessageKey> = {
  culture: 'articles.topic_culture',
  'daily-life': 'articles.topic_daily_life',
  food: 'articles.topic_food',
  history: 'articles.topic_history',
  nature: 'articles.topic_nature',
  science: 'articles.topic_science',
  stories: 'articles.topic_stories',
  technology: 'articles.topic_technology',
  travel: 'articles.topic_travel',
};

const valueKeys: Record<string, MessageKey> = {
  en: 'discover.language_en',
  es: 'discover.language_es',
  article: 'articles.kindArticle',
  audiobook: 'articles.kindAudiobook',
  'visual-book': 'articles.kindVisualBook',
  short: 'articles.short',
  medium: 'articles.medium',
  long: 'articles.long',
};

/** Returns a topic's name in the user's language; a topic without a message is shown as it is written, capitalised. */
export function getTopicName(t: T, topic: string): string {
  const key = topicKeys[topic];
  if (key) return t(key);
  const text = topic.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the name of a filter's value in the user's language. */
export function getFilterValueName(t: T, name: FilterName, value: string): string {
  if (name === 'topic') return getTopicName(t, value);
  const key = valueKeys[value];
  return key && name !== 'level' ? t(key) : value;
}
