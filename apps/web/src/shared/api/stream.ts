import type { Endpoint } from '@escucho/contracts';
import { createParser } from 'eventsource-parser';
import type * as z from 'zod/mini';
import { sendRequest } from './client.ts';

/** A line that is silent for so many milliseconds is dead: the server says at least every 25 s that it is not. */
const longestSilence = 60_000;

interface Listener<Data> {
  signal: AbortSignal;
  /** The server has let us in. */
  onOpen: () => void;
  onEvent: (data: Data) => void;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Listens to an endpoint of server-sent events; what breaks the contract is overlooked. Resolves when the server ends the
 * stream. Rejects with ApiError when there is none, and with the browser's error when the line dies or the listener leaves.
 */
export async function subscribeToEvents<Data>(
  endpoint: Endpoint & { response: z.ZodMiniType<Data> },
  { signal, onOpen, onEvent }: Listener<Data>,
): Promise<void> {
  const dead = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => dead.abort(), longestSilence);
  };
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = endpoint.response.safeParse(json(data));
      if (event.success) onEvent(event.data);
    },
  });
  alive();
  try {
    const answer = await sendRequest(endpoint, {}, { signal: AbortSignal.any([signal, dead.signal]) });
    onOpen();
    const lines = answer.body?.getReader();
    const decoder = new TextDecoder();
    for (let read = await lines?.read(); read && !read.done; read = await lines?.read()) {
      alive();
      parser.feed(decoder.decode(read.value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}
