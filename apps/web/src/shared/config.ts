import { type PublicConfig, publicConfig } from '@escucho/contracts';
import { ApiError } from './api/api-error.ts';
import { takeEarly } from './early.ts';

export const apiBase = '/api';
export const configAddress = '/config.json';

let loading: Promise<PublicConfig> | null = null;

async function fetchConfig(): Promise<PublicConfig> {
  const answer = await (takeEarly(configAddress) ?? fetch(configAddress)).catch(() => null);
  if (!answer?.ok) throw new ApiError(answer ? 'unavailable' : 'network', answer?.status ?? 0);
  return publicConfig.parse(await answer.json());
}

/** The place's public configuration, fetched once; a failed try is forgotten, so that the next call tries again. Rejects with ApiError. */
export function loadConfig(): Promise<PublicConfig> {
  loading ??= fetchConfig().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Whether this is the built app: in development its files change under the browser, so nothing is kept. */
export const isBuilt = import.meta.env.PROD;
