import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import zlib, { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerCompression } from './compression.ts';
import { createApp } from './index.ts';

const text = 'a track and another track, '.repeat(100);

const app = createApp();
await registerCompression(app);
app.get('/long', () => ({ text }));
app.route({
  method: ['GET', 'POST', 'DELETE'],
  url: '/short',
  config: { rateLimits: [] },
  handler: () => ({ text: 'short' }),
});
app.get('/gone', (_request, reply) => reply.status(410).send({ text: 'short' }));
app.get('/events', (_request, reply) => reply.type('text/event-stream').send(Readable.from([text])));
app.get('/picture', (_request, reply) => reply.type('image/webp').send(text));

app.get('/numbers/:number', (request) => ({ text: `${text}${JSON.stringify(request.params)}` }));
app.get('/named', (_request, reply) => reply.header('etag', '"1"').send({ text }));
app.get('/secret', (_request, reply) => reply.header('cache-control', 'no-store').send({ text }));

async function get(url: string, accepted?: string) {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const response = await app.inject({ url, headers });
  return { encoding: response.headers['content-encoding'], response };
}

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['*', 'br'],
])('compresses a response for Accept-Encoding %s as %s', async (accepted, expected) => {
  const { encoding, response } = await get('/long', accepted);
  expect(encoding).toBe(expected);
  expect(response.headers.vary).toBe('accept-encoding');
  const decompress = expected === 'br' ? brotliDecompressSync : gunzipSync;
  expect(JSON.parse(decompress(response.rawPayload).toString())).toEqual({ text });
  expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
});

it.each([undefined, '', 'identity', 'deflate', 'br;q=0'])(
  'does not compress for Accept-Encoding %s, but varies by it',
  async (accepted) => {
    const { encoding, response } = await get('/long', accepted);
    expect(encoding).toBeUndefined();
    expect(response.headers.vary).toBe('accept-encoding');
    expect(response.json()).toEqual({ text });
  },
);

it.each(['/short', '/events', '/picture'])('sends %s as it is', async (url) => {
  const { encoding, response } = await get(url, 'br');
  expect(encoding).toBeUndefined();
  expect(response.statusCode).toBe(200);
});

it.each([
  ['POST', '/short', 200],
  ['DELETE', '/short', 200],
  ['GET', '/gone', 410],
] as const)('never sends 304 for %s %s, which responds with %i', async (method, url, status) => {
  const { etag } = (await app.inject({ method, url })).headers;
  const response = await app.inject({ method, url, headers: { 'if-none-match': String(etag) } });
  expect([response.statusCode, response.json()]).toEqual([status, { text: 'short' }]);
});

it('sends 304 without a body to a client that has the response, whatever its encoding', async () => {
  const { etag } = (await get('/long', 'br')).response.headers;
  const response = await app.inject({ url: '/long', headers: { 'if-none-match': String(etag) } });
  expect(response.statusCode).toBe(304);
  expect(response.body).toBe('');
  expect([response.headers.etag, response.headers.vary]).toEqual([etag, 'accept-encoding']);
  const headers = { 'if-none-match': 'W/"another"', 'accept-encoding': 'gzip' };
  expect((await app.inject({ url: '/long', headers })).statusCode).toBe(200);
});

describe('a text that was compressed before', () => {
  const compressedTexts: unknown[] = [];
  const { brotliCompressSync } = zlib;
  beforeEach(() => {
    compressedTexts.splice(0);
    zlib.brotliCompressSync = (body, options) => {
      compressedTexts.push(body);
      return brotliCompressSync(body, options);
    };
    syncBuiltinESMExports();
  });
  afterEach(() => {
    zlib.brotliCompressSync = brotliCompressSync;
    syncBuiltinESMExports();
  });
  const read = async (url: string, accepted = 'br') => {
    const { response } = await get(url, accepted);
    const decompress = accepted === 'br' ? brotliDecompressSync : gunzipSync;
    return JSON.parse(decompress(response.rawPayload).toString()).text;
  };

  it('is not compressed again, and is never another text', async () => {
    for (const number of [1, 2, 1, 2, 1])
      expect(await read(`/numbers/${number}`)).toBe(`${text}{"number":"${number}"}`);
    expect(compressedTexts).toHaveLength(2);
    expect(await read('/numbers/1', 'gzip')).toBe(`${text}{"number":"1"}`);
  });

  it('is found by its content, not by an ETag of the handler', async () => {
    expect(await read('/named')).toBe(text);
    expect((await get('/named', 'br')).response.headers.etag).not.toBe('"1"');
  });

  it('is compressed again if it must not be stored', async () => {
    for (let times = 0; times < 2; times += 1) expect(await read('/secret')).toBe(text);
    expect(compressedTexts).toHaveLength(2);
  });
});
