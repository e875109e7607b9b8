import { api } from '@escucho/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Toasts } from '#shared/ui/toasts.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { dispatch, usePlayer } from '../engine/store.ts';
import { play } from '../player.ts';
import { useReadingPreferences } from '../reading-preferences.ts';
import { buildArticle, buildTrack, stories } from '../testing/fixtures.ts';
import { renderPlayer } from '../testing/render-player.tsx';
import { runPlayer } from '../testing/run-player.ts';
import { PlayerEffects } from './player-effects.tsx';

beforeEach(() => void mockEndpoint(api.articles.findArticle, buildArticle(1)));

function sounding() {
  const running = runPlayer();
  const hands = renderPlayer(
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
  act(() => {
    play(stories, [buildTrack(1), buildTrack(2)], 0);
    running.audio.startPlaying();
    running.audio.advanceTo(30);
  });
  return { ...running, hands };
}

describe('the document', () => {
  it('[SHELL-05] is named after the track while one plays, and after the app otherwise', () => {
    sounding();
    expect(document.title).toBe('Track 1');
    act(() => dispatch({ type: 'pause' }));
    expect(document.title).toBe('Escucho');
  });
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
    const { hands } = sounding();
    await hands.keyboard(keys);
    expect(usePlayer.getState()).toMatchObject(expected);
  });

  it('[PLAY-07] stay out of a field that is typed in, and of keys a button has a use for', async () => {
    const { hands } = sounding();
    await hands.type(screen.getByRole('textbox', { name: 'Search' }), 'jkm ?');
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'jkm ?');
    act(() => screen.getByRole('button', { name: 'Other' }).focus());
    await hands.keyboard(' ');
    expect(usePlayer.getState()).toMatchObject({ isPlaying: true, muted: false });
  });

  it('[PLAY-07] on a slider the space bar plays and pauses, and arrows belong to it', async () => {
    const { hands } = sounding();
    act(() => screen.getByRole('slider', { name: 'Slider' }).focus());
    await hands.keyboard('{ArrowRight}');
    expect(usePlayer.getState().progress).toBe(30);
    await hands.keyboard(' ');
    expect(usePlayer.getState().isPlaying).toBe(false);
  });

  it('[PLAY-07] in a menu every letter goes to what begins with it', async () => {
    const { hands } = sounding();
    act(() => screen.getByRole('menuitem', { name: 'Logout' }).focus());
    await hands.keyboard('lmrk ');
    expect(usePlayer.getState()).toMatchObject({
      isPlaying: true,
      muted: false,
      practice: null,
      progress: 30,
    });
  });

  it('[PLAY-08] the full stop goes to the sentence after, once the text is there', async () => {
    const { hands, audio } = sounding();
    act(() => audio.advanceTo(5));
    await waitFor(() => expect(usePlayer.getState().spans).toHaveLength(3));
    await hands.keyboard('.');
    expect(audio.currentTime).toBe(10);
    await hands.keyboard(',');
    expect(audio.currentTime).toBe(0);
  });

  it('[PLAY-07] b marks the place, says so, and takes it back', async () => {
    const { hands, deps } = sounding();
    act(() => dispatch({ type: 'seek', position: 31 }));
    await hands.keyboard('b');
    const [id, made] = deps.sendBookmark.mock.lastCall ?? [];
    expect(made).toMatchObject({ _id: id, position: 31, note: '' });
    await hands.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(deps.sendBookmark).toHaveBeenLastCalledWith(id, null));
  });

  it('[PLAY-07] are listed by ?', async () => {
    const { hands } = sounding();
    await hands.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(sheet.textContent).toContain('Play or pause');
    expect(sheet.textContent).toContain('Forward 15 seconds');
  });
});

describe('leaving the page', () => {
  it('[PLAY-05] saves the place while there is time', () => {
    const { deps } = sounding();
    dispatchEvent(new Event('pagehide'));
    expect(deps.sendProgress).toHaveBeenLastCalledWith(
      expect.objectContaining({ cause: 'hide', position: 30 }),
      { keepalive: true },
    );
  });
});

describe('the media session', () => {
  /** A browser's media session, as far as it is used. */
  function standInForMediaSession() {
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

  it('[PLAY-07] shows what plays, and where', () => {
    const { media } = standInForMediaSession();
    sounding();
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
  ] as const)('[PLAY-07] %s, where the browser may not know every action', (action, details, expected) => {
    const { handlers } = standInForMediaSession();
    sounding();
    act(() => handlers.get(action)?.({ action, ...details }));
    expect(usePlayer.getState()).toMatchObject(expected);
  });

  it('[PLAY-08] next goes by sentences where the reader wants that', async () => {
    const { handlers } = standInForMediaSession();
    onTestFinished(() => void useReadingPreferences.setState({ hasSentenceKeys: false }));
    const { audio } = sounding();
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
