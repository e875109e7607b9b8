import { connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { AppError, endpoint, isErrorCode } from '@escucho/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { createApp, createRouter, loggerOptions, registerMetrics, registerOpenApi } from './index.ts';

const greet = endpoint({
  method: 'POST',
  path: '/greetings/:id',
  summary: 'Greets',
  access: 'user',
  rateLimit: 'none',
  params: z.object({ id: z.string().check(z.maxLength(5, 'field_too_long')) }),
  query: z.object({ times: z.optional(z.coerce.number('field_invalid')) }),
  body: z.object({ name: z.string('field_invalid'), password: z.optional(z.string()) }),
  response: z.object({ text: z.string() }),
  errors: ['conflict'],
});

const count = endpoint({
  method: 'GET',
  path: '/counts',
  summary: 'Counts',
  access: 'user',
  rateLimit: 'none',
  events: true,
  response: z.number(),
  errors: ['unavailable'],
});

/** Creates an app with the endpoints above; the name in a request determines the result. Appends log lines to `log`. */
async function createTestApp(log: string[] = []) {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const app = createApp({ logger: { ...loggerOptions('info'), stream } });
  registerMetrics(app, { token: undefined, publicUrl: 'https://escucho.example' });
  await app.register(
    async (api) => {
      await registerOpenApi(api, { title: 'Greetings', version: '1' });
      const route = createRouter(api, {
        authenticate: async (request) => {
          if (request.headers.authorization !== 'Bearer good') throw new AppError('unauthorized');
          return { id: 'u1' };
        },
      });
      route(count).stream(() => Readable.from(['data: 1\n\n', 'data: 2\n\n']));
      route(greet).handle(({ params, body, user, request }) => {
        request.log.info({ body }, 'greeting');
        if (isErrorCode(body.name)) throw new AppError(body.name);
        if (body.name === 'crash') {
          const cause = Object.assign(new Error('a row'), {
            code: '23505',
            detail: 'Failing row contains (hunter22).',
            cause: { hint: 'hunter22' },
          });
          throw new Error('the secret is out', { cause });
        }
        if (body.name === 'wrong') return Object.assign({ text: '' }, { text: 7 });
        return { text: `${params.id} ${body.name} ${user.id}` };
      });
    },
    { prefix: '/api' },
  );
  return app;
}

const headers = { authorization: 'Bearer good' };
const post = async (payload: object, extra: Record<string, string> = {}, url = '/api/greetings/a1') =>
  (await createTestApp()).inject({ method: 'POST', url, payload, headers: { ...headers, ...extra } });

describe('a JSON endpoint', () => {
  it('passes the parsed request and the user to the handler', async () => {
    const response = await post({ name: 'Ana' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ text: 'a1 Ana u1' });
  });

  it('authenticates before the body is parsed', async () => {
    const response = await post({ name: 5 }, { authorization: 'Bearer bad' });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json().error.code).toBe('unauthorized');
  });

  it('responds with 500 in tests when the response does not match the contract', async () => {
    expect((await post({ name: 'wrong' })).statusCode).toBe(500);
  });

  it('is described by OpenAPI with its errors', async () => {
    const response = await (await createTestApp()).inject('/api/openapi.json');
    const operation = response.json().paths['/api/greetings/{id}'].post;
    expect(Object.keys(operation.responses).sort()).toEqual(['200', '400', '401', '409', '429', '500']);
    expect(operation.requestBody.content['application/json'].schema.required).toEqual(['name']);
  });
});

const toDatabaseError = (code: string) => Object.assign(new Error('of the database'), { code });

describe('an error of the database', () => {
  it.each([
    ['no free connection', new Error('timeout exceeded when trying to connect'), 503, 'unavailable'],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 503, 'unavailable'],
    ['a refused connection', toDatabaseError('ECONNREFUSED'), 503, 'unavailable'],
    ['too many connections', toDatabaseError('53300'), 503, 'unavailable'],
    ['a restart', toDatabaseError('57P01'), 503, 'unavailable'],
    ['a statement that took too long', toDatabaseError('57014'), 503, 'unavailable'],
    ['a deadlock', toDatabaseError('40P01'), 503, 'unavailable'],
    ['a text with U+0000', toDatabaseError('22021'), 400, 'invalid_request'],
    ['a text in JSON with U+0000', toDatabaseError('22P05'), 400, 'invalid_request'],
    ['a constraint', toDatabaseError('23505'), 500, 'internal'],
  ])('%s is sent as %3$s %4$s', async (_, error, status, code) => {
    const app = createApp();
    app.get('/', async () => {
      throw error;
    });
    const response = await app.inject('/');
    expect([response.statusCode, response.json().error.code]).toEqual([status, code]);
    expect(response.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
  });
});

