/** A request without a response after this time fails as `network`. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** Fetches a response with all of its body, which can be read at any time. Rejects where that takes too long. */
export async function fetchInTime(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  // The signal would discard a body that is read after its time.
  return new Response(await response.arrayBuffer(), response);
}
