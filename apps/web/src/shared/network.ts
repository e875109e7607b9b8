/** A request without a response after this time fails as `network`. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** Fetches a response with all of its body, which can be read at any time. Rejects where that takes too long. */
export async function fetchInTime(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  // The signal would discard a body that is read after its time.
  return new Response(await response.arrayBuffer(), response);
}

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
