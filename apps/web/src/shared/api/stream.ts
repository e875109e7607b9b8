import type { Endpoint } from '@escucho/contracts';
import { createParser } from 'eventsource-parser';
import type * as z from 'zod/mini';
import { sendRequest } from './client.ts';

/** A stream without data for this time is broken: the server sends a comment at least every 25 s. */
const IDLE_TIMEOUT_MS = 60_000;

interface Listener<Data> {
  signal: AbortSignal;
  /** Called when the server has accepted the request. */
  onOpen: () => void;
  onEvent: (data: Data) => void;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Subscribes to an endpoint of server-sent events, ignoring invalid events. Resolves when the server ends the stream.
 *
 * @throws ApiError when the request is refused, and the browser's error when the connection breaks or `signal` is aborted
 */
export async function subscribeToEvents<Data>(
  endpoint: Endpoint & { response: z.ZodMiniType<Data> },
  { signal, onOpen, onEvent }: Listener<Data>,
): Promise<void> {
  const idle = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
  };
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = endpoint.response.safeParse(parseJson(data));
      if (event.success) onEvent(event.data);
    },
  });
  restartTimer();
  try {
    const response = await sendRequest(endpoint, {}, { signal: AbortSignal.any([signal, idle.signal]) });
    onOpen();
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      restartTimer();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}
