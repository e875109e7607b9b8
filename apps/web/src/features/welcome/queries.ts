import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import type { Language } from '#shared/choices.ts';

/** The catalogue in one language, with a sample that plays without an account. */
export const showcaseQuery = (language: Language) =>
  queryOptions({
    queryKey: ['showcase', language],
    queryFn: ({ signal }) => call(api.visitors.findShowcase, { query: { language } }, { signal }),
    // Fetched again while the page is open, the audio would start over.
    staleTime: Number.POSITIVE_INFINITY,
  });
