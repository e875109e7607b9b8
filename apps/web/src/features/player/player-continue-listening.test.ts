import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { dispatch, useContinueListeningStore, usePlayback, usePlayer } from './engine/store.ts';
import {
  clearListening,
  play,
  removeFromContinueListening,
  startProgressMerge,
  switchListeningUser,
  togglePlayback,
} from './player.ts';
import { getUnsentPositions } from './sync/progress-storage.ts';
import { buildEntry, buildTrack, latestSource, listSource, toId } from './testing/fixtures.ts';
import { renderBar, runPlayer, runPlaying } from './testing/run-player.tsx';

const [one, two] = [buildTrack(1), buildTrack(2)];

describe('continue listening', () => {
  it('[PLAY-05] pausing adds the track, skipping removes it', () => {
    runPlaying([one, two], 25);
    togglePlayback();
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1, { progress: 25 })]);
    dispatch({ type: 'next', removeFromContinue: true });
    expect(useContinueListeningStore.getState().entries).toEqual([]);
  });

  it('applies the server’s list to the store and to an idle player', () => {
    runPlayer();
    switchListeningUser(toId(500));
    dispatch({ type: 'enqueue', track: one, at: 'end' });
    startProgressMerge(toId(500))([buildEntry(1, { progress: 70 })]);
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1, { progress: 70 })]);
    expect(usePlayback.getState().position).toBe(70);
  });

  it('a list requested before progress was saved does not overwrite it', async () => {
    const { audio } = runPlayer();
    const mergeProgress = startProgressMerge(toId(500));
    play(listSource, [one], 0);
    audio.startPlaying();
    audio.advanceTo(50);
    togglePlayback();
    await waitFor(() => expect(getUnsentPositions()).toEqual({}));
    mergeProgress([buildEntry(1, { progress: 5 }), buildEntry(2)]);
    expect(useContinueListeningStore.getState().entries.map(({ progress }) => progress)).toEqual([50, 40]);
  });

  it('a position that is not sent yet does not move the track that it was saved for', () => {
    switchListeningUser(toId(500));
    const { audio } = runPlaying([one], 99, { sendProgress: async () => 'retryLater' });
    audio.emit({ type: 'ended' });
    startProgressMerge(toId(500))([buildEntry(1, { progress: 95 })]);
    expect(usePlayer.getState()).toMatchObject({ activeTrack: { _id: one._id }, progress: 100 });
  });

  it('[PLAY-05] a position that was sent while the list was requested is not overwritten', async () => {
    let result: 'retryLater' | 'accepted' = 'retryLater';
    switchListeningUser(toId(500));
    runPlaying([one], 55, { sendProgress: async () => result });
    togglePlayback();
    const mergeProgress = startProgressMerge(toId(500));
    result = 'accepted';
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(getUnsentPositions()).toEqual({}));
    mergeProgress([buildEntry(1, { progress: 20 })]);
    expect(usePlayback.getState().position).toBe(55);
    expect(useContinueListeningStore.getState().entries).toMatchObject([{ progress: 55 }]);
  });

  it('[PLAY-05] a sent position that another device has passed is overwritten by the list', async () => {
    let isOnline = false;
    const passed = { position: 80, deviceKind: 'phone' } as const;
    const sendProgress = async ({ track }: { track: string }) => {
      if (!isOnline) return 'retryLater';
      return track === toId(2) ? passed : 'accepted';
    };
    switchListeningUser(toId(500));
    const { audio } = runPlaying([buildTrack(2)], 20, { sendProgress });
    play(latestSource, [one], 0);
    audio.startPlaying();
    const mergeProgress = startProgressMerge(toId(500));
    isOnline = true;
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(getUnsentPositions()).toEqual({}));
    mergeProgress([buildEntry(2, { progress: 80 })]);
    const { entries, positions } = useContinueListeningStore.getState();
    expect(entries.find(({ _id }) => _id === toId(2))).toMatchObject({ progress: 80 });
    expect(positions[toId(2)]).toBe(80);
  });

  it('sends a removal as skip and its undo as seek, without time played', async () => {
    const { sent } = runPlayer();
    startProgressMerge(toId(500))([buildEntry(1), buildEntry(2)]);
    const undo = removeFromContinueListening(buildEntry(2));
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1)]);
    undo();
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1), buildEntry(2)]);
    await waitFor(() =>
      expect(sent).toMatchObject([
        { cause: 'skip', position: 40, secondsPlayed: 0 },
        { cause: 'seek', position: 40, secondsPlayed: 0 },
      ]),
    );
  });

  it('[PLAY-05] removing the track that plays pauses it, and its undo restores its position', async () => {
    const { audio, sent } = runPlayer();
    switchListeningUser(toId(500));
    const entry = buildEntry(1, { progress: 20 });
    play(listSource, [buildTrack(1, { progress: 20 })], 0);
    audio.startPlaying();
    audio.advanceTo(25);
    const undo = removeFromContinueListening(entry);
    expect(audio.isPlaying).toBe(false);
    dispatch({ type: 'pageHidden' });
    expect(useContinueListeningStore.getState().entries).toEqual([]);
    undo();
    expect(useContinueListeningStore.getState().entries).toEqual([{ ...entry, progress: 25 }]);
    const causes = ['play', 'pause', 'skip', 'seek'];
    const expected = causes.map((cause) => ({ cause, position: cause === 'play' ? 20 : 25 }));
    await waitFor(() => expect(sent).toMatchObject(expected));
  });

  it('[PLAY-05] signing out while a track plays saves its position', () => {
    switchListeningUser(toId(500));
    const { audio } = runPlaying([one], 25, { sendProgress: async () => 'retryLater' });
    clearListening();
    expect(audio.url).toBeNull();
    expect(usePlayback.getState().position).toBe(0);
    switchListeningUser(toId(500));
    expect(getUnsentPositions()).toEqual({ [one._id]: 25 });
  });

  it('is cleared when another user signs in', () => {
    runPlayer();
    switchListeningUser(toId(500));
    dispatch({ type: 'enqueue', track: one, at: 'end' });
    startProgressMerge(toId(500))([buildEntry(1)]);
    switchListeningUser(toId(500));
    expect(useContinueListeningStore.getState().entries).toHaveLength(1);
    switchListeningUser(toId(501));
    expect(useContinueListeningStore.getState().entries).toEqual([]);
    expect(usePlayer.getState().queue).toEqual([]);
  });

  it('shows no position and sleep timer of the user before, whose session has ended', () => {
    usePlayback.setState({ position: 31, sleep: 1800 });
    switchListeningUser(toId(501));
    runPlayer();
    renderBar();
    expect(screen.getAllByText('0:00')).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Sleep timer' })).toBeInTheDocument();
  });
});
