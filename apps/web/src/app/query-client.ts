import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../shared/api/client.ts';

/** What is worth another try: no answer, or a server in trouble; never a refusal. */
const worthATry = (tries: number, error: unknown) =>
  tries < 2 && error instanceof ApiError && (error.code === 'network' || error.status >= 500);

/** Where answers of the own API are kept while the page is open. */
export const makeQueryClient = () =>
  new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: worthATry } } });
