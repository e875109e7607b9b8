import { contentKind, contentLanguage, lengthBand, level } from '@escucho/contracts';
import * as z from 'zod/mini';

const orNothing = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

const known = z.object({
  language: orNothing(contentLanguage),
  level: orNothing(level),
  kind: orNothing(contentKind),
  topic: orNothing(z.string().check(z.minLength(1), z.maxLength(60))),
  length: orNothing(lengthBand),
});

/** What a search is narrowed to (CAT-03). */
export type Filters = z.infer<typeof known>;

/** In the order they stand on the page. */
export const filterNames = ['language', 'level', 'kind', 'topic', 'length'] as const;

/** The filters an address names; what it names wrongly counts as nothing. In: the address's query. */
export const filtersOf = (search: URLSearchParams): Filters => known.parse(Object.fromEntries(search));

/** Filters as a call sends them: without those that are not set. */
export const asked = (filters: Filters) => ({
  ...(filters.language && { language: filters.language }),
  ...(filters.level && { level: filters.level }),
  ...(filters.kind && { kind: filters.kind }),
  ...(filters.topic && { topic: filters.topic }),
  ...(filters.length && { length: filters.length }),
});

export const isNarrowed = (filters: Filters): boolean => filterNames.some((name) => filters[name]);
