import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { createElement, type PropsWithChildren } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createUuid } from '#shared/uuid.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockLocks } from '#testing/locks.ts';
import { usePlayer } from '../engine/store.ts';
import { clearListening, switchListeningUser } from '../player.ts';
import { bookmarksQuery } from '../queries.ts';
import { buildBookmark, buildTrack, toId } from '../testing/fixtures.ts';
import {
  addBookmark,
  clearBookmarks,
  getChangedEntries,
  type SendBookmark,
  saveBookmark,
  startBookmarkSync,
  useBookmarks,
} from './bookmarks.ts';
import { getUnsentPositions } from './progress-storage.ts';
import { type SendProgress, saveProgress, startProgressSync } from './progress-sync.ts';
import type { SendResult } from './send-queue.ts';

afterEach(() => {
  clearListening();
  clearBookmarks();
  localStorage.clear();
});

const [ana, ben] = [toId(500), toId(501)];
const progress = { track: toId(1), position: 7, cause: 'pause' } as const;

/** Creates a mock whose first request is pending until `fail` is called; the next one is accepted. */
function mockUnreachableServer() {
  const { promise, resolve } = createDeferred<SendResult>();
  const send = vi.fn<() => Promise<SendResult>>().mockReturnValueOnce(promise).mockResolvedValue('accepted');
  return { send, fail: () => resolve('retryLater') };
}

it.each([
  ['progress', startProgressSync, () => saveProgress(progress)],
  ['a bookmark', startBookmarkSync, () => saveBookmark(buildBookmark(1, 10))],
] as const)(
  '[PLAY-05] %s is sent again when the network returns during a failing request',
  async (_, start, save) => {
    const { send, fail } = mockUnreachableServer();
    onTestFinished(start(send));
    save();
    await waitFor(() => expect(send).toHaveBeenCalledOnce());
    dispatchEvent(new Event('online'));
    fail();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  },
);

describe('a failed request while the network is there', () => {
  /** Lets time pass; returns how often a mock was called by then. */
  async function countCallsAfter(minutes: number, { mock }: { mock: { calls: unknown[] } }): Promise<number> {
    await vi.advanceTimersByTimeAsync(minutes * 60_000);
    return mock.calls.length;
  }

  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  it('[PLAY-05] of progress is repeated until the server accepts it', async () => {
    const send = vi.fn<SendProgress>(async () => 'retryLater');
    onTestFinished(startProgressSync(send));
    saveProgress(progress);
    expect(await countCallsAfter(1, send)).toBeGreaterThan(2);
    send.mockResolvedValue('accepted');
    const calls = await countCallsAfter(10, send);
    expect(getUnsentPositions()).toEqual({});
    expect(await countCallsAfter(60, send)).toBe(calls);
  });

  it('[PLAY-05] of a bookmark is repeated until the server accepts it', async () => {
    const send = vi.fn<SendBookmark>().mockResolvedValueOnce('retryLater').mockResolvedValue('accepted');
    onTestFinished(startBookmarkSync(send));
    saveBookmark(buildBookmark(1, 10));
    expect(await countCallsAfter(1, send)).toBe(2);
  });

  it('[PLAY-05] is repeated about once a minute, and not once the player has stopped', async () => {
    const send = vi.fn<SendProgress>(async () => 'retryLater');
    const stop = startProgressSync(send);
    saveProgress(progress);
    const calls = await countCallsAfter(60, send);
    expect(calls).toBeLessThan(70);
    stop();
    expect(await countCallsAfter(60, send)).toBe(calls);
  });
});

/** Loads the same modules again, as another tab does: only the storage is shared. */
async function openOtherTab() {
  vi.resetModules();
  const [bookmarks, progressSync, player] = await Promise.all([
    import('./bookmarks.ts'),
    import('./progress-sync.ts'),
    import('../player.ts'),
  ]);
  return { ...bookmarks, ...progressSync, ...player };
}

