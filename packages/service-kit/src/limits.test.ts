import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp, requestLimits } from './app.ts';

const app = createApp({ requestTimeoutMs: 300 });
app.post('/', { config: { rateLimits: [] } }, async () => 'done');
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(() => app.close());

/** Sends bytes over a connection that stays open, and returns the status line of the response. */
async function sendRaw(bytes: string): Promise<string | undefined> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(bytes);
  return (await text(socket)).split('\r\n')[0];
}

const start = 'POST / HTTP/1.1\r\nHost: escucho.example\r\nConnection: close\r\n';

describe('limits of requests', () => {
  it('end a request whose headers never end', async () => {
    expect(await sendRaw(start)).toBe('HTTP/1.1 408 Request Timeout');
  });

  it('end a request whose body never ends', async () => {
    const headers = 'Content-Type: text/plain\r\nContent-Length: 100\r\n\r\n';
    expect(await sendRaw(`${start}${headers}abc`)).toBe('HTTP/1.1 408 Request Timeout');
  });

  it('refuse headers of more than 16 KiB', async () => {
    const header = `X-Long: ${'x'.repeat(requestLimits.headerBytes)}\r\n\r\n`;
    expect(await sendRaw(start + header)).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  });

  it('refuse a body of more than 256 KiB', async () => {
    const payload = 'x'.repeat(requestLimits.bodyBytes + 1);
    const response = await app.inject({
      method: 'POST',
      url: '/',
      payload,
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.statusCode).toBe(413);
  });

  it('apply to the product: 10 s for headers, 30 s for a request', async () => {
    const { server, initialConfig } = createApp();
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 72_000,
    });
    expect(initialConfig.bodyLimit).toBe(262_144);
  });
});
