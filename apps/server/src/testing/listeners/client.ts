import { Agent, request } from 'node:http';

/** A request without data for this time fails, as in the web app. */
const TIMEOUT_MS = 30_000;
/** What browsers open to one origin. */
const MAX_SOCKETS = 6;

export interface Sent {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The bytes of the response are counted only. */
  isDiscarded?: boolean;
  /** Receives the bytes of a chunk, and the size of the whole file where the response is a range. */
  onChunk?: (bytes: number, size: number) => void;
}

export interface Outcome {
  /** 0 where there was no response, or an incomplete one. */
  status: number;
  /** The status, or what happened instead of a response. */
  name: string;
  body: string;
}

const toFailure = (name: string): Outcome => ({ status: 0, name, body: '' });

/**
 * Creates a client with connections of its own, as a browser has. It is cheap: no promises per chunk, no decompression.
 *
 * @param address - the IP address that the reverse proxy reports
 */
export function createClient(origin: string, address: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const { hostname, port } = new URL(origin);

  /** Resolves to null where an idle connection was closed at the same moment: browsers open another one. */
  const sendOnce = ({ method = 'GET', path, headers = {}, body, isDiscarded = false, onChunk }: Sent) =>
    new Promise<Outcome | null>((resolve) => {
      const sent = request({
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, 'x-forwarded-for': address },
        timeout: TIMEOUT_MS,
      });
      let isTimeout = false;
      sent.on('timeout', () => {
        isTimeout = true;
        sent.destroy();
      });
      sent.on('error', () =>
        resolve(sent.reusedSocket && !isTimeout ? null : toFailure(isTimeout ? 'timeout' : 'no response')),
      );
      sent.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response;
        const size = Number(received['content-range']?.split('/')[1] ?? 0);
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          onChunk?.(chunk.length, size);
          if (!isDiscarded) chunks.push(chunk);
        });
        response.on('error', () => resolve(toFailure('broke off')));
        response.on('end', () => {
          resolve({ status, name: String(status), body: Buffer.concat(chunks).toString() });
        });
      });
      sent.end(body);
    });

  return {
    send: async (sent: Sent): Promise<Outcome> =>
      (await sendOnce(sent)) ?? (await sendOnce(sent)) ?? toFailure('no response'),
  };
}

export type Client = ReturnType<typeof createClient>;
