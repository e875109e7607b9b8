import { type Article, api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { mockEndpoint } from '#testing/server.ts';
import { dispatch } from '../engine/store.ts';
import { clearListening } from '../player.ts';
import { buildArticle, buildBookmark } from '../testing/fixtures.ts';
import { mockArticle, openPlayer, openPlaying } from '../testing/run-player.tsx';

beforeEach(mockArticle);

describe('chapters and bookmarks', () => {
  const drawer = async () => within(await screen.findByRole('dialog', { name: 'Chapters and bookmarks' }));
  async function open() {
    const playing = await openPlaying(openPlayer, 'Chapters and bookmarks');
    return { ...playing, ...(await drawer()) };
  }
  /** Opens the drawer and starts to write into the note of its bookmark. */
  async function openNote() {
    const opened = await open();
    await opened.user.click(await opened.findByRole('button', { name: 'Note of the bookmark at 0:12' }));
    await opened.user.type(opened.getByRole('textbox', { name: /^Note of/ }), ' at noon');
    return opened;
  }

  it('[PLAY-07] a click on a chapter seeks to it; the current one is highlighted', async () => {
    const { audio, user, findByRole } = await open();
    await user.click(await findByRole('button', { name: /^The boat/ }));
    expect(audio.currentTime).toBe(10);
    expect(await findByRole('button', { name: /^The boat/ })).toHaveAttribute('aria-current', 'true');
  });

  it('[PLAY-07] keeps no chapters that start together for the next track', async () => {
    const toArticle = (number: number, start: number, titles: string[]) => ({
      ...buildArticle(number),
      chapters: titles.map((title) => ({ title, start })),
    });
    const first = toArticle(1, 0, ['Part one', 'Morning', 'The ferry']);
    const second = toArticle(2, 3, ['The storm']);
    const requests = mockEndpoint(
      api.catalogue.findArticle,
      (): Article => (requests.at(-1)?.url.pathname.endsWith(first._id) ? first : second),
    );
    const { findByRole, getByRole } = await open();
    const chapters = async (last: RegExp) => {
      await findByRole('button', { name: last });
      const buttons = within(getByRole('region', { name: 'Chapters' })).getAllByRole('button');
      return buttons.map(({ textContent }) => textContent);
    };
    const listed = await chapters(/^The ferry/);
    for (let times = 0; times < 2; times += 1) {
      act(() => dispatch({ type: 'next', removeFromContinue: false }));
      expect(await chapters(/^The storm/)).toEqual(['The storm0:03']);
      act(() => dispatch({ type: 'previous' }));
      expect(await chapters(/^The ferry/)).toEqual(listed);
    }
  });

  it('[PLAY-05] bookmarks show their position, note and sentence', async () => {
    const { audio, user, findByRole } = await open();
    const found = await findByRole('button', { name: /^Go to 0:12/ });
    expect(found).toHaveTextContent('a boat');
    expect(found).toHaveTextContent('A boat came in.');
    await user.click(found);
    expect(audio.currentTime).toBe(12);
  });

  it('[PLAY-05] adds a bookmark with a note at the current position', async () => {
    const { audio, user, deps, findByRole, getByRole } = await open();
    const add = await findByRole('button', { name: 'Bookmark this place' });
    act(() => audio.advanceTo(25));
    expect(add).toHaveAccessibleName('Bookmark this place');
    await user.click(add);
    await user.type(getByRole('textbox', { name: /^Note of/ }), 'again tomorrow{Enter}');
    expect(await findByRole('button', { name: /^Go to 0:25/ })).toHaveTextContent('again tomorrow');
    expect(getByRole('button', { name: 'Note of the bookmark at 0:25' })).toHaveFocus();
    await waitFor(() =>
      expect(deps.sendBookmark.mock.lastCall?.[1]).toMatchObject({ position: 25, note: 'again tomorrow' }),
    );
  });

  it('[PLAY-05] a note that is pasted with a tab is saved with a space', async () => {
    const { user, deps, findByRole, getByRole } = await open();
    await user.click(await findByRole('button', { name: 'Bookmark this place' }));
    await user.paste('el barco\tthe boat');
    await user.click(getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(deps.sendBookmark.mock.lastCall?.[1]?.note).toBe('el barco the boat'));
  });

  it('[PLAY-05] a note that is being written stays when that of another bookmark is opened', async () => {
    mockEndpoint(api.bookmarks.findBookmarks, {
      docs: [buildBookmark(1, 12, 'a boat'), buildBookmark(2, 20)],
    });
    const { user, getByRole } = await openNote();
    await user.click(getByRole('button', { name: 'Note of the bookmark at 0:20' }));
    expect(getByRole('textbox', { name: 'Note of the bookmark at 0:12' })).toHaveValue('a boat at noon');
    expect(getByRole('textbox', { name: 'Note of the bookmark at 0:20' })).toHaveFocus();
  });

  it.each<[string, (opened: Awaited<ReturnType<typeof openNote>>) => unknown]>([
    ['the next track starts', ({ audio }) => void act(() => audio.emit({ type: 'ended' }))],
    [
      'the drawer is closed',
      ({ user, getAllByRole }) => user.click(getAllByRole('button', { name: 'Close' })[0] ?? document.body),
    ],
    ['the page is closed', () => dispatchEvent(new Event('pagehide'))],
  ])('[PLAY-05] a note that is being written is saved when %s', async (_, close) => {
    const opened = await openNote();
    await close(opened);
    await waitFor(() =>
      expect(opened.deps.sendBookmark.mock.lastCall?.[1]).toMatchObject({
        position: 12,
        note: 'a boat at noon',
      }),
    );
  });

  it.each([
    ['saved when the queue is emptied', () => dispatch({ type: 'reset' }), 'a boat at noon'],
    ['dropped at the sign-out', clearListening, undefined],
  ])('[PLAY-05] a note that is being written is %s', async (_name, closePlayer, saved) => {
    const { deps } = await openNote();
    act(closePlayer);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(deps.sendBookmark.mock.lastCall?.[1]?.note).toBe(saved));
  });

  it('[PLAY-05] the focus moves from a deleted bookmark to the next', async () => {
    const docs = [buildBookmark(1, 12), buildBookmark(2, 20), buildBookmark(3, 28)];
    mockEndpoint(api.bookmarks.findBookmarks, { docs });
    const { user, findByRole, getByRole } = await open();
    await user.click(await findByRole('button', { name: 'Delete the bookmark at 0:20' }));
    expect(getByRole('button', { name: 'Delete the bookmark at 0:28' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(getByRole('button', { name: 'Delete the bookmark at 0:12' })).toHaveFocus();
  });

  it('[PLAY-05] the focus moves from the only bookmark, deleted, to the button that adds one', async () => {
    const { user, findByRole, getByRole } = await open();
    const remove = await findByRole('button', { name: 'Delete the bookmark at 0:12' });
    act(() => remove.focus());
    await user.keyboard('{Enter}');
    expect(remove).not.toBeInTheDocument();
    expect(getByRole('button', { name: 'Bookmark this place' })).toHaveFocus();
  });

  it('[PLAY-05] the deletion of a bookmark can be undone', async () => {
    const { user, findByRole, queryByRole } = await open();
    await user.click(await findByRole('button', { name: 'Delete the bookmark at 0:12' }));
    expect(queryByRole('button', { name: /^Go to 0:12/ })).not.toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await findByRole('button', { name: /^Go to 0:12/ })).toBeInTheDocument();
  });

  it.each([
    ['with its note', '{Enter}'],
    ['whose note is open', ''],
  ])('[PLAY-05] the deletion of a new bookmark %s can be undone without its form', async (_, keys) => {
    mockEndpoint(api.bookmarks.findBookmarks, { docs: [] });
    const { user, findByRole, getByRole, queryByRole } = await open();
    await user.click(await findByRole('button', { name: 'Bookmark this place' }));
    await user.type(getByRole('textbox', { name: /^Note of/ }), `again${keys}`);
    await user.click(getByRole('button', { name: 'Delete the bookmark at 0:00' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await findByRole('button', { name: /^Go to 0:00/ })).toBeInTheDocument();
    expect(queryByRole('textbox', { name: /^Note of/ })).not.toBeInTheDocument();
  });

  it('[PLAY-05] changes made offline are sent once online', async () => {
    const { user, deps } = await openPlaying();
    deps.sendBookmark.mockResolvedValue('retryLater');
    for (const name of [openPlayer, 'Chapters and bookmarks'])
      await user.click(await screen.findByRole('button', { name }));
    const { findByRole } = await drawer();
    await user.click(await findByRole('button', { name: 'Delete the bookmark at 0:12' }));
    await waitFor(() => expect(deps.sendBookmark).toHaveBeenCalledTimes(1));
    deps.sendBookmark.mockResolvedValue('accepted');
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(deps.sendBookmark).toHaveBeenCalledTimes(2));
    dispatchEvent(new Event('online'));
    expect(deps.sendBookmark).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['edit', [buildBookmark(1, 12, 'of another device')]],
    ['deletion', []],
  ])('[PLAY-05] shows the %s by another device of a bookmark that was edited here', async (_, docs) => {
    const { user, deps, findByRole, getByRole, getAllByRole } = await open();
    await user.click(await findByRole('button', { name: 'Note of the bookmark at 0:12' }));
    await user.type(getByRole('textbox', { name: /^Note of/ }), ' of this device{Enter}');
    expect(await findByRole('button', { name: /^Go to 0:12/ })).toHaveTextContent('a boat of this device');
    await waitFor(() => expect(deps.sendBookmark).toHaveBeenCalledOnce());
    // Toasts have one too.
    await user.click(getAllByRole('button', { name: 'Close' })[0] ?? document.body);
    mockEndpoint(api.bookmarks.findBookmarks, { docs });
    await user.click(screen.getByRole('button', { name: 'Chapters and bookmarks' }));
    const { findByText, queryByText } = await drawer();
    const expected = docs.length > 0 ? /of another device/ : /^Mark a place/;
    expect(await findByText(expected)).toBeInTheDocument();
    expect(queryByText(/of this device/)).not.toBeInTheDocument();
  });

  it('[CAT-09] bookmarks do not load without a network, and load with it', async () => {
    onTestFinished(() => onlineManager.setOnline(true));
    const { user } = await openPlaying(openPlayer);
    act(() => onlineManager.setOnline(false));
    await user.click(await screen.findByRole('button', { name: 'Chapters and bookmarks' }));
    const { findByText, findByRole } = await drawer();
    expect(await findByText('Your bookmarks did not load.')).toBeInTheDocument();
    act(() => onlineManager.setOnline(true));
    expect(await findByRole('button', { name: /^Go to 0:12/ })).toBeInTheDocument();
  });

  it('[CAT-09] shows an error when bookmarks fail to load, with a retry', async () => {
    mockEndpoint(api.bookmarks.findBookmarks, 'unavailable');
    const { user, findByText, findByRole } = await open();
    expect(await findByText('Your bookmarks did not load.')).toBeInTheDocument();
    mockEndpoint(api.bookmarks.findBookmarks, { docs: [] });
    await user.click(await findByRole('button', { name: 'Try again' }));
    expect(await findByText(/^Mark a place/)).toBeInTheDocument();
  });
});