describe('an event stream endpoint', () => {
  it('sends events to authenticated users', async () => {
    const app = await createTestApp();
    const response = await app.inject({ url: '/api/counts', headers });
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    expect(response.body).toBe('data: 1\n\ndata: 2\n\n');
    expect((await app.inject('/api/counts')).json().error.code).toBe('unauthorized');
  });

  it('is described by OpenAPI as an event stream', async () => {
    const { paths } = (await (await createTestApp()).inject('/api/openapi.json')).json();
    expect(Object.keys(paths['/api/counts'].get.responses['200'].content)).toEqual(['text/event-stream']);
  });
});

describe('[API-03] invalid input gets an error code and the invalid field', () => {
  it.each([
    ['a field is missing', {}, {}, '/api/greetings/a1', 'body.name', 'field_required'],
    ['a field has the wrong type', { name: 5 }, {}, '/api/greetings/a1', 'body.name', 'field_invalid'],
    ['a parameter is too long', { name: 'a' }, {}, '/api/greetings/toolong', 'params.id', 'field_too_long'],
    ['a query is no number', { name: 'a' }, {}, '/api/greetings/a1?times=x', 'query.times', 'field_invalid'],
  ])('%s', async (_, payload, extra, url, path, code) => {
    const response = await post(payload, extra, url);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({ code: 'invalid_request', fields: [{ path, code }] });
  });

  it.each([
    ['broken JSON', '{', 'application/json', 400, 'invalid_request'],
    ['an unknown format', 'a', 'application/pdf', 415, 'unsupported_media_type'],
    ['too much', JSON.stringify({ name: 'x'.repeat(300_000) }), 'application/json', 413, 'payload_too_large'],
  ])('%s', async (_, payload, type, status, code) => {
    const app = await createTestApp();
    const response = await app.inject({
      method: 'POST',
      url: '/api/greetings/a1',
      payload,
      headers: { ...headers, 'content-type': type },
    });
    expect(response.statusCode).toBe(status);
    expect(response.json().error.code).toBe(code);
  });

  it('gets a message in the language of the request', async () => {
    const response = await post({}, { 'accept-language': 'es-PE,es;q=0.9,en;q=0.5' });
    expect(response.json().error.message).toBe('Hay algo en la solicitud que no está bien.');
    expect(response.json().error.fields[0].message).toBe('Este campo es obligatorio');
  });
});

describe('the error handler', () => {
  it.each([['/api/greetings/%E0%A4%A'], ['/%'], [`/api/greetings/${'x'.repeat(600)}`]])(
    'responds to the malformed URL %s with an error body',
    async (url) => {
      const response = await (await createTestApp()).inject({ method: 'POST', url, headers });
      expect(response.statusCode).toBeLessThan(500);
      expect(isErrorCode(response.json().error.code)).toBe(true);
    },
  );

  it('responds to an AppError with its status', async () => {
    expect((await post({ name: 'conflict' })).statusCode).toBe(409);
  });

  it('responds to a crash without details and logs them', async () => {
    const log: string[] = [];
    const app = await createTestApp(log);
    const response = await app.inject({
      method: 'POST',
      url: '/api/greetings/a1',
      payload: { name: 'crash' },
      headers,
    });
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('secret');
    expect(log.join('')).toContain('the secret is out');
  });

  it('responds to unknown paths with 404 and the request id', async () => {
    const response = await (await createTestApp()).inject({
      url: '/nowhere',
      headers: { 'x-request-id': 'trace-0001' },
    });
    expect(response.statusCode).toBe(404);
    expect(response.json().error).toMatchObject({ code: 'not_found', requestId: 'trace-0001' });
    expect(response.headers['x-request-id']).toBe('trace-0001');
  });
});

