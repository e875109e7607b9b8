import { waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDeferred } from '#testing/deferred.ts';
import type { AudioReport } from './engine/html-audio.ts';
import { dispatch, usePlayback, usePlayer } from './engine/store.ts';
import { play, togglePlayback } from './player.ts';
import { buildTrack, latestSource, listSource } from './testing/fixtures.ts';
import { type FakeAudio, runPlayer, runPlaying } from './testing/run-player.tsx';

const [one, two] = [buildTrack(1), buildTrack(2)];
const causes = (sent: { cause: string; position: number }[]) =>
  sent.map(({ cause, position }) => `${cause} ${position}`);

describe('playing', () => {
  it('loads and plays a track and updates the state', () => {
    const { audio } = runPlayer();
    play(listSource, [one, two], 0);
    expect(audio).toMatchObject({ url: one.url, isPlaying: true });
    audio.startPlaying();
    expect(usePlayer.getState()).toMatchObject({
      phase: 'playing',
      isPlaying: true,
      activeTrack: { _id: one._id },
    });
  });

  it('loads a track before it updates the state', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio } = runPlaying([one, two], 0, { loadingDelay: 80 });
    audio.emit({ type: 'buffered', to: 30 });
    expect(audio).toMatchObject({ url: one.url, isPlaying: true });
    expect(usePlayer.getState().phase).toBe('idle');
    vi.advanceTimersByTime(80);
    expect(usePlayer.getState()).toMatchObject({ phase: 'playing', activeTrack: { _id: one._id } });
    expect(usePlayback.getState().buffered).toBe(30);
  });

  it('updates the state at the next press while a track loads', () => {
    const { audio } = runPlayer({ loadingDelay: 80 });
    play(listSource, [one, two], 0);
    dispatch({ type: 'next', removeFromContinue: false });
    expect(audio.url).toBe(two.url);
    expect(usePlayer.getState().activeTrack?._id).toBe(one._id);
    togglePlayback();
    expect(usePlayer.getState().activeTrack?._id).toBe(two._id);
  });

  it('updates the state at once in the background', () => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    runPlayer({ loadingDelay: 80 });
    play(listSource, [one, two], 0);
    expect(usePlayer.getState()).toMatchObject({ phase: 'loading', activeTrack: { _id: one._id } });
  });

  it('handles events dispatched before the player runs once it runs', () => {
    play(listSource, [one, two], 1);
    expect(runPlayer().audio).toMatchObject({ url: two.url, isPlaying: true });
  });

  it('[PLAY-05] resumes at the saved position after a reload, with a fresh URL', async () => {
    const { deps, stop } = runPlaying([one], 31);
    stop();
    await usePlayer.persist.rehydrate();
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, phase: 'idle', progress: 31 });
    const restarted = runPlayer(deps);
    togglePlayback();
    await waitFor(() =>
      expect(restarted.audio).toMatchObject({
        url: `/fresh/${one._id}.mp3`,
        currentTime: 31,
        isPlaying: true,
      }),
    );
  });

  it.each<AudioReport>([{ type: 'ended' }, { type: 'failed', error: 'network' }])(
    '$type of the former audio leaves a track whose URL is requested',
    async (report) => {
      const { promise: delay, resolve: respond } = createDeferred();
      const getAudioUrl = async () => delay.then(() => ({ url: '/fresh.mp3' }));
      const tracks = [one, buildTrack(2, { url: null }), buildTrack(3)];
      const { audio, sent } = runPlaying(tracks, 99, { getAudioUrl });
      dispatch({ type: 'next', removeFromContinue: false });
      audio.emit(report);
      respond();
      await waitFor(() => expect(audio).toMatchObject({ url: '/fresh.mp3', isPlaying: true }));
      expect(usePlayer.getState()).toMatchObject({ phase: 'loading', activeTrack: { _id: two._id } });
      expect(causes(sent).filter((entry) => entry.startsWith('ended'))).toEqual([]);
    },
  );

  it('refreshes an expired URL and continues at the same position', async () => {
    const { audio, deps } = runPlaying([one], 44);
    audio.emit({ type: 'failed', error: 'unavailable' });
    await waitFor(() =>
      expect(audio).toMatchObject({ url: `/fresh/${one._id}.mp3`, currentTime: 44, isPlaying: true }),
    );
    expect(deps.getAudioUrl).toHaveBeenCalledOnce();
  });

  it('refreshes a URL that has expired during a pause soon after the start', async () => {
    const { audio, deps } = runPlayer();
    play(listSource, [buildTrack(1, { url: null })], 0);
    await waitFor(() => expect(audio.isPlaying).toBe(true));
    audio.startPlaying();
    audio.advanceTo(2);
    togglePlayback();
    togglePlayback();
    audio.emit({ type: 'failed', error: 'network' });
    await waitFor(() => expect(audio).toMatchObject({ loadCount: 2, currentTime: 2, isPlaying: true }));
    expect(deps.getAudioUrl).toHaveBeenCalledTimes(2);
    expect(usePlayer.getState().error).toBeNull();
  });

  it('[PLAY-05] play after a suspend without network loads the audio again at its position', async () => {
    const { audio } = runPlaying([one], 44);
    audio.emit({ type: 'stalled' });
    // Play must not wait for the stalled load: it starts another one.
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

  it('[PLAY-05] [PLAY-06] reloads stalled audio after a timeout and when the network is restored', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio, deps } = runPlayer();
    play(listSource, [one], 0);
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
    expect(audio.isPlaying).toBe(false);
    expect(deps.loadRemoteProgress).not.toHaveBeenCalled();
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(audio).toMatchObject({ loadCount: 3, currentTime: 44, isPlaying: true });
    expect(deps.loadRemoteProgress).toHaveBeenCalledOnce();
  });

  it.each<[string, AudioReport[]]>([
    ['during playback', []],
    ['while the audio stalls', [{ type: 'stalled' }, { type: 'started' }]],
  ])('[PLAY-05] loads remote progress before it resumes after a suspend %s', async (_, reports) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const loadRemoteProgress = vi.fn(async () =>
      dispatch({
        type: 'remotePositionsReceived',
        positions: { [one._id]: 70 },
        deviceKinds: { [one._id]: 'phone' },
      }),
    );
    const { audio, sent } = runPlaying([one], 12, { loadRemoteProgress });
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    for (const report of reports) audio.emit(report);
    await vi.advanceTimersByTimeAsync(1000);
    expect(audio).toMatchObject({ currentTime: 70, isPlaying: false });
    expect(causes(sent)).toEqual(['play 0']);
  });

  it('[PLAY-07] plays on when the system resumes what it has interrupted, as for a phone call', async () => {
    const { audio, sent } = runPlaying([one], 44);
    audio.isPlaying = false;
    audio.emit({ type: 'elementPaused' });
    expect(usePlayer.getState()).toMatchObject({ phase: 'paused', isPlaying: false });
    audio.isPlaying = true;
    audio.emit({ type: 'started' });
    expect(usePlayer.getState()).toMatchObject({ phase: 'playing', isPlaying: true });
    togglePlayback();
    expect(audio.isPlaying).toBe(false);
    await waitFor(() => expect(causes(sent)).toEqual(['play 0', 'pause 44', 'play 44', 'pause 44']));
  });

  it('stays paused when paused while the URL is requested', async () => {
    const { audio } = runPlayer();
    play(listSource, [buildTrack(1, { url: null })], 0);
    togglePlayback();
    await waitFor(() => expect(audio.url).not.toBeNull());
    expect(audio.isPlaying).toBe(false);
  });

  it('[PLAY-05] a seek while the URL of a longer track is requested starts it there', async () => {
    const { promise: late, resolve: respond } = createDeferred<{ url: string }>();
    const { audio, sent } = runPlayer({ getAudioUrl: () => late });
    const book = buildTrack(2, { url: null, duration: 1800, progress: 720 });
    play(listSource, [one, book], 0);
    audio.startPlaying();
    audio.duration = one.duration;
    dispatch({ type: 'next', removeFromContinue: false });
    dispatch({ type: 'seek', position: 705 });
    respond({ url: '/book.mp3' });
    await waitFor(() => expect(audio.url).toBe('/book.mp3'));
    expect(audio.currentTime).toBe(705);
    expect(usePlayer.getState().activeTrack?._id).toBe(book._id);
    expect(causes(sent)).not.toContain('ended 1800');
  });

  it('ignores the URL of a track that was replaced while it was requested', async () => {
    const { promise: late, resolve: respond } = createDeferred<{ url: string }>();
    const { audio } = runPlayer({ getAudioUrl: () => late });
    play(listSource, [buildTrack(1, { url: null }), two], 0);
    play(listSource, [buildTrack(1, { url: null }), two], 1);
    respond({ url: '/late.mp3' });
    await late;
    expect(audio.url).toBe(two.url);
  });

  it('[PLAY-06] a failed URL request is logged and shown until play retries it', async () => {
    const getAudioUrl = vi.fn(async () => ({ error: 'network' as const }));
    const { deps, audio } = runPlayer({ getAudioUrl });
    play(listSource, [buildTrack(1, { url: null })], 0);
    await waitFor(() => expect(usePlayer.getState()).toMatchObject({ phase: 'error', error: 'network' }));
    expect(deps.logError).toHaveBeenCalledWith('"Track 1" does not play', 'network');
    togglePlayback();
    await waitFor(() => expect(getAudioUrl).toHaveBeenCalledTimes(2));
    expect(audio.url).toBeNull();
  });

  it('[PLAY-04] the gate refuses before anything is loaded', () => {
    const { audio, deps } = runPlayer({ isSubscribed: () => false });
    play(listSource, [one, two], 0);
    expect(deps.onRefused).toHaveBeenCalledOnce();
    expect(audio.url).toBeNull();
    play(latestSource, [one, two], 0);
    expect(audio.url).toBe(one.url);
    expect(usePlayer.getState().queue).toHaveLength(1);
  });

  it('[PLAY-04] what was refused plays from the requested position after the purchase', () => {
    let isSubscribed = false;
    const { audio, deps } = runPlayer({ isSubscribed: () => isSubscribed });
    const track = buildTrack(1, { progress: 20 });
    play(listSource, [track, two], 0, { from: 65 });
    expect(usePlayer.getState().activeTrack).toBeNull();
    isSubscribed = true;
    deps.onRefused.mock.calls[0]?.[1]();
    expect(audio).toMatchObject({ url: track.url, isPlaying: true, currentTime: 65 });
  });

  it('[PLAY-04] a refusal by the server calls onRefused', async () => {
    const { deps } = runPlayer({ getAudioUrl: async () => ({ error: 'refused' }) });
    play(listSource, [buildTrack(1, { url: null })], 0);
    await waitFor(() => expect(deps.onRefused).toHaveBeenCalledOnce());
    expect(usePlayer.getState()).toMatchObject({ phase: 'idle', isPlaying: false, error: null });
  });

  it('does not update usePlayer when only time passes', () => {
    const { audio } = runPlaying([one]);
    const before = usePlayer.getState();
    audio.advanceTo(1);
    audio.advanceTo(2);
    expect(usePlayer.getState()).toBe(before);
    expect(usePlayback.getState().position).toBe(2);
  });
});

