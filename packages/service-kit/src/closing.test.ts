import { Agent, type IncomingMessage, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from './app.ts';

/** Starts an app whose responses end when `body` does, and a client that keeps its connection open. */
async function startApp(preClose: () => Promise<unknown> = async () => {}) {
  const app = createApp();
  const body = new PassThrough();
  const config = { rateLimits: [] };
  app.get('/stream', { config }, async () => body);
  app.get('/late', { config }, () => text(body));
  app.get('/', { config }, async () => 'done');
  const arrivals = new PassThrough();
  app.addHook('onRequest', async ({ url }) => void arrivals.write(url));
  app.addHook('preClose', async () => void (await preClose()));
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const get = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ agent, port, path }, resolve).on('error', reject).end();
    });
  return { app, body, arrivals, get };
}

it('an app that closes ends a connection whose response begins afterwards', async () => {
  const { app, body, arrivals, get } = await startApp();
  const responding = get('/late');
  await arrivals[Symbol.asyncIterator]().next();
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  body.end('late');
  expect(await text(await responding)).toBe('late');
  await closed;
});

it('an app that closes ends a connection whose response has begun', async () => {
  const { app, body, get } = await startApp();
  body.write('begun, ');
  const response = await get('/stream');
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  body.end('ended');
  expect(await text(response)).toBe('begun, ended');
  await closed;
});

it('an app that closes serves what arrives while its plugins stop', async () => {
  const stopped = new PassThrough();
  const { app, get } = await startApp(() => text(stopped));
  await text(await get('/'));
  const closed = app.close();
  const response = await get('/');
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  expect(await text(response)).toBe('done');
  stopped.end();
  await closed;
});