describe('a path that exists with other methods', () => {
  it.each([
    ['GET', '/api/greetings/a1', 'POST'],
    ['DELETE', '/api/greetings/a1?times=2', 'POST'],
    ['POST', '/api/counts', 'GET'],
  ] as const)('responds to %s %s with 405 and Allow: %s', async (method, url, allow) => {
    const response = await (await createTestApp()).inject({ method, url });
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
    expect(response.json().error).toMatchObject({
      code: 'method_not_allowed',
      message: 'This address does not support that method.',
      requestId: expect.any(String),
    });
  });

  it('responds in the language of the request', async () => {
    const headers = { 'accept-language': 'es' };
    const response = await (await createTestApp()).inject({ url: '/api/greetings/a1', headers });
    expect(response.json().error.message).toBe('Esta dirección no admite ese método.');
  });

  it.each(['/api/greetings', '/api/greetings/a1/b', '/api/nowhere', '/'])(
    'does not include %s: 404',
    async (url) => {
      const response = await (await createTestApp()).inject({ method: 'PUT', url });
      expect([response.statusCode, response.headers.allow]).toEqual([404, undefined]);
    },
  );
});

describe('the log', () => {
  it('contains type, message and stack of an error, and no other property', async () => {
    const log: string[] = [];
    const app = await createTestApp(log);
    await app.inject({ method: 'POST', url: '/api/greetings/a1', payload: { name: 'crash' }, headers });
    const { err } = JSON.parse(log.find((line) => line.includes('request failed')) ?? '{}');
    expect(err).toMatchObject({
      type: 'Error',
      message: 'the secret is out',
      stack: expect.stringContaining('app.test.ts'),
      cause: { type: 'Error', message: 'a row', errorCode: '23505' },
    });
    expect(log.join('')).not.toContain('hunter22');
  });

  it('has no error where a client ends the connection in a body', async () => {
    const log: string[] = [];
    const app = createApp({
      logger: { ...loggerOptions('error'), stream: { write: (line) => log.push(line) } },
    });
    const statuses: number[] = [];
    app.addHook('onRequest', async () => void socket.destroy());
    app.addHook('onSend', async (_request, reply) => void statuses.push(reply.statusCode));
    app.post('/', { config: { rateLimits: [] } }, async () => ({}));
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    onTestFinished(() => app.close());
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await expect.poll(() => statuses).toEqual([400]);
    expect(log).toEqual([]);
  });

  it('contains no tokens, passwords or query strings', async () => {
    const log: string[] = [];
    const app = await createTestApp(log);
    const payload = { name: 'Ana', password: 'hunter22' };
    await app.inject({ method: 'POST', url: '/api/greetings/a1?times=1&signature=s3cr3t', payload, headers });
    expect(log.join('')).toContain('greeting');
    for (const secret of ['hunter22', 's3cr3t', 'Bearer good']) expect(log.join('')).not.toContain(secret);
  });

  it('has one line of JSON for each event, whatever line breaks a request contains', async () => {
    const log: string[] = [];
    const app = await createTestApp(log);
    const payload = { name: 'Ana\r\n{"msg":"forged"}\u001b[2J' };
    await app.inject({ method: 'POST', url: '/api/greetings/a1', payload, headers });
    const lines = log.join('').trimEnd().split('\n');
    const greeting = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'greeting');
    expect(greeting).toMatchObject({ body: payload });
    expect(log.join('')).not.toMatch(/[^\n\P{Cc}]/u);
  });
});

describe('/metrics', () => {
  it.each(['localhost:3000', 'escucho.localhost', '127.0.0.1:3000', '[::1]:3000', 'escucho.example'])(
    'is served at %s to a caller on this machine',
    async (authority) => {
      const app = await createTestApp();
      expect((await app.inject({ url: '/metrics', authority })).statusCode).toBe(200);
    },
  );

  it('counts requests by route, for a caller on this machine', async () => {
    const app = await createTestApp();
    await app.inject({ method: 'POST', url: '/api/greetings/a1', payload: { name: 'Ana' }, headers });
    const response = await app.inject('/metrics');
    expect(response.body).toContain(
      'http_request_duration_seconds_count{method="POST",route="/api/greetings/:id",status="200"} 1',
    );
  });

  it.each([
    ['from another machine', { remoteAddress: '10.0.0.9' }],
    ['through a proxy', { headers: { 'x-forwarded-for': '10.0.0.9' } }],
    ['at a name that an attacker binds to this machine', { authority: 'evil.example:3000' }],
    ['at a name of no address', { authority: 'a b' }],
  ])('is 404 %s', async (_, request) => {
    expect((await (await createTestApp()).inject({ url: '/metrics', ...request })).statusCode).toBe(404);
  });
});
