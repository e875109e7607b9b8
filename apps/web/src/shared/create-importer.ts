import { fetchInTime } from './api/fetch-in-time.ts';

/** Rejects where the server cannot be reached. */
async function checkNetwork(): Promise<void> {
  if (globalThis.navigator?.onLine !== false || navigator.serviceWorker?.controller) return;
  // The server may be on this machine.
  await fetchInTime('/config.json', { method: 'HEAD', cache: 'no-store' });
}

/**
 * Returns a function that imports code, and rejects without a network. Chromium never fetches a module again whose fetch
 * has failed in the same document, so an import that must fail is not begun.
 */
export function createImporter<Code>(load: () => Promise<Code>): () => Promise<Code> {
  let isLoaded = false;
  return async () => {
    if (!isLoaded) await checkNetwork();
    const code = await load();
    isLoaded = true;
    return code;
  };
}
