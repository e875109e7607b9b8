import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readStorage, writeStorage } from '#shared/storage.ts';
import { useToasts } from '#shared/ui/toast.tsx';
import type { PlayerDeps } from './engine/runner.ts';
import { dispatch, useContinueListeningStore, usePlayback, usePlayer } from './engine/store.ts';
import { play, togglePlayback } from './player.ts';
import { buildTrack, listSource } from './testing/fixtures.ts';
import { runPlayer, runPlaying } from './testing/run-player.tsx';

const [one, two] = [buildTrack(1), buildTrack(2)];
const causes = (sent: { cause: string; position: number }[]) =>
  sent.map(({ cause, position }) => `${cause} ${position}`);

describe('two tabs', () => {
  /** Simulates another tab with a player. */
  function openOtherTab() {
    const channel = new BroadcastChannel('escucho-player');
    const received: unknown[] = [];
    channel.addEventListener('message', ({ data }) => received.push(data));
    onTestFinished(() => channel.close());
    return { received, post: (message: unknown) => channel.postMessage(message) };
  }

  it('[PLAY-01] pauses when another tab begins to play, and leaves the storage to that tab', async () => {
    const { audio } = runPlayer();
    const other = openOtherTab();
    play(listSource, [one], 0);
    audio.startPlaying();
    const begun = { begun: expect.any(String) };
    const position = { id: one._id, position: 0 };
    await waitFor(() => expect(other.received).toEqual([begun, 'begins', 'goesOn', position]));
    other.post('nonsense');
    writeStorage('player-storage', 'the queue of the other tab');
    other.post('begins');
    await waitFor(() => expect(audio.isPlaying).toBe(false));
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, phase: 'paused' });
    dispatch({ type: 'setVolume', volume: 0.5 });
    expect(readStorage('player-storage')).toBe('the queue of the other tab');
    togglePlayback();
    expect(audio.isPlaying).toBe(true);
    expect(readStorage('player-storage')).toContain(one._id);
  });

  it.each([
    ['last one plays on', '0', true],
    ['first one pauses', '9', false],
  ])('[PLAY-01] of two tabs that begin at once, the %s', async (_, begun, goesOn) => {
    const { audio } = runPlaying([one, two]);
    const other = openOtherTab();
    other.post({ begun });
    other.post('begins');
    other.post({ id: two._id, position: 33 });
    await waitFor(() => expect(useContinueListeningStore.getState().positions[two._id]).toBe(33));
    expect(audio.isPlaying).toBe(goesOn);
  });
});

it('[PLAY-05] a paused tab resumes at the position of the tab that played', async () => {
  const { audio } = runPlayer();
  const other = new BroadcastChannel('escucho-player');
  onTestFinished(() => other.close());
  play(listSource, [one, two], 0);
  audio.startPlaying();
  togglePlayback();
  other.postMessage('goesOn');
  other.postMessage({ id: one._id, position: 61 });
  other.postMessage({ id: two._id, position: 33 });
  await waitFor(() => expect(usePlayer.getState().queue[1]?.progress).toBe(33));
  expect(audio.currentTime).toBe(61);
  togglePlayback();
  expect(usePlayback.getState().position).toBe(61);
  dispatch({ type: 'next', removeFromContinue: false });
  expect(audio.currentTime).toBe(33);
});

describe('another device is further ahead', () => {
  /** Responds to the first `play` entry with the position of another device. */
  function mockRemoteDevice(position: number) {
    const sent: string[] = [];
    let isPending = true;
    const sendProgress: PlayerDeps['sendProgress'] = async (entry) => {
      sent.push(`${entry.cause} ${entry.position}`);
      if (!isPending || entry.cause !== 'play') return 'accepted';
      isPending = false;
      return { position, deviceKind: 'phone' as const };
    };
    return { sent, sendProgress };
  }

  it('[PLAY-05] continues from the other device’s position and shows a toast', async () => {
    const { sent, sendProgress } = mockRemoteDevice(70);
    const { audio } = runPlaying([one], 0, { sendProgress });
    await waitFor(() => expect(sent).toEqual(['play 0', 'seek 70']));
    expect(audio).toMatchObject({ currentTime: 70, isPlaying: true });
    await waitFor(() => expect(useToasts.getState().toasts.at(-1)?.text).toMatch(/phone/));
  });

  it('[PLAY-05] moves to the other device’s position when it was paused before the response', async () => {
    const { sent, sendProgress } = mockRemoteDevice(70);
    const { audio } = runPlaying([one], 0, { sendProgress });
    togglePlayback();
    await waitFor(() => expect(sent).toEqual(['play 0', 'pause 0', 'seek 70']));
    expect(audio).toMatchObject({ currentTime: 70, isPlaying: false });
  });

  it('[PLAY-05] keeps the position of a seek made before the response', async () => {
    const { sent, sendProgress } = mockRemoteDevice(70);
    const { audio } = runPlaying([one], 0, { sendProgress });
    dispatch({ type: 'seek', position: 20 });
    await waitFor(() => expect(sent).toEqual(['play 0', 'seek 20']));
    expect(audio.currentTime).toBe(20);
  });
});

