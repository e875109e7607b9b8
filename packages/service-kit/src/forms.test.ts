import { endpoint, toFormBody } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createApp, createRouter, registerFormParser, registerOpenApi } from './index.ts';

const body = z.object({ name: z.string('field_invalid'), tracks: z.optional(z.array(z.string())) });
const definition = {
  summary: 'Makes',
  access: 'public',
  rateLimit: 'none',
  response: z.unknown(),
  errors: [],
} as const;
const make = endpoint({ ...definition, method: 'POST', path: '/things', form: true, body });
const update = endpoint({ ...definition, method: 'POST', path: '/words', body });

const app = createApp();
await app.register(async (inner) => {
  await registerOpenApi(inner, { title: 'Things', version: '1' });
  registerFormParser(inner);
  const route = createRouter(inner, { authenticate: async () => ({ id: 'u1' }) });
  for (const target of [make, update]) route(target).handle(({ body }) => body);
});

/** Sends a form as a browser does. */
async function sendForm(form: FormData | URLSearchParams, url = '/things') {
  const request = new Request('http://test', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return app.inject({ method: 'POST', url, headers, payload: Buffer.from(await request.arrayBuffer()) });
}

function multipart(fields: [string, string | Blob][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

describe('a form', () => {
  const fields = { name: 'Año & más, 100%', tracks: ['a', 'b'] };

  it('[LIST-01] parses alike urlencoded or multipart; a repeated name is a list', async () => {
    const urlencoded = toFormBody({ ...fields, missing: undefined });
    for (const form of [urlencoded, multipart([...urlencoded])]) {
      const response = await sendForm(form);
      expect([response.statusCode, response.json()]).toEqual([200, fields]);
    }
  });

  it('may have brackets after a list’s name', async () => {
    const response = await sendForm(new URLSearchParams('name=x&tracks[]=a&tracks[]=b'));
    expect(response.json()).toEqual({ name: 'x', tracks: ['a', 'b'] });
  });

  it.each([
    ['a file', multipart([['name', new Blob(['x'])]]), 'body.name', 'field_invalid'],
    ['a missing field', new URLSearchParams('other=1'), 'body.name', 'field_required'],
    ['a repeated single field', new URLSearchParams('name=a&name=b'), 'body.name', 'field_invalid'],
    ['a poisoned prototype', new URLSearchParams('__proto__=x'), 'body.name', 'field_required'],
  ])('[API-03] with %s is refused with the name of the field', async (_name, form, path, code) => {
    const response = await sendForm(form);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.fields).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it.each([
    ['no multipart', 'multipart/form-data; boundary=x', 'name=a', 400, 'invalid_request'],
    ['multipart without a boundary', 'multipart/form-data', 'name=a', 400, 'invalid_request'],
    ['JSON', 'application/json', '{"name":"a"}', 415, 'unsupported_media_type'],
    [
      'too much',
      'application/x-www-form-urlencoded',
      `name=${'x'.repeat(300_000)}`,
      413,
      'payload_too_large',
    ],
  ])('[API-03] %s is refused', async (_name, type, payload, status, code) => {
    const headers = { 'content-type': type };
    const response = await app.inject({ method: 'POST', url: '/things', headers, payload });
    expect([response.statusCode, response.json().error.code]).toEqual([status, code]);
  });

  it.each([
    [1500, 200],
    [25_000, 413],
  ])('[API-03] with %i fields of a list gets %i', async (count, status) => {
    const response = await sendForm(new URLSearchParams(`name=x${'&tracks=a'.repeat(count)}`));
    expect(response.statusCode).toBe(status);
  });

  it('[API-03] is no body for an endpoint that wants JSON', async () => {
    const response = await sendForm(new URLSearchParams('name=a'), '/words');
    expect([response.statusCode, response.json().error.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('is described as one', async () => {
    const { paths } = (await app.inject('/openapi.json')).json();
    expect(Object.keys(paths['/things'].post.requestBody.content)).toEqual([
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
    expect(Object.keys(paths['/words'].post.requestBody.content)).toEqual(['application/json']);
  });
});
