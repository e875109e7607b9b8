import autocannon from 'autocannon';
import { type Given, serveBare } from './bare.ts';
import type { Figure, Measurement, OpenBench } from './figure.ts';

const rounds = 5;
const connections = 10;
const seconds = 5;
const rangeBytes = 64 * 1024;

interface Load {
  rate: number[];
  p99: number[];
}

/** Ten connections for five seconds. Throws when an answer is not what it should be: a refusal is quick. */
async function loaded(url: string, headers: Record<string, string>, into: Load): Promise<void> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
  });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed.`);
  into.rate.push(requests.average);
  into.p99.push(latency.p99);
}

const perMessage = /^(connection|keep-alive|date|transfer-encoding|content-length|content-encoding|vary)$/;

/** Asks once, so that the bare route can answer with the same status, headers and bytes. */
export async function copyOf(url: string, headers: Record<string, string>): Promise<Given> {
  const answer = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const kept = [...answer.headers].filter(([name]) => !perMessage.test(name));
  return {
    status: answer.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Ours and the bare route in turns. */
async function compared(what: string, url: string, headers: Record<string, string>): Promise<Figure[]> {
  const bare = await serveBare({ '/same': await copyOf(url, headers) });
  const [ours, ceiling]: [Load, Load] = [
    { rate: [], p99: [] },
    { rate: [], p99: [] },
  ];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await loaded(url, headers, ours);
      await loaded(`${bare.origin}/same`, headers, ceiling);
    }
  } finally {
    await bare.stop();
  }
  return [
    { what: `${what}, responses per second`, unit: '/s', ours: ours.rate, ceiling: ceiling.rate },
    { what: `${what}, p99`, unit: 'ms', ours: ours.p99, ceiling: ceiling.p99 },
  ];
}

interface Page {
  docs: { _id: string; url?: string | null; totalTracks?: number }[];
}

async function measure(open: OpenBench): Promise<Figure[]> {
  const { origin, bearer } = await open();
  const headers = { authorization: bearer };
  const ask = async (path: string): Promise<Page> =>
    (await fetch(`${origin}/api${path}`, { headers })).json();
  const { docs: playlists } = await ask('/playlist/find-paginated?limit=100&filter={"origin":"system"}');
  const [longest] = playlists.sort((one, other) => (other.totalTracks ?? 0) - (one.totalTracks ?? 0));
  const path = `/playlist/find-playlist-content/${longest?._id}?limit=20`;
  const { docs: tracks } = await ask(path);
  const media = new URL(tracks[0]?.url ?? '', origin).href;
  return [
    ...(await compared(`a page of ${tracks.length} tracks`, `${origin}/api${path}`, headers)),
    ...(await compared(`${rangeBytes / 1024} kB of audio by range request`, media, {
      range: `bytes=0-${rangeBytes - 1}`,
    })),
  ];
}

export const answers: Measurement = {
  name: 'answers',
  title: 'Responses under load',
  how: `${connections} connections for ${seconds} s, ${rounds} interleaved rounds, client and server on the same machine. Ceiling: a bare Fastify route that returns the same bytes from memory.`,
  measure,
};