describe('the next track', () => {
  const playNearEnd = (audio: FakeAudio) => {
    audio.startPlaying();
    audio.emit({ type: 'buffered', to: 100 });
    audio.advanceTo(50);
  };

  it('[PLAY-06] is preloaded once before the end of the current track and starts at once', async () => {
    const { audio, deps } = runPlayer();
    play(listSource, [one, buildTrack(2, { url: null })], 0);
    playNearEnd(audio);
    const fresh = `/fresh/${two._id}.mp3`;
    await waitFor(() => expect(deps.prefetchStart).toHaveBeenCalledWith(fresh));
    audio.advanceTo(99);
    audio.emit({ type: 'ended' });
    expect(audio).toMatchObject({ url: fresh, isPlaying: true });
    expect(deps.getAudioUrl).toHaveBeenCalledOnce();
    expect(deps.prefetchStart).toHaveBeenCalledOnce();
  });

  it('[PLAY-06] gets a fresh URL before it starts when its URL has expired', async () => {
    const { audio, deps } = runPlayer();
    deps.prefetchStart.mockResolvedValueOnce(false);
    play(listSource, [one, two], 0);
    playNearEnd(audio);
    const fresh = `/fresh/${two._id}.mp3`;
    await waitFor(() => expect(deps.prefetchStart.mock.calls).toEqual([[two.url], [fresh]]));
    audio.emit({ type: 'ended' });
    expect(audio.url).toBe(fresh);
  });
});
