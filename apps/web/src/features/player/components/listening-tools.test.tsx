import { api } from '@escucho/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { useReadingPreferences } from '#shared/reading-preferences.ts';
import { Toasts } from '#shared/ui/toasts.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { PlayerEffects } from '../effects/player-effects.tsx';
import { dispatch, usePlayer } from '../engine/store.ts';
import { startProgressMerge, switchListeningUser } from '../player.ts';
import { buildArticle, buildBookmark, buildEntry, buildTrack, toId } from '../testing/fixtures.ts';
import { renderPlaying } from '../testing/run-player.tsx';

const chapters = [
  { title: 'The harbour', start: 0 },
  { title: 'The boat', start: 10 },
];
const article = {
  ...buildArticle(1),
  translationLanguage: 'es' as const,
  chapters,
  sentences: buildArticle(1).sentences.map((sentence) => ({
    ...sentence,
    translation: `≈ ${sentence.text}`,
  })),
};

beforeEach(() => {
  mockEndpoint(api.articles.findArticle, article);
  mockEndpoint(api.bookmarks.findBookmarks, { docs: [buildBookmark(1, 12, 'a boat')] });
});

/** Renders the player with a playing track and clicks buttons by name. */
async function openPlaying(...presses: (string | RegExp)[]) {
  const { user, ...running } = renderPlaying(
    [buildTrack(1), buildTrack(2)],
    <>
      <PlayerEffects />
      <Toasts />
    </>,
  );
  for (const name of presses) {
    const found = await screen.findAllByRole('button', { name });
    await user.click(found.at(-1) ?? document.body);
  }
  return { ...running, user };
}

const openPlayer = /^Open the player/;

