import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createTestDatabase, listenOnLoopback } from '@escucho/database/testing';
import { settleJobs } from '@escucho/jobs/testing';
import { afterAll, expect, it } from 'vitest';
import { createIdentityAdmin } from '../admin.ts';
import { openIdentityDatabase } from '../database.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { clientId, poolId, secret, startPool } from '../testing/pool.ts';
import { jobQueue } from './repository.ts';

const connection = await createTestDatabase();
const db = openIdentityDatabase(connection, 'test', 2);
afterAll(() => db.destroy());

/** Starts a server that accepts connections and sends nothing. */
async function startStalledServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  return {
    port: await listenOnLoopback(server),
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

it('[IDP-04] a mail that fails after a newer one replaced it is dropped, and not dead', async () => {
  const stalled = await startStalledServer();
  const smtp = { url: `smtp://127.0.0.1:${stalled.port}`, from: 'Escucho <no-reply@escucho.test>' };
  const pool = await startPool(connection, { smtp });
  const Username = `ana-${randomUUID()}@example.test`;
  await pool.signUp(Username);
  await expect.poll(() => jobQueue.countJobs(db)).toMatchObject({ running: 1 });
  await pool.call('ResendConfirmationCode', { ClientId: clientId, Username });
  await stalled.stop();
  await settleJobs(db, jobQueue);
  expect(await jobQueue.countJobs(db)).toEqual({ waiting: 1, running: 0, dead: 0 });

  const server = await startMailServer({ port: stalled.port });
  await settleJobs(db, jobQueue, { advanceMs: 60_000 });
  expect(server.received).toHaveLength(1);
  const [, ConfirmationCode] = /Your confirmation code is (\d{6})/.exec(server.received[0]?.raw ?? '') ?? [];
  const confirmation = { ClientId: clientId, Username, ConfirmationCode };
  expect((await pool.call('ConfirmSignUp', confirmation)).status).toBe(200);
  await pool.app.close();
  await server.stop();
});

it('[IDP-01] a mail that fails after its account was deleted is dropped', async () => {
  const stalled = await startStalledServer();
  const smtp = { url: `smtp://127.0.0.1:${stalled.port}`, from: 'Escucho <no-reply@escucho.test>' };
  const pool = await startPool(connection, { smtp });
  const email = `ana-${randomUUID()}@example.test`;
  await pool.signUp(email);
  await expect.poll(() => jobQueue.countJobs(db)).toMatchObject({ running: 1 });
  const admin = createIdentityAdmin({ connection, poolId, secret, smtp });
  await admin.deleteUser(email);
  await admin.close();
  await stalled.stop();
  await settleJobs(db, jobQueue);
  expect(await jobQueue.countJobs(db)).toEqual({ waiting: 0, running: 0, dead: 0 });
  await pool.app.close();
});
