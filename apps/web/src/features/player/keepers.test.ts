import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { forgetBookmarks, keepBookmark, sendBookmarksBy } from './bookmark-keeper.ts';
import { unsent } from './owner.ts';
import { keep, type SendPlace, type Sent, sendPlacesBy } from './place-keeper.ts';
import { claimListening, forgetListening } from './player.ts';
import { aBookmark, idOf } from './testing/fixtures.ts';

afterEach(() => {
  forgetListening();
  forgetBookmarks();
  localStorage.clear();
});

const [ana, ben] = [idOf(500), idOf(501)];
const place = { track: idOf(1), position: 7, cause: 'pause' } as const;

/** A server that is out of reach at first: the first try hangs until it is let go, then fails; the next is taken. */
function outOfReach() {
  let fail = () => {};
  const promise = new Promise<Sent>((resolve) => {
    fail = () => resolve('later');
  });
  const send = vi.fn<() => Promise<Sent>>().mockReturnValueOnce(promise).mockResolvedValue('taken');
  return { send, fail };
}

it('[PLAY-05] a place is sent again when the network comes back while the last try is still failing', async () => {
  const { send, fail } = outOfReach();
  onTestFinished(sendPlacesBy(send));
  keep({ track: idOf(1), position: 7, cause: 'pause' });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  dispatchEvent(new Event('online'));
  fail();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
});

it('[PLAY-05] so is a bookmark', async () => {
  const { send, fail } = outOfReach();
  onTestFinished(sendBookmarksBy(send));
  keepBookmark({
    _id: idOf(50),
    track: idOf(1),
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
    import('./bookmark-keeper.ts'),
    import('./place-keeper.ts'),
    import('./player.ts'),
  ]);
  return { ...bookmarks, ...places, ...player };
}

it('[PLAY-05] bookmarks made in two tabs without a network are all told', async () => {
  claimListening(ana);
  onTestFinished(sendBookmarksBy(async () => 'later'));
  keepBookmark(aBookmark(1, 10));
  const other = await anotherTab();
  other.keepBookmark(aBookmark(2, 20));
  keepBookmark(aBookmark(3, 30, 'here'));
  other.keepBookmark(aBookmark(3, 30, 'and there'));
  const told: [string, string | undefined][] = [];
  const late = await anotherTab();
  onTestFinished(
    late.sendBookmarksBy(async (id, bookmark) => {
      told.push([id, bookmark?.note]);
      return 'taken';
    }),
  );
  await waitFor(() => expect(told).toHaveLength(3));
  expect(Object.fromEntries(told)).toEqual({ [idOf(801)]: '', [idOf(802)]: '', [idOf(803)]: 'and there' });
});

it('[PLAY-05] what a reader could not tell before they left waits until they are back, and goes to nobody else', async () => {
  claimListening(ana);
  keep(place);
  forgetListening();
  const send = vi.fn<SendPlace>(async () => 'taken');
  claimListening(ben);
  expect(unsent()).toEqual({});
  const stop = sendPlacesBy(send);
  keep({ ...place, position: 30 });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  expect(send.mock.calls[0]?.[0].position).toBe(30);
  stop();
  claimListening(ana);
  expect(unsent()).toEqual({ [place.track]: 7 });
  onTestFinished(sendPlacesBy(send));
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect(send.mock.calls[1]?.[0].position).toBe(7);
});

it('[PLAY-05] what a version before left untold is told, but in nobody else’s name', () => {
  const device = idOf(700);
  const entry = { ...place, device, sequence: 1, at: '2026-11-01T00:00:00.000Z' };
  const old = JSON.stringify({ device, sequence: 1, entries: [entry] });
  claimListening(ana);
  localStorage.setItem('listening-outbox', old);
  expect(unsent()).toEqual({ [place.track]: 7 });
  claimListening(ben);
  expect(unsent()).toEqual({});
});

it('[PLAY-05] a tab that slept while another reader came tells nothing in their name', async () => {
  const sleeping = await anotherTab();
  sleeping.claimListening(ana);
  const send = vi.fn<SendPlace>(async () => 'taken');
  const sendBookmark = vi.fn(async () => 'taken' as const);
  onTestFinished(sleeping.sendPlacesBy(send));
  onTestFinished(sleeping.sendBookmarksBy(sendBookmark));
  claimListening(ben);
  onTestFinished(sendBookmarksBy(async () => 'later'));
  sleeping.keep(place);
  sleeping.keep({ ...place, cause: 'hide' });
  sleeping.keepBookmark(aBookmark(1, 10, 'of Ana'));
  dispatchEvent(new Event('online'));
  await Promise.resolve();
  expect([send.mock.calls, sendBookmark.mock.calls]).toEqual([[], []]);
  expect(unsent()).toEqual({});
  expect(localStorage.getItem('bookmarks-storage')).not.toContain('of Ana');
  // When it wakes up it forgets its own reader, not the one who is here.
  sleeping.forgetListening();
  const told = vi.fn<SendPlace>(async () => 'taken');
  onTestFinished(sendPlacesBy(told));
  keep(place);
  await waitFor(() => expect(told).toHaveBeenCalledOnce());
});

it('[PLAY-05] where storage is full, each place is told once all the same', async () => {
  claimListening(ana);
  keep(place);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const told: number[] = [];
  const stop = sendPlacesBy(async ({ position }) => {
    // A loop would not end.
    if (told.push(position) > 9) return 'later';
    return 'taken';
  });
  onTestFinished(stop);
  keep({ ...place, position: 20 });
  keep({ ...place, position: 30 });
  await waitFor(() => expect(unsent()).toEqual({}));
  expect(told).toEqual([7, 20, 30]);
});
