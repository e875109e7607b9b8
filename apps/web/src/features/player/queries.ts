import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

/** What is heard, with its sentences: for the ticks of the scrubber and for reading along (PLAY-08). */
export const heardArticle = (id: string) =>
  queryOptions({
    queryKey: ['article', id],
    queryFn: ({ signal }) => call(api.articles.findArticle, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