it('[PLAY-05] sends all bookmarks that two tabs saved offline', async () => {
  switchListeningUser(ana);
  onTestFinished(startBookmarkSync(async () => 'retryLater'));
  saveBookmark(buildBookmark(1, 10));
  const other = await openOtherTab();
  other.saveBookmark(buildBookmark(2, 20));
  saveBookmark(buildBookmark(3, 30, 'here'));
  other.saveBookmark(buildBookmark(3, 30, 'and there'));
  const sent: [string, string | undefined][] = [];
  const newTab = await openOtherTab();
  onTestFinished(
    newTab.startBookmarkSync(async (id, bookmark) => {
      sent.push([id, bookmark?.note]);
      return 'accepted';
    }),
  );
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(Object.fromEntries(sent)).toEqual({ [toId(801)]: '', [toId(802)]: '', [toId(803)]: 'and there' });
});

it('[PLAY-05] two tabs send the changes of a bookmark in their order', async () => {
  const { countWaiting } = mockLocks();
  switchListeningUser(ana);
  const { promise: delay, resolve: respond } = createDeferred();
  const stored: (string | undefined)[] = [];
  const send: SendBookmark = async (_, bookmark) => {
    if (bookmark?.note === 'slow') await delay;
    stored.push(bookmark?.note);
    return 'accepted';
  };
  onTestFinished(startBookmarkSync(send));
  saveBookmark(buildBookmark(1, 10, 'slow'));
  const other = await openOtherTab();
  onTestFinished(other.startBookmarkSync(send));
  other.saveBookmark(buildBookmark(1, 10, 'fast'));
  await waitFor(() => expect(countWaiting('bookmarks')).toBe(1));
  respond();
  await waitFor(() => expect(stored).toEqual(['slow', 'fast']));
});

it('[PLAY-05] a bookmark that another tab has sent stays in the list', async () => {
  switchListeningUser(ana);
  const responses: SendResult[] = ['retryLater'];
  onTestFinished(startBookmarkSync(async () => responses.pop() ?? 'accepted'));
  const loaded = [{ docs: [], totalDocs: 0, requestedAt: performance.now() }];
  usePlayer.setState({ activeTrack: buildTrack(1) });
  const added = addBookmark();
  const other = await openOtherTab();
  const send = vi.fn<SendBookmark>(async () => 'accepted');
  onTestFinished(other.startBookmarkSync(send));
  await waitFor(() => expect(localStorage.getItem('bookmarks-storage')).toContain('"waiting":{}'));
  dispatchEvent(new Event('online'));
  expect(getChangedEntries(loaded, '').map(({ bookmark }) => bookmark)).toEqual([added]);
});

it('[PLAY-05] a bookmark that another tab changes is shown as it is there', async () => {
  switchListeningUser(ana);
  const send: SendBookmark = async () => 'retryLater';
  onTestFinished(startBookmarkSync(send));
  usePlayer.setState({ activeTrack: buildTrack(1) });
  const added = addBookmark() ?? buildBookmark(1, 10);
  const other = await openOtherTab();
  onTestFinished(other.startBookmarkSync(send));
  other.saveBookmark({ ...added, note: 'changed' });
  dispatchEvent(new StorageEvent('storage', { key: 'bookmarks-storage' }));
  expect(getChangedEntries([], '').map(({ bookmark }) => bookmark.note)).toEqual(['changed']);
});

it('[PLAY-05] unsent progress of a user waits for their next sign-in', async () => {
  switchListeningUser(ana);
  saveProgress(progress);
  clearListening();
  const send = vi.fn<SendProgress>(async () => 'accepted');
  switchListeningUser(ben);
  expect(getUnsentPositions()).toEqual({});
  const stop = startProgressSync(send);
  saveProgress({ ...progress, position: 30 });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  expect(send.mock.calls[0]?.[0].position).toBe(30);
  stop();
  switchListeningUser(ana);
  expect(getUnsentPositions()).toEqual({ [progress.track]: 7 });
  onTestFinished(startProgressSync(send));
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect(send.mock.calls[1]?.[0].position).toBe(7);
});

it('[PLAY-05] the queue of an earlier version belongs to the current user only', () => {
  const device = toId(700);
  const entry = { ...progress, device, sequence: 1, at: '2026-11-01T00:00:00.000Z' };
  const old = JSON.stringify({ device, sequence: 1, entries: [entry] });
  switchListeningUser(ana);
  localStorage.setItem('listening-outbox', old);
  expect(getUnsentPositions()).toEqual({ [progress.track]: 7 });
  switchListeningUser(ben);
  expect(getUnsentPositions()).toEqual({});
});

