import autocannon from 'autocannon';

/** What browsers send. */
export const acceptEncoding = 'gzip, deflate, br, zstd';
/** Slow responses of a busy machine count instead of failing. */
const TIMEOUT_SECONDS = 60;

export interface Target {
  origin: string;
  /** The server's process. */
  pid: number;
  paths: readonly string[];
  /** Authorization headers of the users who take turns. */
  users: readonly string[];
  /** Besides those of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Returns the body of the next request, which is a POST. */
  createBody?: () => Readonly<Record<string, unknown>>;
  /** Makes another request of a path, whose result is not cached. */
  uncachedSuffix?: string;
}

/** Returns the share of a connection in a list; at least one item. */
function getShare<Item>(items: readonly Item[], connection: number, connections: number): readonly Item[] {
  const [from = 0, to = 0] = [connection, connection + 1].map((n) =>
    Math.floor((n * items.length) / connections),
  );
  return items.slice(from, Math.max(to, from + 1));
}

/**
 * Requests paths repeatedly, each connection its share: autocannon builds all requests of a connection before the first
 * one, which blocks it. Throws if a response is an error, which would be fast.
 *
 * @returns the latencies in milliseconds with fractions, which autocannon's summary rounds
 */
export async function sendRequests(
  { origin, paths, users, headers, createBody }: Target,
  connections: number,
  seconds: number,
): Promise<number[]> {
  let connected = 0;
  const times: number[] = [];
  const { non2xx, errors } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    setupClient: (client) => {
      const [ownPaths, ownUsers] = [paths, users].map((items) => getShare(items, connected, connections));
      connected += 1;
      const count = Math.max(ownPaths?.length ?? 0, ownUsers?.length ?? 0);
      client.setRequests(
        Array.from({ length: count }, (_, index) => ({
          path: ownPaths?.[index % ownPaths.length] ?? '',
          headers: {
            ...headers,
            'accept-encoding': acceptEncoding,
            authorization: ownUsers?.[index % ownUsers.length] ?? '',
            ...(createBody && { 'content-type': 'application/json' }),
          },
          ...(createBody && {
            method: 'POST' as const,
            setupRequest: (request) => ({ ...request, body: JSON.stringify(createBody()) }),
          }),
        })),
      );
      client.on('response', (_status, _bytes, milliseconds) => times.push(milliseconds));
    },
  });
  if (non2xx + errors > 0) throw new Error(`${paths[0]}: ${non2xx} refused, ${errors} failed.`);
  return times;
}
