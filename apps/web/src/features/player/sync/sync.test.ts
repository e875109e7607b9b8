import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { clearListening, switchListeningUser } from '../player.ts';
import { buildBookmark, toId } from '../testing/fixtures.ts';
import { clearBookmarks, saveBookmark, startBookmarkSync } from './bookmarks.ts';
import { getUnsentPositions } from './progress-storage.ts';
import { type SendProgress, type SendResult, saveProgress, startProgressSync } from './progress-sync.ts';

afterEach(() => {
  clearListening();
  clearBookmarks();
  localStorage.clear();
});

const [ana, ben] = [toId(500), toId(501)];
const place = { track: toId(1), position: 7, cause: 'pause' } as const;

/** A server that is out of reach at first: the first try hangs until it is let go, then fails; the next is taken. */
function outOfReach() {
  let fail = () => {};
  const promise = new Promise<SendResult>((resolve) => {
    fail = () => resolve('retryLater');
  });
  const send = vi.fn<() => Promise<SendResult>>().mockReturnValueOnce(promise).mockResolvedValue('accepted');
  return { send, fail };
}

it('[PLAY-05] a place is sent again when the network comes back while the last try is still failing', async () => {
  const { send, fail } = outOfReach();
  onTestFinished(startProgressSync(send));
  saveProgress({ track: toId(1), position: 7, cause: 'pause' });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  dispatchEvent(new Event('online'));
  fail();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
});

it('[PLAY-05] so is a bookmark', async () => {
  const { send, fail } = outOfReach();
  onTestFinished(startBookmarkSync(send));
  saveBookmark({
    _id: toId(50),
    track: toId(1),
    position: 7,
    note: '',
    createdAt: '2026-11-01T00:00:00.000Z',
  });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  dispatchEvent(new Event('online'));
  fail();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
});

/** The same app in another tab: it shares the storage and nothing else. */
async function anotherTab() {
  vi.resetModules();
  const [bookmarks, places, player] = await Promise.all([
    import('./bookmarks.ts'),
    import('./progress-sync.ts'),
    import('../player.ts'),
  ]);
  return { ...bookmarks, ...places, ...player };
}

it('[PLAY-05] bookmarks made in two tabs without a network are all told', async () => {
  switchListeningUser(ana);
  onTestFinished(startBookmarkSync(async () => 'retryLater'));
  saveBookmark(buildBookmark(1, 10));
  const other = await anotherTab();
  other.saveBookmark(buildBookmark(2, 20));
  saveBookmark(buildBookmark(3, 30, 'here'));
  other.saveBookmark(buildBookmark(3, 30, 'and there'));
  const told: [string, string | undefined][] = [];
  const late = await anotherTab();
  onTestFinished(
    late.startBookmarkSync(async (id, bookmark) => {
      told.push([id, bookmark?.note]);
      return 'accepted';
    }),
  );
  await waitFor(() => expect(told).toHaveLength(3));
  expect(Object.fromEntries(told)).toEqual({ [toId(801)]: '', [toId(802)]: '', [toId(803)]: 'and there' });
});

it('[PLAY-05] what a reader could not tell before they left waits until they are back, and goes to nobody else', async () => {
  switchListeningUser(ana);
  saveProgress(place);
  clearListening();
  const send = vi.fn<SendProgress>(async () => 'accepted');
  switchListeningUser(ben);
  expect(getUnsentPositions()).toEqual({});
  const stop = startProgressSync(send);
  saveProgress({ ...place, position: 30 });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  expect(send.mock.calls[0]?.[0].position).toBe(30);
  stop();
  switchListeningUser(ana);
  expect(getUnsentPositions()).toEqual({ [place.track]: 7 });
  onTestFinished(startProgressSync(send));
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect(send.mock.calls[1]?.[0].position).toBe(7);
});

it('[PLAY-05] what a version before left untold is told, but in nobody else’s name', () => {
  const device = toId(700);
  const entry = { ...place, device, sequence: 1, at: '2026-11-01T00:00:00.000Z' };
  const old = JSON.stringify({ device, sequence: 1, entries: [entry] });
  switchListeningUser(ana);
  localStorage.setItem('listening-outbox', old);
  expect(getUnsentPositions()).toEqual({ [place.track]: 7 });
  switchListeningUser(ben);
  expect(getUnsentPositions()).toEqual({});
});

it('[PLAY-05] a tab that slept while another reader came tells nothing in their name', async () => {
  const sleeping = await anotherTab();
  sleeping.switchListeningUser(ana);
  const send = vi.fn<SendProgress>(async () => 'accepted');
  const sendBookmark = vi.fn(async () => 'accepted' as const);
  onTestFinished(sleeping.startProgressSync(send));
  onTestFinished(sleeping.startBookmarkSync(sendBookmark));
  switchListeningUser(ben);
  onTestFinished(startBookmarkSync(async () => 'retryLater'));
  sleeping.saveProgress(place);
  sleeping.saveProgress({ ...place, cause: 'hide' });
  sleeping.saveBookmark(buildBookmark(1, 10, 'of Ana'));
  dispatchEvent(new Event('online'));
  await Promise.resolve();
  expect([send.mock.calls, sendBookmark.mock.calls]).toEqual([[], []]);
  expect(getUnsentPositions()).toEqual({});
  expect(localStorage.getItem('bookmarks-storage')).not.toContain('of Ana');
  // When it wakes up it forgets its own reader, not the one who is here.
  sleeping.clearListening();
  const told = vi.fn<SendProgress>(async () => 'accepted');
  onTestFinished(startProgressSync(told));
  saveProgress(place);
  await waitFor(() => expect(told).toHaveBeenCalledOnce());
});

it('[PLAY-05] where storage is full, each place is told once all the same', async () => {
  switchListeningUser(ana);
  saveProgress(place);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const told: number[] = [];
  const stop = startProgressSync(async ({ position }) => {
    // A loop would not end.
    if (told.push(position) > 9) return 'retryLater';
    return 'accepted';
  });
  onTestFinished(stop);
  saveProgress({ ...place, position: 20 });
  saveProgress({ ...place, position: 30 });
  await waitFor(() => expect(getUnsentPositions()).toEqual({}));
  expect(told).toEqual([7, 20, 30]);
});
