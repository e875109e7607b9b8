import { expect, it, onTestFinished, vi } from 'vitest';
import { storeSession } from '#testing/identity.ts';
import { boot } from './boot.ts';

const preloads = { '/discover': { files: { en: [], es: [] }, calls: ['/api/discover'] } };

/** Boots a page; returns its early requests, and a function that ends their time. */
function bootPage(path: string, fetchMock: (url: string, init?: RequestInit) => Promise<Response>) {
  const limit = new AbortController();
  const setLimit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  vi.stubGlobal('fetch', fetchMock);
  history.replaceState(null, '', path);
  boot(Date.now(), vi.fn(), preloads);
  // Else clicks in later tests are held back.
  onTestFinished(() => window.__repeatEarlyEvent?.());
  const requests = window.__early ?? {};
  delete window.__early;
  return { requests, setLimit, endTime: () => limit.abort(new DOMException('', 'TimeoutError')) };
}

const waitForAbort = (_url: string, init?: RequestInit) =>
  new Promise<Response>((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  );

it.each([
  ['/discover', '/api/discover'],
  ['/auth/sign-in', '/config.json'],
])('gives up a request of %s without a response after 30 seconds', async (path, url) => {
  if (path === '/discover') storeSession();
  const { requests, setLimit, endTime } = bootPage(path, waitForAbort);
  expect(Object.keys(requests)).toEqual([url]);
  expect(setLimit.mock.calls).toEqual([[30_000]]);
  endTime();
  await expect(requests[url]).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('keeps a response that the app reads after the time limit', async () => {
  storeSession();
  const { requests, endTime } = bootPage('/discover', async (_url, init) => {
    const body = new ReadableStream({
      start(controller) {
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        controller.enqueue(new TextEncoder().encode('{"rows":[]}'));
        controller.close();
      },
    });
    return new Response(body, { status: 200, headers: { 'x-request-id': 'r1' } });
  });
  const response = await requests['/api/discover'];
  endTime();
  expect(response?.headers.get('x-request-id')).toBe('r1');
  expect(await response?.json()).toEqual({ rows: [] });
});
