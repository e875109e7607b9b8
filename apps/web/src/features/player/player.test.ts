import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readStorage, writeStorage } from '#shared/storage.ts';
import { useToasts } from '#shared/ui/toast.ts';
import type { PlayerDeps } from './engine/runner.ts';
import { dispatch, useContinueListeningStore, usePlayback, usePlayer } from './engine/store.ts';
import {
  play,
  removeFromContinueListening,
  startProgressMerge,
  switchListeningUser,
  togglePlayback,
} from './player.ts';
import { getUnsentPositions } from './sync/progress-storage.ts';
import type { FakeAudio } from './testing/fake-audio.ts';
import { buildEntry, buildTrack, latest, stories, toId } from './testing/fixtures.ts';
import { runPlayer } from './testing/run-player.ts';

const [one, two] = [buildTrack(1), buildTrack(2)];
const causes = (sent: { cause: string; position: number }[]) =>
  sent.map(({ cause, position }) => `${cause} ${position}`);

describe('playing', () => {
  it('loads, sounds and says so', () => {
    const { audio } = runPlayer();
    play(stories, [one, two], 0);
    expect(audio).toMatchObject({ url: one.url, isPlaying: true });
    audio.startPlaying();
    expect(usePlayer.getState()).toMatchObject({
      phase: 'playing',
      isPlaying: true,
      activeTrack: { _id: one._id },
    });
  });

  it('a press before the player runs is heard as soon as it does', () => {
    play(stories, [one, two], 1);
    expect(runPlayer().audio).toMatchObject({ url: two.url, isPlaying: true });
  });

  it('[PLAY-05] resumes at the place of a reload, by a fresh address', async () => {
    const { audio, deps, stop } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
    audio.advanceTo(31);
    stop();
    await usePlayer.persist.rehydrate();
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, phase: 'idle', progress: 31 });
    const again = runPlayer(deps);
    togglePlayback();
    await waitFor(() =>
      expect(again.audio).toMatchObject({ url: `/fresh/${one._id}.mp3`, currentTime: 31, isPlaying: true }),
    );
  });

  it('an address that has expired is replaced, and the sound goes on at the same second', async () => {
    const { audio, deps } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
    audio.advanceTo(44);
    audio.emit({ type: 'failed', error: 'unavailable' });
    await waitFor(() =>
      expect(audio).toMatchObject({ url: `/fresh/${one._id}.mp3`, currentTime: 44, isPlaying: true }),
    );
    expect(deps.getAudioUrl).toHaveBeenCalledOnce();
  });

  it('[PLAY-05] after a sleep in which the network went, play goes on from the place by a new load', async () => {
    const { audio } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
    audio.advanceTo(44);
    audio.emit({ type: 'stalled' });
    // The load that hung is not waited for: what comes is another one, which has to be told to play.
    togglePlayback();
    togglePlayback();
    expect(audio).toMatchObject({ url: one.url, currentTime: 44, isPlaying: true });
    expect(audio.loadCount).toBe(2);
    audio.emit({ type: 'failed', error: 'network' });
    await waitFor(() =>
      expect(audio).toMatchObject({ url: `/fresh/${one._id}.mp3`, currentTime: 44, isPlaying: true }),
    );
    audio.startPlaying();
    expect(usePlayer.getState()).toMatchObject({ phase: 'playing', progress: 44 });
  });

  it('[PLAY-05] [PLAY-06] sound that hangs is loaded anew by itself, and so once the network is back', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio, deps } = runPlayer();
    play(stories, [one], 0);
    await vi.advanceTimersByTimeAsync(7000);
    audio.emit({ type: 'buffered', to: 2 });
    await vi.advanceTimersByTimeAsync(7000);
    expect(audio.loadCount).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(audio).toMatchObject({ loadCount: 2, url: `/fresh/${one._id}.mp3`, isPlaying: true });
    audio.startPlaying();
    audio.advanceTo(44);
    audio.emit({ type: 'stalled' });
    await vi.advanceTimersByTimeAsync(8000);
    expect(usePlayer.getState()).toMatchObject({ phase: 'error', error: 'network' });
    expect(deps.loadRemoteProgress).not.toHaveBeenCalled();
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(audio).toMatchObject({ loadCount: 3, currentTime: 44, isPlaying: true });
    expect(deps.loadRemoteProgress).toHaveBeenCalledOnce();
  });

  it('[PLAY-05] a machine that slept over sound asks where others have gone on before it sounds again', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const loadRemoteProgress = vi.fn(async () =>
      dispatch({
        type: 'remotePositionsReceived',
        positions: { [one._id]: 70 },
        deviceKinds: { [one._id]: 'phone' },
      }),
    );
    const { audio, sent } = runPlayer({ loadRemoteProgress });
    play(stories, [one], 0);
    audio.startPlaying();
    audio.advanceTo(12);
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(audio).toMatchObject({ currentTime: 70, isPlaying: false });
    expect(causes(sent)).toEqual(['play 0']);
  });

  it('a pause while the address is awaited holds', async () => {
    const { audio } = runPlayer();
    play(stories, [buildTrack(1, { url: null })], 0);
    togglePlayback();
    await waitFor(() => expect(audio.url).not.toBeNull());
    expect(audio.isPlaying).toBe(false);
  });

  it('a track chosen meanwhile overtakes an address that comes late', async () => {
    let answer = (_: { url: string }): void => {};
    const late = new Promise<{ url: string }>((resolve) => {
      answer = resolve;
    });
    const { audio } = runPlayer({ getAudioUrl: () => late });
    play(stories, [buildTrack(1, { url: null }), two], 0);
    play(stories, [buildTrack(1, { url: null }), two], 1);
    answer({ url: '/late.mp3' });
    await late;
    expect(audio.url).toBe(two.url);
  });

  it('[PLAY-06] without an address the failure is logged, and shown until play tries again', async () => {
    const getAudioUrl = vi.fn(async () => ({ error: 'network' as const }));
    const { deps, audio } = runPlayer({ getAudioUrl });
    play(stories, [buildTrack(1, { url: null })], 0);
    await waitFor(() => expect(usePlayer.getState()).toMatchObject({ phase: 'error', error: 'network' }));
    expect(deps.logError).toHaveBeenCalledWith('"Track 1" does not play', 'network');
    togglePlayback();
    await waitFor(() => expect(getAudioUrl).toHaveBeenCalledTimes(2));
    expect(audio.url).toBeNull();
  });

  it('[PLAY-04] the gate refuses before anything sounds', () => {
    const { audio, deps } = runPlayer({ isSubscribed: () => false });
    play(stories, [one, two], 0);
    expect(deps.onRefused).toHaveBeenCalledOnce();
    expect(audio.url).toBeNull();
    play(latest, [one, two], 0);
    expect(audio.url).toBe(one.url);
    expect(usePlayer.getState().queue).toHaveLength(1);
  });

  it('[PLAY-04] a refusal of the server asks for a subscription too', async () => {
    const { deps } = runPlayer({ getAudioUrl: async () => ({ error: 'refused' }) });
    play(stories, [buildTrack(1, { url: null })], 0);
    await waitFor(() => expect(deps.onRefused).toHaveBeenCalledOnce());
    expect(usePlayer.getState()).toMatchObject({ phase: 'idle', isPlaying: false, error: null });
  });

  it('the passing of time alone does not stir the wide store', () => {
    const { audio } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
    const before = usePlayer.getState();
    audio.advanceTo(1);
    audio.advanceTo(2);
    expect(usePlayer.getState()).toBe(before);
    expect(usePlayback.getState().position).toBe(2);
  });
});

