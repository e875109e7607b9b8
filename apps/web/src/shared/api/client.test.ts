import { api } from '@escucho/contracts';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { mockEndpoint, server } from '#testing/server.ts';
import { ApiError, call, getErrorKey, setTokenSource, UNAUTHORIZED_ACCESS } from './client.ts';

const path = '*/api/notifications/find-paginated';
const ask = (signal?: AbortSignal) =>
  call(api.notifications.findNotifications, { query: { page: 2 } }, signal ? { signal } : {});
const nothing = { docs: [], totalDocs: 0 };

beforeEach(() => setTokenSource(async () => 'token-1'));

it('sends query, bearer token and language, and returns the body', async () => {
  document.documentElement.lang = 'es';
  const requests = mockEndpoint(api.notifications.findNotifications, nothing);
  expect(await ask()).toEqual(nothing);
  expect(requests[0]?.url.search).toBe('?page=2');
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer token-1');
  expect(requests[0]?.headers.get('accept-language')).toBe('es');
});

it('[AUTH-09] only a 401 dispatches unauthorizedAccess', async () => {
  const raised = vi.fn();
  window.addEventListener(UNAUTHORIZED_ACCESS, raised);
  mockEndpoint(api.notifications.findNotifications, 'subscription_required');
  await expect(ask()).rejects.toMatchObject({ code: 'subscription_required', status: 403 });
  expect(raised).not.toHaveBeenCalled();
  mockEndpoint(api.notifications.findNotifications, 'token_expired');
  await expect(ask()).rejects.toMatchObject({ code: 'token_expired', status: 401 });
  expect(raised).toHaveBeenCalledOnce();
  window.removeEventListener(UNAUTHORIZED_ACCESS, raised);
});

it('a refused token that another one has replaced is sent once more, with the other one', async () => {
  const tokens = ['token-1', 'token-2'];
  setTokenSource(async () => tokens.shift() ?? 'token-2');
  let isRefused = true;
  const requests = mockEndpoint(api.notifications.findNotifications, () => {
    if (!isRefused) return nothing;
    isRefused = false;
    return 'unauthorized';
  });
  expect(await ask()).toEqual(nothing);
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ]);
});

it('reauthentication_required keeps the user signed in', async () => {
  const raised = vi.fn();
  window.addEventListener(UNAUTHORIZED_ACCESS, raised);
  mockEndpoint(api.notifications.findNotifications, 'reauthentication_required');
  await expect(ask()).rejects.toMatchObject({ code: 'reauthentication_required', status: 401 });
  expect(raised).not.toHaveBeenCalled();
  window.removeEventListener(UNAUTHORIZED_ACCESS, raised);
});

it.each([
  ['no answer', () => HttpResponse.error(), 'network', 0, 'common.network'],
  [
    'a gateway that is down',
    () => new HttpResponse('<html>', { status: 502 }),
    'unavailable',
    502,
    'unavailable',
  ],
  [
    'a refusal in no known words',
    () => HttpResponse.json({ oops: 1 }, { status: 418 }),
    'invalid_request',
    418,
    'invalid_request',
  ],
  ['an answer that is not JSON', () => new HttpResponse('<html>'), 'internal', 200, 'internal'],
  [
    'an answer that breaks the contract',
    () => HttpResponse.json({ docs: 'none' }),
    'internal',
    200,
    'internal',
  ],
] as const)('%s is an ApiError with words', async (_title, reply, code, status, key) => {
  server.use(http.get(path, reply));
  const error: unknown = await ask().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code, status });
  expect(getErrorKey(error)).toBe(key);
});

it('passes on field errors', async () => {
  const fields = [{ path: 'query.page', code: 'field_invalid', message: 'This value is not valid.' }];
  server.use(
    http.get(path, () =>
      HttpResponse.json({ error: { code: 'invalid_request', message: '', fields } }, { status: 400 }),
    ),
  );
  await expect(ask()).rejects.toMatchObject({ fields });
});

it('an aborted call rejects with the abort reason', async () => {
  server.use(http.get(path, () => new Promise<never>(() => undefined)));
  const giveUp = new AbortController();
  const asked = ask(giveUp.signal);
  giveUp.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

it('uses the boot script’s response, once', async () => {
  const requests = mockEndpoint(api.notifications.findNotifications, nothing);
  const early = { docs: [], totalDocs: 7 };
  window.__early = { '/api/notifications/find-paginated?page=2': Promise.resolve(Response.json(early)) };
  expect(await ask()).toEqual(early);
  expect(requests).toEqual([]);
  expect(await ask()).toEqual(nothing);
});

it('a request of the boot script without a response is a network error, and is sent again', async () => {
  mockEndpoint(api.notifications.findNotifications, nothing);
  const early = Promise.reject<Response>(new DOMException('', 'TimeoutError'));
  window.__early = { '/api/notifications/find-paginated?page=2': early };
  await expect(ask()).rejects.toMatchObject({ code: 'network' });
  expect(await ask()).toEqual(nothing);
});

it('sends a request of the boot script again where its token was refused', async () => {
  mockEndpoint(api.notifications.findNotifications, nothing);
  const early = Promise.resolve(new Response(null, { status: 401 }));
  window.__early = { '/api/notifications/find-paginated?page=2': early };
  expect(await ask()).toEqual(nothing);
});

it('[LIST-01] sends a form with repeated names for lists', async () => {
  const requests = mockEndpoint(api.playlists.createPlaylist, 'limit_reached');
  const tracks = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const body = { name: 'Morning walk', origin: 'user', active: 'true', 'articles.added': tracks } as const;
  await expect(call(api.playlists.createPlaylist, { body })).rejects.toMatchObject({ code: 'limit_reached' });
  expect(requests[0]?.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/);
  expect(requests[0]?.body).toEqual(body);
});