it('[PLAY-05] a suspended tab sends nothing once another user has signed in', async () => {
  const suspended = await openOtherTab();
  suspended.switchListeningUser(ana);
  const send = vi.fn<SendProgress>(async () => 'accepted');
  const sendBookmark = vi.fn(async () => 'accepted' as const);
  onTestFinished(suspended.startProgressSync(send));
  onTestFinished(suspended.startBookmarkSync(sendBookmark));
  switchListeningUser(ben);
  onTestFinished(startBookmarkSync(async () => 'retryLater'));
  suspended.saveProgress(progress);
  suspended.saveProgress({ ...progress, cause: 'hide' });
  suspended.saveBookmark(buildBookmark(1, 10, 'of Ana'));
  dispatchEvent(new Event('online'));
  await Promise.resolve();
  expect([send.mock.calls, sendBookmark.mock.calls]).toEqual([[], []]);
  expect(getUnsentPositions()).toEqual({});
  expect(localStorage.getItem('bookmarks-storage')).not.toContain('of Ana');
  // Signing out there does not clear the data of the current user.
  suspended.clearListening();
  const sendAsBen = vi.fn<SendProgress>(async () => 'accepted');
  onTestFinished(startProgressSync(sendAsBen));
  saveProgress(progress);
  await waitFor(() => expect(sendAsBen).toHaveBeenCalled());
});

it('[PLAY-05] a suspended tab leaves the unsent bookmarks of the user who signed in since', async () => {
  const suspended = await openOtherTab();
  suspended.switchListeningUser(ana);
  suspended.startBookmarkSync(async () => 'retryLater')();
  switchListeningUser(ben);
  onTestFinished(startBookmarkSync(async () => 'retryLater'));
  saveBookmark(buildBookmark(1, 10, 'of Ben'));
  // Once it resumes, it learns that Ana has signed out, and that Ben has signed in.
  suspended.clearListening();
  suspended.clearBookmarks();
  suspended.switchListeningUser(ben);
  const send = vi.fn<SendBookmark>(async () => 'accepted');
  onTestFinished(suspended.startBookmarkSync(send));
  await waitFor(() => expect(send.mock.calls.map(([, bookmark]) => bookmark?.note)).toEqual(['of Ben']));
});

it('[PLAY-05] a user sees no bookmark that is still sent for another', async () => {
  switchListeningUser(ana);
  const { promise, resolve: respond } = createDeferred<SendResult>();
  const sendAsAna = vi.fn<SendBookmark>(() => promise);
  onTestFinished(startBookmarkSync(sendAsAna));
  saveBookmark(buildBookmark(1, 10, 'of Ana'));
  await waitFor(() => expect(sendAsAna).toHaveBeenCalledOnce());
  clearListening();
  clearBookmarks();
  switchListeningUser(ben);
  const sendAsBen = vi.fn<SendBookmark>(async () => 'retryLater');
  onTestFinished(startBookmarkSync(sendAsBen));
  saveBookmark(buildBookmark(2, 20, 'of Ben'));
  respond('accepted');
  await waitFor(() => expect(sendAsBen).toHaveBeenCalled());
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(bookmarksQuery(toId(1)).queryKey, { docs: [], requestedAt: 0 });
  const wrapper = ({ children }: PropsWithChildren) =>
    createElement(QueryClientProvider, { client }, children);
  const { result } = renderHook(() => useBookmarks(toId(1)), { wrapper });
  expect(result.current.bookmarks.map(({ note }) => note)).toEqual(['of Ben']);
});

it('[PLAY-05] sends each entry once when the storage is full', async () => {
  switchListeningUser(ana);
  saveProgress(progress);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const sent: number[] = [];
  const stop = startProgressSync(async ({ position }) => {
    // Ends an endless loop.
    if (sent.push(position) > 9) return 'retryLater';
    return 'accepted';
  });
  onTestFinished(stop);
  saveProgress({ ...progress, position: 20 });
  saveProgress({ ...progress, position: 30 });
  await waitFor(() => expect(getUnsentPositions()).toEqual({}));
  expect(sent).toEqual([7, 20, 30]);
});

it('createUuid creates unique UUIDs without crypto.randomUUID', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = Array.from({ length: 1000 }, createUuid);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1000);
});
