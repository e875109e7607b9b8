import autocannon from 'autocannon';
import type { Environment, Measurement, OpenEnvironment, Result } from '../measurement.ts';
import { startBareServer } from '../support/bare-server.ts';
import { startCeilings } from '../support/ceilings.ts';
import { findConnection, withDatabase } from '../support/database.ts';
import { sendRequests, type Target } from '../support/requests.ts';
import { createUsers } from '../support/users.ts';

const ROUNDS = 5;
const CONNECTIONS = 10;
const SECONDS = 5;
const RANGE_BYTES = 64 * 1024;

interface Load {
  rate: number[];
  p99: number[];
}

const toResults = (label: string, load: Load, ceiling: Load): Result[] => [
  { label: `${label}, responses per second`, unit: '/s', values: load.rate, ceiling: ceiling.rate },
  { label: `${label}, p99`, unit: 'ms', values: load.p99, ceiling: ceiling.p99 },
];

/** Runs a load test of a target. */
async function loadTarget(target: Target, load: Load): Promise<void> {
  const latencies = (await sendRequests(target, CONNECTIONS, SECONDS)).sort((a, b) => a - b);
  load.rate.push(latencies.length / SECONDS);
  load.p99.push(latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN);
}

/** Runs a load test of a range of a file. Throws if a response is an error, which would be fast. */
async function loadRange(url: string, load: Load): Promise<void> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { range: `bytes=0-${RANGE_BYTES - 1}` },
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed.`);
  load.rate.push(requests.average);
  load.p99.push(latency.p99);
}

async function compare(
  label: string,
  measureProduct: (load: Load) => Promise<void>,
  measureCeiling: (load: Load) => Promise<void>,
): Promise<Result[]> {
  const load: Load = { rate: [], p99: [] };
  const ceiling: Load = { rate: [], p99: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await measureProduct(load);
    await measureCeiling(ceiling);
  }
  return toResults(label, load, ceiling);
}

interface Page {
  docs: { _id: string; url?: string | null; totalTracks?: number }[];
}

async function measurePage(environment: Environment, path: string, label: string): Promise<Result[]> {
  const { origin, pid } = environment;
  const users = await withDatabase(await findConnection(environment), (db) => createUsers(environment, db));
  const product = { origin, pid, paths: [path], users };
  const { ceilings, stop } = await startCeilings(environment, [product]);
  const [ceiling = { memory: product, database: product }] = ceilings;
  const measureProduct = (load: Load) => loadTarget(product, load);
  const results = [
    ...(await compare(`${label}, same statements`, measureProduct, (load) =>
      loadTarget(ceiling.database, load),
    )),
    ...(await compare(`${label}, from memory`, measureProduct, (load) => loadTarget(ceiling.memory, load))),
  ];
  stop();
  return results;
}

async function measureRange(url: string): Promise<Result[]> {
  const response = await fetch(url, { headers: { range: `bytes=0-${RANGE_BYTES - 1}` } });
  const body = Buffer.from(await response.arrayBuffer());
  const bareServer = await startBareServer({ '/same': { status: response.status, headers: {}, body } });
  try {
    return await compare(
      `${RANGE_BYTES / 1024} kB of audio by range request`,
      (load) => loadRange(url, load),
      (load) => loadRange(`${bareServer.origin}/same`, load),
    );
  } finally {
    await bareServer.stop();
  }
}

async function measure(open: OpenEnvironment): Promise<Result[]> {
  const environment = await open();
  const fetchPage = async (path: string): Promise<Page> =>
    (
      await fetch(`${environment.origin}/api${path}`, { headers: { authorization: environment.bearer } })
    ).json();
  const { docs: playlists } = await fetchPage(
    '/playlist/find-paginated?limit=100&filter={"origin":"system"}',
  );
  const [longestPlaylist] = playlists.sort((one, other) => (other.totalTracks ?? 0) - (one.totalTracks ?? 0));
  const path = `/playlist/find-playlist-content/${longestPlaylist?._id}?limit=20`;
  const { docs: tracks } = await fetchPage(path);
  return [
    ...(await measurePage(environment, `/api${path}`, `a page of ${tracks.length} tracks`)),
    ...(await measureRange(new URL(tracks[0]?.url ?? '', environment.origin).href)),
  ];
}

export const responses: Measurement = {
  name: 'answers',
  title: 'Responses under load',
  method: `${CONNECTIONS} connections for ${SECONDS} s, ${ROUNDS} interleaved rounds, client and server on the same machine; requests have the Accept-Encoding of browsers, and come from 1,000 users in turn. Ceilings of the page: a bare Fastify route that verifies the token, runs the same statements on as many connections, and returns the same bytes; one that verifies the token and returns the same bytes. Ceiling of the audio: a bare Fastify route that returns the same bytes.`,
  measure,
};
