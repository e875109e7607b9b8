import { api } from '@escucho/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { usePreferences, useReadingPreferences } from '#shared/preferences.ts';
import { Toasts } from '#shared/ui/toast.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { dispatch, usePlayer } from '../engine/store.ts';
import { play } from '../player.ts';
import { buildArticle, buildTrack, listSource } from '../testing/fixtures.ts';
import { renderPlaying } from '../testing/run-player.tsx';
import { PlayerEffects } from './player-effects.tsx';

beforeEach(() => void mockEndpoint(api.catalogue.findArticle, buildArticle(1)));

function renderEffects() {
  const running = renderPlaying(
    [buildTrack(1), buildTrack(2)],
    <>
      <PlayerEffects />
      <Toasts />
      <input aria-label="Search" />
      <button type="button">Other</button>
      <input type="range" aria-label="Slider" />
      <div role="menu" tabIndex={-1}>
        <div role="menuitem" tabIndex={-1}>
          Logout
        </div>
      </div>
    </>,
  );
  act(() => running.audio.advanceTo(30));
  return running;
}

describe('the document', () => {
  it('[SHELL-05] title is the playing track, otherwise the app', () => {
    renderEffects();
    expect(document.title).toBe('Track 1');
    act(() => dispatch({ type: 'pause' }));
    expect(document.title).toBe('Escucho');
  });
});

it('[PLAY-08] knows the sentences of the next track', async () => {
  const { audio } = renderEffects();
  await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
  const { sentences, ...next } = buildArticle(2);
  mockEndpoint(api.catalogue.findArticle, { ...next, sentences: sentences.slice(0, 2) });
  act(() => {
    dispatch({ type: 'next', removeFromContinue: false });
    audio.startPlaying();
  });
  await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(2));
});

it('[PLAY-08] knows the sentences of a track that is played again after the queue was cleared', async () => {
  const { audio } = renderEffects();
  await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
  act(() => {
    dispatch({ type: 'reset' });
    play(listSource, [buildTrack(1)], 0);
    audio.startPlaying();
  });
  await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
});

describe('shortcuts', () => {
  it.each([
    ['k', { isPlaying: false }],
    [' ', { isPlaying: false }],
    ['j', { progress: 15 }],
    ['{ArrowRight}', { progress: 45 }],
    ['{Shift>}n{/Shift}', { activeTrack: { title: 'Track 2' } }],
    ['m', { muted: true }],
    ['{Shift>}<{/Shift}', { speed: 0.9 }],
    ['r', { practice: { mode: 'loop' } }],
  ])('[PLAY-07] %s', async (keys, expected) => {
    const { user } = renderEffects();
    await user.keyboard(keys);
    expect(usePlayer.getState()).toMatchObject(expected);
  });

  it('[PLAY-07] ignore text fields and keys that the focused button uses', async () => {
    const { user } = renderEffects();
    await user.type(screen.getByRole('textbox', { name: 'Search' }), 'jkm ?');
    expect(screen.getByRole('textbox')).toHaveValue('jkm ?');
    act(() => screen.getByRole('button', { name: 'Other' }).focus());
    await user.keyboard(' ');
    expect(usePlayer.getState()).toMatchObject({ isPlaying: true, muted: false });
  });

  it('[PLAY-07] on a slider handle the space bar but not the arrow keys', async () => {
    const { user } = renderEffects();
    act(() => screen.getByRole('slider', { name: 'Slider' }).focus());
    await user.keyboard('{ArrowRight}');
    expect(usePlayer.getState().progress).toBe(30);
    await user.keyboard(' ');
    expect(usePlayer.getState().isPlaying).toBe(false);
  });

  it('[PLAY-07] ignore letters in a menu', async () => {
    const { user } = renderEffects();
    act(() => screen.getByRole('menuitem', { name: 'Logout' }).focus());
    await user.keyboard('lmrk ');
    expect(usePlayer.getState()).toMatchObject({
      isPlaying: true,
      muted: false,
      practice: null,
      progress: 30,
    });
  });

  it('[PLAY-08] full stop and comma step by sentence once the text is loaded', async () => {
    const { user, audio } = renderEffects();
    act(() => audio.advanceTo(5));
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    await user.keyboard('.');
    expect(audio.currentTime).toBe(10);
    await user.keyboard(',');
    expect(audio.currentTime).toBe(0);
  });

  it('[PLAY-07] b adds a bookmark, with a toast that undoes it', async () => {
    const { user, deps } = renderEffects();
    act(() => dispatch({ type: 'seek', position: 31 }));
    await user.keyboard('b');
    const [id, made] = deps.sendBookmark.mock.lastCall ?? [];
    expect(made).toMatchObject({ _id: id, position: 31, note: '' });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(deps.sendBookmark).toHaveBeenLastCalledWith(id, null));
  });

  it('[PLAY-07] ? opens their list', async () => {
    const { user } = renderEffects();
    await user.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(sheet).toHaveTextContent('Play or pause');
    expect(sheet).toHaveTextContent('Forward 15 seconds');
  });

  it('[PLAY-07] of letters and signs can be turned off', async () => {
    onTestFinished(() => void usePreferences.setState({ hasCharacterKeys: true }));
    const { user } = renderEffects();
    act(() => usePreferences.setState({ hasCharacterKeys: false }));
    await user.keyboard('kjm.?{Shift>}n<{/Shift}');
    expect(usePlayer.getState()).toMatchObject({ isPlaying: true, progress: 30, muted: false, speed: 1 });
    await user.keyboard('{ArrowRight} ');
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, progress: 45 });
  });
});

