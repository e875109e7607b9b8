import autocannon from 'autocannon';
import type { Measurement, OpenEnvironment, Result } from '../measurement.ts';
import { type FixedResponse, startBareServer } from '../support/bare-server.ts';

const ROUNDS = 5;
const CONNECTIONS = 10;
const SECONDS = 5;
const RANGE_BYTES = 64 * 1024;

interface Load {
  rate: number[];
  p99: number[];
}

/** Runs a load test of five seconds. Throws if a response is an error, which would be fast. */
async function runLoad(url: string, headers: Record<string, string>, load: Load): Promise<void> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed.`);
  load.rate.push(requests.average);
  load.p99.push(latency.p99);
}

const TRANSPORT_HEADERS =
  /^(connection|keep-alive|date|transfer-encoding|content-length|content-encoding|vary)$/;

/** Requests a URL once, so that a bare route can send the same status, headers and bytes. */
export async function copyResponse(url: string, headers: Record<string, string>): Promise<FixedResponse> {
  const response = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const headersToCopy = [...response.headers].filter(([name]) => !TRANSPORT_HEADERS.test(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headersToCopy),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

async function compare(label: string, url: string, headers: Record<string, string>): Promise<Result[]> {
  const bareServer = await startBareServer({ '/same': await copyResponse(url, headers) });
  const [load, ceiling]: [Load, Load] = [
    { rate: [], p99: [] },
    { rate: [], p99: [] },
  ];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await runLoad(url, headers, load);
      await runLoad(`${bareServer.origin}/same`, headers, ceiling);
    }
  } finally {
    await bareServer.stop();
  }
  return [
    { label: `${label}, responses per second`, unit: '/s', values: load.rate, ceiling: ceiling.rate },
    { label: `${label}, p99`, unit: 'ms', values: load.p99, ceiling: ceiling.p99 },
  ];
}

interface Page {
  docs: { _id: string; url?: string | null; totalTracks?: number }[];
}

async function measure(open: OpenEnvironment): Promise<Result[]> {
  const { origin, bearer } = await open();
  const headers = { authorization: bearer };
  const fetchPage = async (path: string): Promise<Page> =>
    (await fetch(`${origin}/api${path}`, { headers })).json();
  const { docs: playlists } = await fetchPage(
    '/playlist/find-paginated?limit=100&filter={"origin":"system"}',
  );
  const [longestPlaylist] = playlists.sort((one, other) => (other.totalTracks ?? 0) - (one.totalTracks ?? 0));
  const path = `/playlist/find-playlist-content/${longestPlaylist?._id}?limit=20`;
  const { docs: tracks } = await fetchPage(path);
  const media = new URL(tracks[0]?.url ?? '', origin).href;
  return [
    ...(await compare(`a page of ${tracks.length} tracks`, `${origin}/api${path}`, headers)),
    ...(await compare(`${RANGE_BYTES / 1024} kB of audio by range request`, media, {
      range: `bytes=0-${RANGE_BYTES - 1}`,
    })),
  ];
}

export const responses: Measurement = {
  name: 'answers',
  title: 'Responses under load',
  method: `${CONNECTIONS} connections for ${SECONDS} s, ${ROUNDS} interleaved rounds, client and server on the same machine. Ceiling: a bare Fastify route that returns the same bytes from memory.`,
  measure,
};
