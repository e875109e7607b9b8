import { type PublicConfig, publicConfig } from '@escucho/contracts';
import { useEffect, useState } from 'react';
import { ApiError, takeEarlyResponse } from './api/client.ts';
import { fetchInTime } from './network.ts';

const CONFIG_URL = '/config.json';

let loading: Promise<PublicConfig> | null = null;

async function fetchConfig(): Promise<PublicConfig> {
  const response = await (takeEarlyResponse(CONFIG_URL) ?? fetchInTime(CONFIG_URL)).catch(() => null);
  if (!response?.ok) throw new ApiError(response ? 'unavailable' : 'network', response?.status ?? 0);
  return publicConfig.parse(await response.json());
}

/**
 * Returns the public configuration, which is fetched once; after a failure, the next call tries again.
 *
 * @throws ApiError
 */
export function loadConfig(): Promise<PublicConfig> {
  loading ??= fetchConfig().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** When to do, after a start, what nothing waits for: the page's own requests and images go first. */
export const IDLE_DELAY_MS = 10_000;

/** False in development, where files change and must not be cached. */
export const IS_PRODUCTION = import.meta.env.PROD;

/** The time after which the configuration is loaded again where that failed: the first one, which doubles, and the longest. */
const RETRY_DELAY_MS = 5000;
const MAX_RETRY_DELAY_MS = 60_000;

/** Returns the public configuration, or undefined until it is loaded. */
export function useConfig(): PublicConfig | undefined {
  const [config, setConfig] = useState<PublicConfig>();
  useEffect(() => {
    let isMounted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let delay = RETRY_DELAY_MS;
    const load = () =>
      void loadConfig().then(
        (loaded) => isMounted && setConfig(loaded),
        () => {
          if (!isMounted) return;
          clearTimeout(timer);
          timer = setTimeout(load, delay);
          delay = Math.min(2 * delay, MAX_RETRY_DELAY_MS);
        },
      );
    load();
    addEventListener('online', load);
    return () => {
      isMounted = false;
      clearTimeout(timer);
      removeEventListener('online', load);
    };
  }, []);
  return config;
}