describe('leaving the page', () => {
  it('[PLAY-05] saves the position with keepalive', () => {
    const { deps } = renderEffects();
    dispatchEvent(new Event('pagehide'));
    expect(deps.sendProgress).toHaveBeenLastCalledWith(
      expect.objectContaining({ cause: 'hide', position: 30 }),
      { keepalive: true },
    );
  });
});

describe('the media session', () => {
  /** Stubs the browser's media session. */
  function stubMediaSession() {
    const handlers = new Map<string, MediaSessionActionHandler | null>();
    const media = {
      metadata: null as { title?: string; artist?: string } | null,
      playbackState: 'none',
      setActionHandler: (name: string, handler: MediaSessionActionHandler | null) => {
        if (name === 'seekto') throw new TypeError('unknown action');
        handlers.set(name, handler);
      },
      setPositionState: vi.fn(),
    };
    vi.stubGlobal(
      'MediaMetadata',
      class {
        constructor(init: object) {
          Object.assign(this, init);
        }
      },
    );
    Object.defineProperty(navigator, 'mediaSession', { value: media, configurable: true });
    return { media, handlers };
  }

  it('[PLAY-07] has metadata, state and position of the track', () => {
    const { media } = stubMediaSession();
    renderEffects();
    expect(media.metadata).toMatchObject({
      title: 'Track 1',
      artist: 'Ana Ruiz',
      artwork: [
        { src: expect.stringMatching(/^http.*1-large\.avif$/) },
        { src: expect.stringMatching(/1\.avif$/) },
      ],
    });
    expect(media.playbackState).toBe('playing');
    act(() => dispatch({ type: 'seek', position: 50 }));
    expect(media.setPositionState).toHaveBeenLastCalledWith({ duration: 100, playbackRate: 1, position: 50 });
  });

  it.each([
    ['pause', {}, { isPlaying: false }],
    ['nexttrack', {}, { activeTrack: { title: 'Track 2' } }],
    ['seekbackward', {}, { progress: 15 }],
    ['seekforward', { seekOffset: 5 }, { progress: 35 }],
  ] as const)('[PLAY-07] handles %s where other actions are unsupported', (action, details, expected) => {
    const { handlers } = stubMediaSession();
    renderEffects();
    act(() => handlers.get(action)?.({ action, ...details }));
    expect(usePlayer.getState()).toMatchObject(expected);
  });

  it('[PLAY-08] nexttrack steps by sentence when the user prefers that', async () => {
    const { handlers } = stubMediaSession();
    onTestFinished(() => void useReadingPreferences.setState({ hasSentenceKeys: false }));
    const { audio } = renderEffects();
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    act(() => {
      useReadingPreferences.setState({ hasSentenceKeys: true });
      audio.advanceTo(5);
      handlers.get('nexttrack')?.({ action: 'nexttrack' });
    });
    expect(usePlayer.getState().activeTrack?.title).toBe('Track 1');
    expect(audio.currentTime).toBe(10);
  });
});