describe('the sleep timer', () => {
  it('[PLAY-07] is set in minutes, shows what is left and is switched off', async () => {
    const { user } = await openPlaying('Sleep timer');
    await user.click(screen.getByRole('radio', { name: '15 min' }));
    expect(screen.getByRole('button', { name: 'Sleep timer, 15 min left' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Sleep timer, 15 min left' }));
    await user.click(screen.getByRole('radio', { name: 'Off' }));
    expect(screen.getByRole('button', { name: 'Sleep timer' })).toBeInTheDocument();
  });

  it('[PLAY-07] starts again by a press on the minutes that are left', async () => {
    const { user } = await openPlaying('Sleep timer');
    await user.click(screen.getByRole('radio', { name: '15 min' }));
    act(() => dispatch({ type: 'tick', position: 31, seconds: 40 }));
    await user.click(screen.getByRole('button', { name: 'Sleep timer, 15 min left' }));
    await user.click(screen.getByRole('radio', { name: '15 min', checked: true }));
    act(() => dispatch({ type: 'tick', position: 32, seconds: 800 }));
    expect(screen.getByRole('button', { name: 'Sleep timer, 2 min left' })).toBeInTheDocument();
  });

  it('[PLAY-07] stops at the end of the track', async () => {
    const { audio, user } = await openPlaying('Sleep timer');
    await user.click(screen.getByRole('radio', { name: 'End of the track' }));
    act(() => audio.emit({ type: 'ended' }));
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, activeTrack: { _id: toId(2) } });
  });
});

describe('chapters and bookmarks', () => {
  const drawer = async () => within(await screen.findByRole('dialog', { name: 'Chapters and bookmarks' }));

  it('[PLAY-07] a click on a chapter seeks to it; the current one is highlighted', async () => {
    const { audio, user } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByRole } = await drawer();
    await user.click(await findByRole('button', { name: /^The boat/ }));
    expect(audio.currentTime).toBe(10);
    expect(await findByRole('button', { name: /^The boat/ })).toHaveAttribute('aria-current', 'true');
  });

  it('[PLAY-05] bookmarks show their position, note and sentence', async () => {
    const { audio, user } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByRole } = await drawer();
    const found = await findByRole('button', { name: /^Go to 0:12/ });
    expect(found).toHaveTextContent('a boat');
    expect(found).toHaveTextContent('A boat came in.');
    await user.click(found);
    expect(audio.currentTime).toBe(12);
  });

  it('[PLAY-05] adds a bookmark with a note at the current position', async () => {
    const { audio, user, deps } = await openPlaying();
    act(() => audio.advanceTo(25));
    for (const name of [openPlayer, 'Chapters and bookmarks'])
      await user.click(await screen.findByRole('button', { name }));
    const { findByRole, getByRole } = await drawer();
    await user.click(await findByRole('button', { name: 'Bookmark 0:25' }));
    await user.type(getByRole('textbox', { name: 'Note' }), 'again tomorrow{Enter}');
    expect(await findByRole('button', { name: /^Go to 0:25/ })).toHaveTextContent('again tomorrow');
    expect(getByRole('button', { name: 'Note of the bookmark at 0:25' })).toHaveFocus();
    await waitFor(() =>
      expect(deps.sendBookmark.mock.lastCall?.[1]).toMatchObject({ position: 25, note: 'again tomorrow' }),
    );
  });

  it('[PLAY-05] a note that is being written stays when that of another bookmark is opened', async () => {
    mockEndpoint(api.bookmarks.findBookmarks, {
      docs: [buildBookmark(1, 12, 'a boat'), buildBookmark(2, 20)],
    });
    const { user } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByRole, getByRole, getAllByRole } = await drawer();
    await user.click(await findByRole('button', { name: 'Note of the bookmark at 0:12' }));
    await user.type(getByRole('textbox', { name: 'Note' }), ' at noon');
    await user.click(getByRole('button', { name: 'Note of the bookmark at 0:20' }));
    const [first, second] = getAllByRole('textbox', { name: 'Note' });
    expect(first).toHaveValue('a boat at noon');
    expect(second).toHaveFocus();
  });

  it('[PLAY-05] the focus moves from a deleted bookmark to the next', async () => {
    const docs = [buildBookmark(1, 12), buildBookmark(2, 20), buildBookmark(3, 28)];
    mockEndpoint(api.bookmarks.findBookmarks, { docs });
    const { user } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByRole, getByRole } = await drawer();
    await user.click(await findByRole('button', { name: 'Delete the bookmark at 0:20' }));
    expect(getByRole('button', { name: 'Delete the bookmark at 0:28' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(getByRole('button', { name: 'Delete the bookmark at 0:12' })).toHaveFocus();
  });

  it('[PLAY-05] the deletion of a bookmark can be undone', async () => {
    const { user } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByRole, queryByRole } = await drawer();
    await user.click(await findByRole('button', { name: 'Delete the bookmark at 0:12' }));
    expect(queryByRole('button', { name: /^Go to 0:12/ })).not.toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await findByRole('button', { name: /^Go to 0:12/ })).toBeInTheDocument();
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
    const { user, deps } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByRole, getByRole, getAllByRole } = await drawer();
    await user.click(await findByRole('button', { name: 'Note of the bookmark at 0:12' }));
    await user.type(getByRole('textbox', { name: 'Note' }), ' of this device{Enter}');
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

  it('[CAT-09] shows an error when bookmarks fail to load, with a retry', async () => {
    mockEndpoint(api.bookmarks.findBookmarks, 'unavailable');
    const { user } = await openPlaying(openPlayer, 'Chapters and bookmarks');
    const { findByText, findByRole } = await drawer();
    expect(await findByText('Your bookmarks did not load.')).toBeInTheDocument();
    mockEndpoint(api.bookmarks.findBookmarks, { docs: [] });
    await user.click(await findByRole('button', { name: 'Try again' }));
    expect(await findByText(/^Mark a place/)).toBeInTheDocument();
  });
});

