import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { connectionFromUrl, openDatabase } from '@escucho/database';
import { createTestDatabase, listenOnLoopback, silentLog } from '@escucho/database/testing';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { createJobQueue, defineJob, handleJob, openJobConnections, startJobWorker } from './index.ts';

/**
 * Starts a proxy in front of a PostgreSQL server. Its connections can be made silent, as by a server that disappears
 * without closing them.
 */
async function startProxy(target: NetConnectOpts) {
  const pairs: [Socket, Socket][] = [];
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    upstream.pipe(client);
    pairs.push([client, upstream]);
  });
  return {
    port: await listenOnLoopback(server),
    makeSilent() {
      for (const [client, upstream] of pairs) {
        client.unpipe();
        upstream.unpipe();
        client.resume();
        upstream.destroy();
      }
    },
    close() {
      for (const socket of pairs.flat()) socket.destroy();
    },
  };
}

it('performs jobs and reports metrics after connections became silent', async () => {
  const connection = await createTestDatabase();
  const { user, password = '', database } = connection;
  const proxy = await startProxy({ path: `${connection.host}/.s.PGSQL.${connection.port}` });
  onTestFinished(proxy.close);
  const db = openDatabase<object>({ connection, schema: 'billing', name: 'tests', maxConnections: 1 });
  onTestFinished(() => db.destroy());
  const queue = createJobQueue('billing');
  const greet = defineJob({ name: 'greet', payload: z.object({ name: z.string() }) });
  const greeted: string[] = [];
  const registry = new Registry();
  const connections = await openJobConnections({
    connection: connectionFromUrl(`postgres://${user}:${password}@127.0.0.1:${proxy.port}/${database}`),
    log: silentLog,
    responseTimeoutMs: 2000,
  });
  onTestFinished(connections.close);
  const handlers = [handleJob(greet, async ({ name }) => void greeted.push(name))];
  const worker = await startJobWorker({ queue, connections, handlers, log: silentLog, registry });
  onTestFinished(() => worker.stop());
  await queue.enqueue(db, greet, { name: 'Ana' });
  await expect.poll(() => greeted).toEqual(['Ana']);

  proxy.makeSilent();
  await queue.enqueue(db, greet, { name: 'Ben' });
  await expect.poll(() => greeted, { timeout: 20_000 }).toEqual(['Ana', 'Ben']);
  expect(await registry.metrics()).toMatch(/^jobs\{service="billing",state="dead"\} 0$/m);
});