describe('the next track', () => {
  const nearTheEnd = (audio: FakeAudio) => {
    audio.startPlaying();
    audio.emit({ type: 'buffered', to: 100 });
    audio.advanceTo(50);
  };

  it('[PLAY-06] has its address and its beginning before the end, once; then it begins without a wait', async () => {
    const { audio, deps } = runPlayer();
    play(stories, [one, buildTrack(2, { url: null })], 0);
    nearTheEnd(audio);
    const fresh = `/fresh/${two._id}.mp3`;
    await waitFor(() => expect(deps.prefetchStart).toHaveBeenCalledWith(fresh));
    audio.advanceTo(99);
    audio.emit({ type: 'ended' });
    expect(audio).toMatchObject({ url: fresh, isPlaying: true });
    expect(deps.getAudioUrl).toHaveBeenCalledOnce();
    expect(deps.prefetchStart).toHaveBeenCalledOnce();
  });

  it('[PLAY-06] an address of it that has expired is replaced beforehand', async () => {
    const { audio, deps } = runPlayer();
    deps.prefetchStart.mockResolvedValueOnce(false);
    play(stories, [one, two], 0);
    nearTheEnd(audio);
    const fresh = `/fresh/${two._id}.mp3`;
    await waitFor(() => expect(deps.prefetchStart.mock.calls).toEqual([[two.url], [fresh]]));
    audio.emit({ type: 'ended' });
    expect(audio.url).toBe(fresh);
  });
});

