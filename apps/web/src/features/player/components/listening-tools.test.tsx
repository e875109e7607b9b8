import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { useReadingPreferences } from '#shared/preferences.ts';
import { dispatch, usePlayer } from '../engine/store.ts';
import { startProgressMerge, switchListeningUser } from '../player.ts';
import { buildEntry, toId } from '../testing/fixtures.ts';
import { mockArticle, openPlayer, openPlaying, type renderPlaying } from '../testing/run-player.tsx';

beforeEach(mockArticle);

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

  it('[PLAY-07] says in Spanish that one minute or hour is left, in the singular', async () => {
    onTestFinished(() => setLanguage('en'));
    const { user } = await openPlaying('Sleep timer');
    await user.click(screen.getByRole('radio', { name: '1 hr' }));
    await act(() => setLanguage('es'));
    expect(screen.getByRole('button', { name: 'Temporizador, queda 1 h' })).toBeInTheDocument();
    act(() => dispatch({ type: 'tick', position: 31, seconds: 3480 }));
    expect(screen.getByRole('button', { name: 'Temporizador, quedan 2 min' })).toBeInTheDocument();
    act(() => dispatch({ type: 'tick', position: 32, seconds: 60 }));
    expect(screen.getByRole('button', { name: 'Temporizador, queda 1 min' })).toBeInTheDocument();
  });

  it('[PLAY-07] stops at the end of the track', async () => {
    const { audio, user } = await openPlaying('Sleep timer');
    await user.click(screen.getByRole('radio', { name: 'End of the track' }));
    act(() => audio.emit({ type: 'ended' }));
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, activeTrack: { _id: toId(2) } });
  });
});

describe('the reading toolbar', () => {
  const toolbar = async () => within(await screen.findByRole('group', { name: 'Reading along' }));
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
