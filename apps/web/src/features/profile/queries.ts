import { api } from '@escucho/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';

/** The request for the user's names and choices. */
export const settingsRequest = () => [api.settings.findSettings, {}] as const;

/** Queries the user's names and choices (SUB-07). */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call(...settingsRequest(), { signal }),
});
