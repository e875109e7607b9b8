import { type PublicConfig, publicConfig } from '@escucho/contracts';
import { useEffect, useState } from 'react';
import { ApiError, takeEarlyResponse } from './api/client.ts';

const CONFIG_URL = '/config.json';

let loading: Promise<PublicConfig> | null = null;

async function fetchConfig(): Promise<PublicConfig> {
  const answer = await (takeEarlyResponse(CONFIG_URL) ?? fetch(CONFIG_URL)).catch(() => null);
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
export const IS_PRODUCTION = import.meta.env.PROD;

/** The place's configuration; undefined until it is there. */
export function useConfig(): PublicConfig | undefined {
  const [config, setConfig] = useState<PublicConfig>();
  useEffect(() => {
    let wanted = true;
    loadConfig().then(
      (loaded) => wanted && setConfig(loaded),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, []);
  return config;
}
