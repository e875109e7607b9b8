import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@escucho/database';
import { toDatabaseUrl } from '@escucho/database/testing';
import { startProduct } from '../../../e2e/support/product.ts';
import type { Environment } from '../measurement.ts';
import { findConnection } from './database.ts';
import { acceptEncoding, type Target } from './requests.ts';

/** So many of a target's requests are recorded. */
export const MAX_RECORDED = 20;
const SECOND_PORT_OFFSET = 100;
const TRANSPORT_HEADERS = /^(connection|keep-alive|date|transfer-encoding|content-length)$/;

const resolvePath = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** A statement that the product sent, as pg's `query` takes it. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string;
}

/** Sends a request of a target and copies the response as it is; `fetch` would decompress it. */
async function copyResponse({ origin, users, createBody, ...target }: Target, path: string, user: number) {
  const sentBody = createBody?.();
  const sent = request(origin + path, {
    method: createBody ? 'POST' : 'GET',
    headers: {
      ...target.headers,
      'accept-encoding': acceptEncoding,
      authorization: users[user % users.length],
      ...(createBody && { 'content-type': 'application/json' }),
    },
  });
  sent.end(sentBody && JSON.stringify(sentBody));
  const [response]: IncomingMessage[] = await once(sent, 'response');
  const status = response?.statusCode;
  if (!response || (status !== 200 && status !== 206)) throw new Error(`${path}: ${status}`);
  const headers = Object.entries(response.headers).filter(([name]) => !TRANSPORT_HEADERS.test(name));
  const chunks: Buffer[] = await response.toArray();
  return {
    status,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('base64'),
    /** The id in the statements that is a new one in each request. */
    newId: sentBody && String(sentBody.device),
  };
}

/** Starts a second process of the product on the same database, with the same keys. */
async function startSecondProduct(connection: Connection, dataDir: string, env: Record<string, string>) {
  const secondDir = join(dataDir, 'second');
  mkdirSync(secondDir, { recursive: true });
  copyFileSync(join(dataDir, 'secrets.json'), join(secondDir, 'secrets.json'));
  return startProduct(Number(process.env.BENCH_PORT ?? 4187) + SECOND_PORT_OFFSET, secondDir, {
    ...env,
    DATABASE_URL: toDatabaseUrl(connection),
    MEDIA_STORE: `file:${join(dataDir, 'media')}`,
  });
}

/** Records responses and their statements at a second process of the product, once its caches are filled. */
async function recordResponses(connection: Connection, dataDir: string, targets: readonly Target[]) {
  const file = join(dataDir, 'recorded-queries.jsonl');
  const product = await startSecondProduct(connection, dataDir, {
    NODE_OPTIONS: `--import ${resolvePath('./record-queries.mjs')}`,
    RECORDED_QUERIES: file,
  });
  try {
    const responses = [];
    for (const target of targets) {
      const recorded = { ...target, origin: product.origin };
      for (const [user, path] of target.paths.slice(0, MAX_RECORDED).entries()) {
        // A system playlist is shared from its second request on.
        for (let request = 0; request < 2; request += 1) await copyResponse(recorded, path, user);
        writeFileSync(file, '');
        const response = await copyResponse(recorded, path + (target.uncachedSuffix ?? ''), user);
        const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
        const statements: Statement[] = lines.map((line) => JSON.parse(line));
        responses.push({ ...response, statements });
      }
    }
    return responses;
  } finally {
    await product.stop();
    rmSync(file, { force: true });
  }
}

/** A response of the product with the statements that it took. */
export type Recording = Awaited<ReturnType<typeof recordResponses>>[number];

/**
 * Starts a bare Fastify server with the responses of targets, in a process of its own.
 *
 * @returns the ceilings of each target: `memory` verifies the token and sends the same bytes; `database` also runs the same
 *   statements; `recordings` has these
 */
export async function startCeilings({ dataDir }: Pick<Environment, 'dataDir'>, targets: readonly Target[]) {
  const connection = await findConnection({ dataDir });
  const responses = await recordResponses(connection, dataDir, targets);
  const { readerTokenSecret: secret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const server = fork(resolvePath('./ceiling-server.mjs'));
  server.send({ secret, connection, responses });
  const [origin] = await once(server, 'message');
  let next = 0;
  const ceilings = targets.map((target) => {
    const indexes = target.paths.slice(0, MAX_RECORDED).map(() => next++);
    const toTarget = (kind: string): Target => ({
      ...target,
      origin: String(origin),
      pid: server.pid ?? 0,
      paths: indexes.map((index) => `/${kind}/${index}`),
    });
    const recordings = indexes.flatMap((index) => responses[index] ?? []);
    return { memory: toTarget('memory'), database: toTarget('database'), recordings };
  });
  return { ceilings, stop: () => server.kill() };
}