describe('saving progress', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it('[PLAY-05] entries sent late state how many seconds they waited', async () => {
    let isOnline = false;
    const waited: (number | undefined)[] = [];
    const { audio } = runPlaying([one], 0, {
      sendProgress: async (entry) => {
        if (isOnline) waited.push(entry.waited);
        return isOnline ? 'accepted' : 'retryLater';
      },
    });
    await vi.advanceTimersByTimeAsync(600_000);
    audio.emit({ type: 'elementPaused' });
    isOnline = true;
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(waited[0]).toBe(600);
    expect(waited.at(-1)).toBe(0);
  });

  it('[PLAY-05] entries state the kind of device', async () => {
    const { sent } = runPlaying([one]);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([expect.objectContaining({ cause: 'play', deviceKind: 'computer' })]);
  });

  it('[PLAY-05] sends play, tick, seek and pause with one device id and rising sequences', async () => {
    const { audio, sent } = runPlaying([one]);
    for (const second of [1, 2, 3, 4, 5]) {
      audio.currentTime = second;
      await vi.advanceTimersByTimeAsync(1000);
    }
    dispatch({ type: 'seek', position: 60 });
    await vi.advanceTimersByTimeAsync(0);
    togglePlayback();
    await vi.advanceTimersByTimeAsync(0);
    expect(causes(sent)).toEqual(['play 0', 'tick 4', 'seek 60', 'pause 60']);
    expect(new Set(sent.map(({ device }) => device)).size).toBe(1);
    const numbers = sent.map(({ sequence }) => sequence);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  it('[PLAY-05] sequences still rise after a killed browser lost its last write', async () => {
    const { sent } = runPlaying([one]);
    await vi.advanceTimersByTimeAsync(0);
    const written = readStorage('listening-outbox') ?? '';
    dispatch({ type: 'seek', position: 40 });
    await vi.advanceTimersByTimeAsync(1000);
    writeStorage('listening-outbox', written);
    dispatch({ type: 'seek', position: 50 });
    await vi.advanceTimersByTimeAsync(0);
    const [, before = 0, after = 0] = sent.map(({ sequence }) => sequence);
    expect(after).toBeGreaterThan(before);
  });

  it('queues entries offline and sends them in order once online', async () => {
    let isOnline = false;
    const sent: string[] = [];
    const { audio } = runPlaying([one, two], 10, {
      sendProgress: async ({ cause, position }) => {
        if (!isOnline) return 'retryLater';
        sent.push(`${cause} ${position}`);
        return 'accepted';
      },
    });
    dispatch({ type: 'next', removeFromContinue: true });
    audio.startPlaying();
    audio.advanceTo(20);
    togglePlayback();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([]);
    isOnline = true;
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(['play 0', 'skip 10', 'play 0', 'pause 20']);
  });

  it('a rejected entry does not block the entries after it', async () => {
    const sendProgress = vi.fn(
      async ({ cause }: { cause: string }) =>
        (cause === 'play' ? 'rejected' : 'accepted') as 'rejected' | 'accepted',
    );
    runPlaying([one], 0, { sendProgress });
    togglePlayback();
    await vi.advanceTimersByTimeAsync(0);
    expect(sendProgress.mock.calls.map(([{ cause }]) => cause)).toEqual(['play', 'pause']);
  });

  it('a hidden page sends its progress at once with keepalive', async () => {
    const { deps } = runPlaying([one], 12);
    dispatch({ type: 'pageHidden' });
    expect(deps.sendProgress).toHaveBeenLastCalledWith(
      expect.objectContaining({ cause: 'hide', position: 12 }),
      { keepalive: true },
    );
  });
});
