import {
  type Endpoint,
  type ErrorCode,
  errorStatus,
  identityApi,
  isErrorCode,
  type PublicConfig,
  platforms,
  type ResponseBody,
} from '@escucho/contracts';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/** The mocked network; a request without a handler is an error. */
export const server = setupServer();

type Method = 'get' | 'post' | 'put' | 'delete';
const methods: Record<Endpoint['method'], Method> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  DELETE: 'delete',
};

/** A request that the mocked API received. */
export interface ReceivedRequest {
  url: URL;
  headers: Headers;
  body: unknown;
}

/** Returns the query parameters of the last request, or an empty object if there is none. */
export const getLastQuery = (requests: readonly ReceivedRequest[]): Record<string, string> =>
  Object.fromEntries(requests.at(-1)?.url.searchParams ?? []);

/** Returns a form's fields by name; a repeated name has an array. */
const getFormFields = (form: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );

/**
 * Mocks an endpoint of the portal or of the identity provider; a request or response that does not match the contract fails.
 *
 * @param reply the response body or error code, or a function that returns one
 * @param delay resolves when the response may be sent
 * @returns the received requests, which are added as they arrive
 */
export function mockEndpoint<E extends Endpoint>(
  endpoint: E,
  reply: (ResponseBody<E> & object) | ErrorCode | (() => (ResponseBody<E> & object) | ErrorCode),
  delay: Promise<void> = Promise.resolve(),
): ReceivedRequest[] {
  const requests: ReceivedRequest[] = [];
  const base = Object.values<unknown>(identityApi).includes(endpoint) ? '/identity' : '/api';
  server.use(
    http[methods[endpoint.method]](`*${base}${endpoint.path}`, async ({ request, params }) => {
      // A request that the end of the test before has aborted may arrive in this one.
      if (request.signal.aborted) return HttpResponse.error();
      const url = new URL(request.url);
      const body: unknown = endpoint.form
        ? getFormFields(new URLSearchParams(await request.text()))
        : await request.json().catch(() => undefined);
      requests.push({ url, headers: request.headers, body });
      endpoint.params?.parse(params);
      endpoint.query?.parse(Object.fromEntries(url.searchParams));
      endpoint.body?.parse(body);
      await delay;
      const result: unknown = reply instanceof Function ? reply() : reply;
      if (typeof result === 'string' && isErrorCode(result))
        return HttpResponse.json(
          { error: { code: result, message: result } },
          { status: errorStatus[result] },
        );
      endpoint.response.parse(result);
      return HttpResponse.json(Object(result));
    }),
  );
  return requests;
}

/**
 * Mocks the notification stream.
 *
 * @returns the headers of the requests, the number of open connections, and functions that send a text to all
 * connections and close them
 */
export function mockNotificationStream() {
  const open = new Set<WritableStreamDefaultWriter<Uint8Array>>();
  // The signal of a request that nobody refers to does not fire in Node.js.
  const requests: Request[] = [];
  const write = (connection: WritableStreamDefaultWriter<Uint8Array>, text: string) =>
    void connection.write(new TextEncoder().encode(text)).catch(() => undefined);
  server.use(
    http.get('*/api/notifications/stream', ({ request }) => {
      requests.push(request);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
      const connection = writable.getWriter();
      open.add(connection);
      const remove = () => open.delete(connection);
      connection.closed.then(remove, remove);
      request.signal.addEventListener('abort', remove);
      write(connection, ':\n\n');
      return new HttpResponse(readable, { headers: { 'content-type': 'text/event-stream' } });
    }),
  );
  return {
    requests,
    countConnections: () => open.size,
    send: (text: string) => open.forEach((connection) => void write(connection, text)),
    close: () => Promise.all([...open].map((connection) => connection.close())),
  };
}

/** The origin of jsdom's documents. */
const origin = 'http://localhost:3000';

/** The configuration of the embedded default, at jsdom's origin. */
export const testConfig: PublicConfig = {
  api: `${origin}/api`,
  identity: {
    endpoint: `${origin}/identity`,
    userPoolId: 'local_Ab12Cd34E',
    clientId: 'client1',
    issuer: `${origin}/identity/local_Ab12Cd34E`,
    jwksUri: `${origin}/identity/local_Ab12Cd34E/.well-known/jwks.json`,
    isEmbedded: true,
    guestAccess: false,
    oauth: {
      domain: 'localhost:3000/identity',
      scopes: ['openid', 'email'],
      redirectSignIn: [`${origin}/auth/sign-in`],
      redirectSignOut: [`${origin}/auth/sign-out`],
    },
  },
  billing: null,
  operators: platforms.map((platform) => ({
    platform,
    page: `${origin}/operators/${platform}`,
    tagManagerId: null,
  })),
  communityUrl: 'https://community.example',
  supportEmail: 'support@escucho.example',
  outbox: `${origin}/outbox`,
};

/** Mocks /config.json, which is requested once in a test file. */
export const mockConfig = (
  identity: Partial<PublicConfig['identity']> = {},
  overrides: Partial<PublicConfig> = {},
): void =>
  server.use(
    http.get('*/config.json', () =>
      HttpResponse.json({ ...testConfig, ...overrides, identity: { ...testConfig.identity, ...identity } }),
    ),
  );