describe('two tabs', () => {
  /** Another tab with a player, as far as this one can tell. */
  function anotherTab() {
    const channel = new BroadcastChannel('escucho-player');
    const heard: unknown[] = [];
    channel.addEventListener('message', ({ data }) => heard.push(data));
    onTestFinished(() => channel.close());
    return { heard, say: (word: unknown) => channel.postMessage(word) };
  }

  it('[PLAY-01] playing is told to the others; hearing it pauses; the queue in storage is the last player’s', async () => {
    const { audio } = runPlayer();
    const other = anotherTab();
    play(stories, [one], 0);
    audio.startPlaying();
    await waitFor(() => expect(other.heard).toEqual(['begins', 'goesOn', { id: one._id, position: 0 }]));
    other.say('nonsense');
    writeStorage('player-storage', 'the queue of the other tab');
    other.say('begins');
    await waitFor(() => expect(audio.isPlaying).toBe(false));
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, phase: 'paused' });
    dispatch({ type: 'setVolume', volume: 0.5 });
    expect(readStorage('player-storage')).toBe('the queue of the other tab');
    togglePlayback();
    expect(audio.isPlaying).toBe(true);
    expect(readStorage('player-storage')).toContain(one._id);
  });
});

it('[PLAY-05] a silent tab goes on where the tab that played has come to', async () => {
  const { audio } = runPlayer();
  const other = new BroadcastChannel('escucho-player');
  onTestFinished(() => other.close());
  play(stories, [one, two], 0);
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

describe('another device has gone on', () => {
  /** A server that answers the next thing it is told with another device's place. */
  function whereAnotherIs(position: number) {
    const sent: string[] = [];
    let isNews = true;
    const sendProgress: PlayerDeps['sendProgress'] = async (entry) => {
      sent.push(`${entry.cause} ${entry.position}`);
      if (!isNews || entry.cause !== 'play') return 'accepted';
      isNews = false;
      return { position, deviceKind: 'phone' as const };
    };
    return { sent, sendProgress };
  }

  it('[PLAY-05] a player that began where it was itself goes there, plays on, and says the way back', async () => {
    const { sent, sendProgress } = whereAnotherIs(70);
    const { audio } = runPlayer({ sendProgress });
    play(stories, [one], 0);
    audio.startPlaying();
    await waitFor(() => expect(sent).toEqual(['play 0', 'seek 70']));
    expect(audio).toMatchObject({ currentTime: 70, isPlaying: true });
    await waitFor(() => expect(useToasts.getState().toasts.at(-1)?.text).toMatch(/phone/));
  });

  it('[PLAY-05] and so it does when it was paused meanwhile', async () => {
    const { sent, sendProgress } = whereAnotherIs(70);
    const { audio } = runPlayer({ sendProgress });
    play(stories, [one], 0);
    audio.startPlaying();
    togglePlayback();
    await waitFor(() => expect(sent).toEqual(['play 0', 'pause 0', 'seek 70']));
    expect(audio).toMatchObject({ currentTime: 70, isPlaying: false });
  });

  it('[PLAY-05] who has sought meanwhile stays where they went', async () => {
    const { sent, sendProgress } = whereAnotherIs(70);
    const { audio } = runPlayer({ sendProgress });
    play(stories, [one], 0);
    audio.startPlaying();
    dispatch({ type: 'seek', position: 20 });
    await waitFor(() => expect(sent).toEqual(['play 0', 'seek 20']));
    expect(audio.currentTime).toBe(20);
  });
});

describe('saving places', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it('[PLAY-05] a place that had to wait says for how long', async () => {
    let isOnline = false;
    const waited: (number | undefined)[] = [];
    const { audio } = runPlayer({
      sendProgress: async (entry) => {
        if (isOnline) waited.push(entry.waited);
        return isOnline ? 'accepted' : 'retryLater';
      },
    });
    play(stories, [one], 0);
    audio.startPlaying();
    await vi.advanceTimersByTimeAsync(600_000);
    audio.emit({ type: 'elementPaused' });
    isOnline = true;
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(waited[0]).toBe(600);
    expect(waited.at(-1)).toBe(0);
  });

  it('[PLAY-05] every place says what kind of device it is of', async () => {
    const { audio, sent } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([expect.objectContaining({ cause: 'play', deviceKind: 'computer' })]);
  });

  it('[PLAY-05] sends play, every fourth second, seek and pause, under one device and a rising number', async () => {
    const { audio, sent } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
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

  it('[PLAY-05] a browser that was killed before it wrote everything down goes on with higher numbers', async () => {
    const { audio, sent } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
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

  it('what cannot be sent waits, and goes in order when the network is back', async () => {
    let isOnline = false;
    const sent: string[] = [];
    const { audio } = runPlayer({
      sendProgress: async ({ cause, position }) => {
        if (!isOnline) return 'retryLater';
        sent.push(`${cause} ${position}`);
        return 'accepted';
      },
    });
    play(stories, [one, two], 0);
    audio.startPlaying();
    audio.advanceTo(10);
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

  it('what the server never will take does not hold up the rest', async () => {
    const sendProgress = vi.fn(
      async ({ cause }: { cause: string }) =>
        (cause === 'play' ? 'rejected' : 'accepted') as 'rejected' | 'accepted',
    );
    const { audio } = runPlayer({ sendProgress });
    play(stories, [one], 0);
    audio.startPlaying();
    togglePlayback();
    await vi.advanceTimersByTimeAsync(0);
    expect(sendProgress.mock.calls.map(([{ cause }]) => cause)).toEqual(['play', 'pause']);
  });

  it('a page that goes away sends its place at once, outliving the page', async () => {
    const { audio, deps } = runPlayer();
    play(stories, [one], 0);
    audio.startPlaying();
    audio.advanceTo(12);
    dispatch({ type: 'pageHidden' });
    expect(deps.sendProgress).toHaveBeenLastCalledWith(
      expect.objectContaining({ cause: 'hide', position: 12 }),
      { keepalive: true },
    );
  });
});

describe('continue listening', () => {
  it('[PLAY-05] pausing puts the track there, skipping takes it out', () => {
    const { audio } = runPlayer();
    play(stories, [one, two], 0);
    audio.startPlaying();
    audio.advanceTo(25);
    togglePlayback();
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1, { progress: 25 })]);
    dispatch({ type: 'next', removeFromContinue: true });
    expect(useContinueListeningStore.getState().entries).toEqual([]);
  });

  it('the server’s answer is taken over, by a player at rest too', () => {
    runPlayer();
    switchListeningUser(toId(500));
    dispatch({ type: 'add', source: stories, tracks: [one] });
    startProgressMerge(toId(500))([buildEntry(1, { progress: 70 })]);
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1, { progress: 70 })]);
    expect(usePlayback.getState().position).toBe(70);
  });

  it('an answer that was under way while a place was saved does not undo it', async () => {
    const { audio } = runPlayer();
    const learn = startProgressMerge(toId(500));
    play(stories, [one], 0);
    audio.startPlaying();
    audio.advanceTo(50);
    togglePlayback();
    await waitFor(() => expect(getUnsentPositions()).toEqual({}));
    learn([buildEntry(1, { progress: 5 }), buildEntry(2)]);
    expect(useContinueListeningStore.getState().entries.map(({ progress }) => progress)).toEqual([50, 40]);
  });

  it('a track taken out is told as a skip, and its return as a pause', async () => {
    const { sent } = runPlayer();
    startProgressMerge(toId(500))([buildEntry(1), buildEntry(2)]);
    const undo = removeFromContinueListening(buildEntry(2));
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1)]);
    undo();
    expect(useContinueListeningStore.getState().entries).toEqual([buildEntry(1), buildEntry(2)]);
    await waitFor(() => expect(causes(sent)).toEqual(['skip 40', 'pause 40']));
  });

  it('belongs to one reader: another finds nothing of it', () => {
    runPlayer();
    switchListeningUser(toId(500));
    dispatch({ type: 'add', source: stories, tracks: [one] });
    startProgressMerge(toId(500))([buildEntry(1)]);
    switchListeningUser(toId(500));
    expect(useContinueListeningStore.getState().entries).toHaveLength(1);
    switchListeningUser(toId(501));
    expect(useContinueListeningStore.getState().entries).toEqual([]);
    expect(usePlayer.getState().queue).toEqual([]);
  });
});
