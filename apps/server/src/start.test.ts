import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createDeferred, createFolder, listenOnLoopback } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';

/** The server that `npm test` has built, which starts in less time, or else its source. */
const main = process.env.SERVER_BUNDLE ?? fileURLToPath(new URL('main.ts', import.meta.url));
const loader = process.env.SERVER_BUNDLE ? [] : ['--import', 'tsx'];
const contentCommand = fileURLToPath(new URL('cli/content.ts', import.meta.url));
const directory = await createFolder();

/** Starts the product as a process with additional environment variables. */
function start(env: NodeJS.ProcessEnv, args = [...loader, main]): ChildProcess {
  const { DATABASE_URL: _, ...rest } = process.env;
  const settings = { ...rest, NODE_ENV: 'development', DATA_DIR: join(directory, 'data'), ...env };
  return spawn(process.execPath, args, {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Reads the output until the product is ready. */
async function readBanner(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    if (output.includes('is ready')) break;
  }
  return output;
}

/** Listens on a free port until `close` is called. */
async function occupyPort(): Promise<{ port: string; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: String(typeof address === 'object' ? address?.port : 0), close: () => server.close() };
}

/** Starts a collector of OpenTelemetry. Returns its URL and the names of the spans and metrics that it received. */
async function startCollector() {
  const received: { path: string; body: string }[] = [];
  const server = createHttpServer(async (request, response) => {
    received.push({ path: request.url ?? '', body: await text(request) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const findBodies = (path: string) => received.filter((sent) => sent.path === path).map(({ body }) => body);
  return { url, findBodies };
}

const collector = await startCollector();

describe('starting the product', () => {
  it('initialises at the first start, starts again, and exits with 0 on SIGTERM', async () => {
    const { port, close } = await occupyPort();
    close();
    for (const round of [1, 2]) {
      const child = start({ PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
      const output = await readBanner(child);
      expect(output, `start ${round}`).toContain(`http://localhost:${port}`);
      expect(output).toContain('demo@escucho.test');
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
      const config = await (await fetch(`http://127.0.0.1:${port}/config.json`)).text();
      const { identity } = JSON.parse(config);
      await fetch(`${identity.jwksUri}?secret=in-the-query`);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
  }, 240_000);

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'exits with 0 on %s that arrives twice, as npm passes it on',
    async (signal) => {
      const { port, close } = await occupyPort();
      close();
      const child = start({ PORT: port, SHUTDOWN_DELAY_SECONDS: '1' });
      await readBanner(child);
      child.kill(signal);
      const readiness = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
      await expect.poll(readiness).toBe(503);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
    60_000,
  );

  it.each([
    ['the product', [...loader, main], 0],
    ['a command', ['--import', 'tsx', contentCommand, 'load'], 143],
  ])(
    '%s that SIGTERM ends during its start stops the embedded database',
    async (_name, args, exitCode) => {
      const folder = await createFolder();
      const { port, close } = await occupyPort();
      close();
      const child = start({ DATA_DIR: folder, PORT: port }, args);
      // Articles are stored, after the start of the database.
      const findMedia = async () => (await readdir(join(folder, 'media')).catch(() => [])).length;
      await expect.poll(findMedia, { timeout: 60_000 }).toBeGreaterThan(0);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([exitCode, null]);
      const isRunning = () => existsSync(join(folder, 'postgres/cluster/postmaster.pid'));
      await expect.poll(isRunning, { timeout: 10_000 }).toBe(false);
    },
    120_000,
  );

  it('exits with 0 on SIGTERM when the collector of OpenTelemetry does not respond', async () => {
    const { port, close } = await occupyPort();
    close();
    const silent = await occupyPort();
    const child = start({ PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silent.port}` });
    await readBanner(child);
    await fetch(`http://127.0.0.1:${port}/config.json`);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    silent.close();
  }, 60_000);

  it.each([
    ['does not read any more', () => {}],
    ['has gone', (child: ChildProcess) => child.stdout?.destroy()],
  ])(
    'exits with 0 on SIGTERM when the consumer of a full log %s',
    async (_, leave) => {
      const { port, close } = await occupyPort();
      close();
      const child = start({ PORT: port, LOG_LEVEL: 'info' });
      const { promise: isReady, resolve } = createDeferred();
      child.stdout?.on('data', (chunk) => String(chunk).includes('is ready') && resolve());
      await isReady;
      child.stdout?.pause();
      // Twice as much as the pipe and the stream hold.
      for (let round = 0; round < 60; round += 1) {
        const requests = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/api/auth/me`));
        await Promise.all(requests.map(async (request) => (await request).text()));
      }
      leave(child);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
    60_000,
  );

  it('stops PostgreSQL and exits with 1 after an uncaught error', async () => {
    const { port, close } = await occupyPort();
    close();
    const failOnSignal = "process.once('SIGWINCH', () => { throw new Error('uncaught in the test') })";
    const child = start({ PORT: port, NODE_OPTIONS: `--import "data:text/javascript,${failOnSignal}"` });
    const postmasterFile = join(directory, 'data', 'postgres', 'cluster', 'postmaster.pid');
    await readBanner(child);
    expect(existsSync(postmasterFile)).toBe(true);
    child.kill('SIGWINCH');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(existsSync(postmasterFile)).toBe(false);
  }, 240_000);

  it('sends traces of requests, SQL and jobs, and metrics, to the collector', () => {
    const traces = collector.findBodies('/v1/traces').join();
    const names = [...traces.matchAll(/"name":"([^"]+)","kind"/g)].map(([, name]) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^GET \/identity\/:poolId\/\.well-known/),
        expect.stringMatching(/^pg\.query:SELECT/),
        expect.stringMatching(/^job billing \w+$/),
      ]),
    );
    expect(traces).toContain('"stringValue":"escucho"');
    expect(traces).not.toMatch(/in-the-query|health\/ready/);
    expect(collector.findBodies('/v1/metrics').join()).toMatch(/"name":"http\.server\.\w+/);
  });

  it('prints no demo accounts or pages that only other processes serve', async () => {
    const { port, close } = await occupyPort();
    close();
    const child = start({ PORT: port, ROLES: 'web', PUBLIC_URL: `http://localhost:${port}` });
    const output = await readBanner(child);
    child.kill('SIGTERM');
    expect(output.trim()).toBe(`Escucho is ready: http://localhost:${port}`);
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 60_000);

  it.each([
    ['the port is taken', (port: string) => ({ PORT: port }), /Port \d+ is taken/],
    [
      'the file of offerings does not exist',
      () => ({ BILLING_OFFERINGS: '/nowhere.json' }),
      /BILLING_OFFERINGS/,
    ],
    [
      'the database is unreachable',
      () => ({ DATABASE_URL: 'postgres://escucho@127.0.0.1:1/escucho' }),
      /127\.0\.0\.1:1 cannot be reached/,
    ],
    [
      'the host to listen on has no address',
      (port: string) => ({
        ROLES: 'web',
        PUBLIC_URL: `http://localhost:${port}`,
        HOST: 'nowhere.invalid',
        DEMO: 'true',
      }),
      /HOST: nowhere\.invalid has no address/,
    ],
    ['a setting is invalid', () => ({ PORT: 'x' }), /PORT: must be a port/],
    ['the data directory is a file', () => ({ DATA_DIR: main }), /main\.[jt]s is not a directory/],
  ])(
    'exits with 1 and a message when %s',
    async (_, settings, sentence) => {
      const { port, close } = await occupyPort();
      const child = start(settings(port));
      const [output, [code]] = await Promise.all([text(child.stderr ?? process.stdin), once(child, 'exit')]);
      close();
      expect(code).toBe(1);
      expect(output).toMatch(sentence);
      // Parts that were started are stopped without messages of their own.
      expect(output.trim().split('\n').length).toBeLessThan(3);
      expect(output).not.toMatch(/^\s+at /m);
    },
    240_000,
  );
});
