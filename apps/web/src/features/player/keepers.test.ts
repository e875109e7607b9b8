import { waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { forgetBookmarks, keepBookmark, sendBookmarksBy } from './bookmark-keeper.ts';
import { forgetUnsent, keep, type Sent, sendPlacesBy } from './place-keeper.ts';
import { idOf } from './testing/fixtures.ts';

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
  onTestFinished(forgetUnsent);
  keep({ track: idOf(1), position: 7, cause: 'pause' });
  await waitFor(() => expect(send).toHaveBeenCalledOnce());
  dispatchEvent(new Event('online'));
  fail();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
});

it('[PLAY-05] so is a bookmark', async () => {
  const { send, fail } = outOfReach();
  onTestFinished(sendBookmarksBy(send));
  onTestFinished(forgetBookmarks);
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
