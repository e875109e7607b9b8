import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Adds a function that runs at the end of the test that is running, or else of the file or `describe`; the last one added
 * runs first. Vitest ignores `afterAll` in a test.
 */
export function addCleanup(cleanup: () => unknown): void {
  const add = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  add(async () => {
    await cleanup();
  });
}

/**
 * Creates a folder, which is removed at the end of the test, the `describe` or the file that creates it. Other accounts may
 * traverse it: as root, PostgreSQL's account has to reach a database in it, which would otherwise be outside and stay.
 */
export async function createFolder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'escucho-own-')));
  await chmod(path, 0o711);
  addCleanup(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Lets a server listen on a free port of this machine until the test, the `describe` or the file ends. Returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  addCleanup(() => {
    if (server instanceof HttpServer) server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** A log that nobody reads. */
export const silentLog = { info() {}, warn() {}, error() {} };
