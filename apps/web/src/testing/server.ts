import type { Endpoint, ErrorCode, PublicConfig, ResponseBody } from '@escucho/contracts';
import { errorStatus, isErrorCode, platforms } from '@escucho/contracts';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/** The network of the tests: whatever is not answered here is an error. */
export const server = setupServer();

type Method = 'get' | 'post' | 'put' | 'delete';
const methods: Record<Endpoint['method'], Method> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  DELETE: 'delete',
};

/** A call as the faked API got it. */
export interface ReceivedRequest {
  url: URL;
  headers: Headers;
  body: unknown;
}

/** A form's fields by name: a text, or several where the name came several times. */
const fieldsOf = (form: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );

/**
 * Answers an endpoint of the contracts from now on. In: the endpoint; its answer, or a function that gives one, or an
 * error code; a promise to wait for; below which address it lies. Out: the calls that came. A call that breaks the contract is refused; so is an answer that does.
 */
export function mockEndpoint<E extends Endpoint>(
  endpoint: E,
  reply: (ResponseBody<E> & object) | ErrorCode | (() => (ResponseBody<E> & object) | ErrorCode),
  held: Promise<void> = Promise.resolve(),
  base = '/api',
): ReceivedRequest[] {
  const heard: ReceivedRequest[] = [];
  server.use(
    http[methods[endpoint.method]](`*${base}${endpoint.path}`, async ({ request, params }) => {
      const url = new URL(request.url);
      const body: unknown = endpoint.form
        ? fieldsOf(new URLSearchParams(await request.text()))
        : await request.json().catch(() => undefined);
      heard.push({ url, headers: request.headers, body });
      endpoint.params?.parse(params);
      endpoint.query?.parse(Object.fromEntries(url.searchParams));
      endpoint.body?.parse(body);
      await held;
      const given: unknown = reply instanceof Function ? reply() : reply;
      if (typeof given === 'string' && isErrorCode(given))
        return HttpResponse.json({ error: { code: given, message: given } }, { status: errorStatus[given] });
      endpoint.response.parse(given);
      return HttpResponse.json(Object(given));
    }),
  );
  return heard;
}

/** Answers the stream of notifications, again and again. Out: how many listen now, how to tell all who do, and how to hang up. */
export function mockNotificationStream() {
  const open = new Set<WritableStreamDefaultWriter<Uint8Array>>();
  const heard: Headers[] = [];
  const write = (line: WritableStreamDefaultWriter<Uint8Array>, text: string) =>
    void line.write(new TextEncoder().encode(text)).catch(() => undefined);
  server.use(
    http.get('*/api/notifications/stream', ({ request }) => {
      heard.push(request.headers);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
      const line = writable.getWriter();
      open.add(line);
      const left = () => open.delete(line);
      line.closed.then(left, left);
      request.signal.addEventListener('abort', left);
      write(line, ':\n\n');
      return new HttpResponse(readable, { headers: { 'content-type': 'text/event-stream' } });
    }),
  );
  return {
    heard,
    listeners: () => open.size,
    tell: (text: string) => open.forEach((line) => void write(line, text)),
    hangUp: () => Promise.all([...open].map((line) => line.close())),
  };
}

/** The configuration of the embedded default, at jsdom's own address. */
export const testConfig: PublicConfig = {
  api: `${location.origin}/api`,
  identity: {
    endpoint: `${location.origin}/identity`,
    userPoolId: 'local_Ab12Cd34E',
    clientId: 'client1',
    issuer: `${location.origin}/identity/local_Ab12Cd34E`,
    jwksUri: `${location.origin}/identity/local_Ab12Cd34E/.well-known/jwks.json`,
    listsSessions: true,
    guestAccess: false,
    oauth: {
      domain: `${location.host}/identity`,
      scopes: ['openid', 'email'],
      redirectSignIn: [`${location.origin}/auth/sign-in`],
      redirectSignOut: [`${location.origin}/auth/sign-out`],
    },
  },
  billing: null,
  operators: platforms.map((platform) => ({
    platform,
    page: `${location.origin}/operators/${platform}`,
    tagManagerId: null,
  })),
  communityUrl: 'https://community.example',
  outbox: `${location.origin}/outbox`,
};

/** Answers /config.json, where it differs from the embedded default. It is asked for once in a test file. */
export const mockConfig = (
  differs: Partial<PublicConfig['identity']> = {},
  rest: Partial<PublicConfig> = {},
): void =>
  server.use(
    http.get('*/config.json', () =>
      HttpResponse.json({ ...testConfig, ...rest, identity: { ...testConfig.identity, ...differs } }),
    ),
  );
