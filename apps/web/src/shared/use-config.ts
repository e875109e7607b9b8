import type { PublicConfig } from '@escucho/contracts';
import { useEffect, useState } from 'react';
import { loadConfig } from './config.ts';

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