describe('the reading toolbar', () => {
  const toolbar = async () => within(await screen.findByRole('toolbar', { name: 'Reading along' }));
  const press = async (user: Awaited<ReturnType<typeof renderPlaying>>['user'], name: string) => {
    const button = (await toolbar()).getByRole('button', { name });
    await user.click(button);
    return button;
  };

  it('[PLAY-08] steps by sentence', async () => {
    const { audio, user } = await openPlaying(openPlayer);
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    await press(user, 'Next sentence');
    await press(user, 'Next sentence');
    expect(audio.currentTime).toBe(20);
    await press(user, 'Previous sentence');
    expect(audio.currentTime).toBe(10);
  });

  it('[PLAY-08] repeats a sentence until it is switched off', async () => {
    const { audio, user } = await openPlaying(openPlayer);
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    act(() => audio.advanceTo(12));
    const loop = await press(user, 'Repeat the sentence');
    expect(loop).toHaveAttribute('aria-pressed', 'true');
    act(() => audio.advanceTo(20));
    expect(audio.currentTime).toBe(10);
    await user.click(loop);
    act(() => audio.advanceTo(20));
    expect(audio.currentTime).toBe(20);
  });

  it('[PLAY-08] plays a sentence slowly and then faster', async () => {
    const { audio, user } = await openPlaying(openPlayer);
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    await press(user, 'Say it slowly, then faster');
    const speeds = [audio.speed];
    for (const _round of [1, 2]) {
      act(() => audio.advanceTo(10));
      speeds.push(audio.speed);
    }
    expect(speeds).toEqual([0.7, 0.85, 1]);
  });

  it('[PLAY-08] pauses after each sentence', async () => {
    const { audio, user } = await openPlaying(openPlayer);
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    await press(user, 'Stop after each sentence');
    act(() => audio.advanceTo(10));
    expect(audio).toMatchObject({ isPlaying: false, currentTime: 10 });
  });

  it('[PLAY-08] shows and hides the translation', async () => {
    const { user } = await openPlaying(openPlayer);
    expect(screen.queryByText('≈ A boat came in.')).not.toBeInTheDocument();
    await press(user, 'Translation');
    expect(screen.getByText('≈ A boat came in.')).toHaveAttribute('lang', 'es');
    await press(user, 'Translation');
    expect(screen.queryByText('≈ A boat came in.')).not.toBeInTheDocument();
  });

  it('[PLAY-08] sets the text size, and any speed from 0.5 to 2', async () => {
    onTestFinished(() => void useReadingPreferences.setState({ size: 100 }));
    const { audio, user } = await openPlaying(openPlayer);
    await press(user, 'Text and speed');
    fireEvent.change(screen.getByRole('slider', { name: 'Text size' }), { target: { value: '150' } });
    expect(screen.getByRole('region', { name: 'Text of Track 1' }).style.fontSize).toBe('1.78125rem');
    const speed = screen.getByRole('slider', { name: 'Speed' });
    expect([speed.getAttribute('min'), speed.getAttribute('max')]).toEqual(['0.5', '2']);
    fireEvent.change(speed, { target: { value: '0.85' } });
    expect(audio.speed).toBe(0.85);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('slider', { name: 'Text size' })).not.toBeInTheDocument();
    expect(screen.getByRole('dialog', { name: 'Player' })).toBeInTheDocument();
  });
});

describe('a changed position', () => {
  it('[PLAY-05] a jump to the start can be undone', async () => {
    const { audio, user, sent } = await openPlaying();
    act(() => audio.advanceTo(65));
    fireEvent.change(screen.getByRole('slider', { name: 'Position' }), { target: { value: '0' } });
    fireEvent.pointerUp(screen.getByRole('slider', { name: 'Position' }));
    expect(sent.some(({ position, cause }) => position === 0 && cause === 'seek')).toBe(false);
    expect(await screen.findByText('From the beginning; you were at 1:05.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back to 1:05' }));
    expect(audio.currentTime).toBe(65);
  });

  it('[PLAY-05] a move to a remote position can be undone', async () => {
    switchListeningUser('ana');
    const { audio, user } = await openPlaying();
    act(() => audio.advanceTo(20));
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    const merge = startProgressMerge('ana');
    act(() => merge([buildEntry(1, { progress: 71 })]));
    expect(audio.currentTime).toBe(71);
    expect(await screen.findByText(/^Continuing at 1:11, where another device was/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back to 0:20' }));
    expect(audio.currentTime).toBe(20);
  });

  it.each([
    ['en', 'phone', /^Continuing at 1:11, where you were on a phone/],
    ['es', 'tablet', /^Sigue en 1:11, donde estabas en una tableta/],
    ['en', 'computer', /^Continuing at 1:11, where another device was/],
  ] as const)(
    '[PLAY-05] in %s names the kind of the other device, here a %s, unless it is the same',
    async (language, kind, text) => {
      onTestFinished(() => act(() => setLanguage('en')));
      switchListeningUser('ana');
      const { audio } = await openPlaying();
      act(() => audio.advanceTo(20));
      act(() => dispatch({ type: 'pause' }));
      await act(() => setLanguage(language));
      act(() => startProgressMerge('ana')([buildEntry(1, { progress: 71, deviceKind: kind })]));
      expect(await screen.findByText(text)).toBeInTheDocument();
    },
  );
});
