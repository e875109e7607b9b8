import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { dispatch } from '../engine/store.ts';
import { buildTrack, toId } from '../testing/fixtures.ts';
import { mockArticle, renderBar, renderPlaying, runPlayer } from '../testing/run-player.tsx';

beforeEach(mockArticle);

const tracks = [buildTrack(1), buildTrack(2), buildTrack(3)];

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const scrubber = () => screen.getByRole('slider', { name: 'Position' });

describe('the footer player', () => {
  it('[CAT-09] without a track shows that nothing plays', () => {
    runPlayer();
    renderBar();
    const region = screen.getByRole('region', { name: 'Player' });
    expect(within(region).getByText('Nothing playing')).toBeInTheDocument();
    expect(button('Play')).toBeDisabled();
    expect(scrubber()).toBeDisabled();
  });

  it('[PLAY-08] shows that a sentence is repeated', () => {
    renderPlaying(tracks);
    act(() => dispatch({ type: 'togglePractice', mode: 'loop' }));
    expect(screen.getByText('Repeating a sentence')).toBeInTheDocument();
    act(() => dispatch({ type: 'togglePractice', mode: 'loop' }));
    expect(screen.queryByText('Repeating a sentence')).not.toBeInTheDocument();
  });

  it('shows title and narrator, plays and pauses, and announces it', async () => {
    const { audio, user } = renderPlaying(tracks);
    expect(screen.getByText('Track 1')).toBeInTheDocument();
    expect(screen.getByText('Ana Ruiz')).toBeInTheDocument();
    expect(screen.getByRole('status')).toHaveTextContent('Playing Track 1');
    await user.click(button('Pause'));
    expect(audio.isPlaying).toBe(false);
    expect(screen.getByRole('status')).toHaveTextContent('Paused');
    await user.click(button('Play'));
    expect(audio.isPlaying).toBe(true);
  });

  it('[PLAY-08] does not announce the track again after a seek, as of a repeated sentence', () => {
    const { audio } = renderPlaying(tracks);
    const status = screen.getByRole('status');
    // Browsers report each seek so.
    act(() => audio.emit({ type: 'stalled' }));
    expect(status).toHaveTextContent('Playing Track 1');
    act(() => audio.emit({ type: 'started' }));
    expect(status).toHaveTextContent('Playing Track 1');
  });

  it('announces what plays in full screen and in the queue, too', async () => {
    const { user } = renderPlaying(tracks);
    await user.click(button(/^Open the player/));
    const full = within(await screen.findByRole('dialog', { name: 'Player' }));
    await user.click(full.getByRole('button', { name: 'Pause' }));
    expect(full.getByText('Paused').closest('[role=status]')).toBeTruthy();
    await user.click(full.getByRole('button', { name: 'Queue' }));
    const queue = within(await screen.findByRole('dialog', { name: 'Queue' }));
    await user.click(queue.getByRole('button', { name: /^Track 3/ }));
    expect(queue.getByText('Loading Track 3').closest('[role=status]')).toBeTruthy();
  });

  it('[PLAY-08] its full screen leads to the article', async () => {
    const { user } = renderPlaying(tracks);
    await user.click(button(/^Open the player/));
    const link = await screen.findByRole('link', { name: 'Track 1' });
    expect(link).toHaveAttribute('href', `/articles/read/${toId(1)}`);
  });

  it('[PLAY-03] plays the next and the previous track', async () => {
    const { audio, user } = renderPlaying(tracks);
    await user.click(button('Next'));
    expect(audio.url).toBe(tracks[1]?.url);
    await user.click(button('Previous'));
    expect(audio.url).toBe(tracks[0]?.url);
  });

  it('[PLAY-07] skips 15 seconds back and forward', async () => {
    const { audio, user } = renderPlaying(tracks);
    act(() => audio.advanceTo(40));
    await user.click(button('Forward 15 seconds'));
    expect(audio.currentTime).toBe(55);
    await user.click(button('Back 15 seconds'));
    expect(audio.currentTime).toBe(40);
  });

  it('[PLAY-06] shows the position and seeks when the slider is released', () => {
    const { audio } = renderPlaying(tracks);
    act(() => audio.advanceTo(65));
    expect(scrubber()).toHaveAttribute('aria-valuetext', '1 minute, 5 seconds of 1 minute, 40 seconds');
    fireEvent.change(scrubber(), { target: { value: '80' } });
    expect(audio.currentTime).toBe(65);
    fireEvent.pointerUp(scrubber());
    expect(audio.currentTime).toBe(80);
  });

  it('[PLAY-06] a key that does not change the slider does not seek', () => {
    const { audio } = renderPlaying(tracks);
    act(() => audio.advanceTo(65.4));
    fireEvent.keyUp(scrubber(), { key: 'Tab' });
    expect(audio.currentTime).toBe(65.4);
  });

  it('[PLAY-06] seeks after a change without a release, as by assistive technology', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio } = renderPlaying(tracks);
    fireEvent.change(scrubber(), { target: { value: '30' } });
    act(() => vi.advanceTimersByTime(1000));
    expect(audio.currentTime).toBe(30);
  });

  it.each([
    ['a skip', { type: 'skipBy', seconds: 15 }, 80],
    ['a seek', { type: 'seek', position: 12 }, 12],
    ['another track', { type: 'next', removeFromContinue: true }, 0],
  ] as const)('[PLAY-06] discards an uncommitted slider value on %s', (_name, event, expected) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio } = renderPlaying(tracks);
    act(() => audio.advanceTo(65));
    fireEvent.change(scrubber(), { target: { value: '30' } });
    act(() => dispatch(event));
    expect(scrubber()).toHaveValue(String(expected));
    act(() => vi.advanceTimersByTime(1000));
    fireEvent.keyUp(scrubber(), { key: 'ArrowLeft' });
    expect(audio.currentTime).toBe(expected);
  });

  it('[PLAY-06] the speed button sets 1.5, 2, then 1', async () => {
    const { audio, user } = renderPlaying(tracks);
    const speeds: number[] = [];
    for (const speed of ['1', '1.5', '2']) {
      await user.click(button(`Speed ${speed}×, change`));
      speeds.push(audio.speed);
    }
    expect(speeds).toEqual([1.5, 2, 1]);
  });

  it('[PLAY-06] from an in-between speed of the menu, the speed button continues', async () => {
    const { audio, user } = renderPlaying(tracks);
    await user.click(button('All speeds'));
    await user.click(screen.getByRole('radio', { name: '0.7×' }));
    expect(audio.speed).toBe(0.7);
    expect(screen.queryByRole('radio', { name: '0.7×' })).not.toBeInTheDocument();
    await user.click(button('Speed 0.7×, change'));
    expect(audio.speed).toBe(1);
  });

  it('[PLAY-06] the volume button opens a slider from 1 to 100', async () => {
    const { audio, user } = renderPlaying(tracks);
    const slider = () => screen.queryByRole('slider', { name: 'Volume' });
    expect(slider()).not.toBeInTheDocument();
    await user.click(button('Volume'));
    expect(slider()?.getAttribute('min')).toBe('1');
    expect(slider()?.getAttribute('max')).toBe('100');
    fireEvent.change(screen.getByRole('slider', { name: 'Volume' }), { target: { value: '40' } });
    expect(audio.volume).toBe(0.4);
    await user.keyboard('{Escape}');
    expect(slider()).not.toBeInTheDocument();
    expect(button('Volume')).toHaveFocus();
  });

  it('[PLAY-06] the volume slider is hidden again when Tab leaves it', async () => {
    const { user } = renderPlaying(tracks);
    await user.click(button('Volume'));
    const slider = screen.getByRole('slider', { name: 'Volume' });
    await user.tab();
    expect(slider).toHaveFocus();
    await user.tab({ shift: true });
    expect(slider).toBeInTheDocument();
    await user.tab({ shift: true });
    expect(slider).not.toBeInTheDocument();
  });

  it('[PLAY-06] shows an error with a retry', async () => {
    const { audio, user, deps } = renderPlaying(tracks);
    deps.getAudioUrl.mockResolvedValueOnce({ error: 'network' });
    act(() => audio.emit({ type: 'failed', error: 'network' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The network did not answer.');
    await user.click(button('Try again'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(audio).toMatchObject({ url: `/fresh/${toId(1)}.mp3`, isPlaying: true });
  });

  it('is translated to Spanish', async () => {
    onTestFinished(() => act(() => setLanguage('en')));
    await act(() => setLanguage('es'));
    runPlayer();
    renderBar();
    expect(screen.getByText('No suena nada')).toBeInTheDocument();
  });
});

describe('the queue', () => {
  async function open() {
    const { audio, user } = renderPlaying(tracks);
    await user.click(button('Queue'));
    const drawer = within(await screen.findByRole('dialog', { name: 'Queue' }));
    return { audio, user, drawer };
  }

  it('[PLAY-07] lists the tracks and skips to one', async () => {
    const { audio, user, drawer } = await open();
    expect(drawer.getByText('3 tracks')).toBeInTheDocument();
    expect(drawer.getByRole('button', { name: /^Track 1/ })).toHaveAttribute('aria-current', 'true');
    await user.click(drawer.getByRole('button', { name: /^Track 3/ }));
    expect(audio.url).toBe(tracks[2]?.url);
  });

  const rows = (drawer: Awaited<ReturnType<typeof open>>['drawer']) =>
    drawer.getAllByRole('listitem').map((row) => /Track \d/.exec(row.textContent ?? '')?.[0]);
  const undo = { name: 'Undo' };

  it('[PLAY-07] removes a track, announces it and undoes it', async () => {
    const { user, drawer } = await open();
    await user.click(drawer.getByRole('button', { name: 'Remove Track 2 from the queue' }));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 3']);
    expect(drawer.getByText('Track 2 was removed').closest('[role=status]')).toBeTruthy();
    expect(drawer.getByRole('button', { name: 'Remove Track 3 from the queue' })).toHaveFocus();
    await user.click(drawer.getByRole('button', undo));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 2', 'Track 3']);
  });

  it('[PLAY-07] moves a track by arrow keys, announces it and undoes all steps at once', async () => {
    const { user, drawer } = await open();
    const handle = (title: string) => drawer.getByRole('button', { name: new RegExp(`^Move ${title}`) });
    handle('Track 3').focus();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(rows(drawer)).toEqual(['Track 3', 'Track 1', 'Track 2']);
    expect(drawer.getByText('Track 3 is now 1 of 3')).toBeInTheDocument();
    expect(handle('Track 3')).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(rows(drawer)).toEqual(['Track 3', 'Track 1', 'Track 2']);
    await user.click(drawer.getByRole('button', undo));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 2', 'Track 3']);
  });

  it('[PLAY-07] announces no move of a track that is at the end already', async () => {
    const { user, drawer } = await open();
    for (const [title, key] of [
      ['Track 1', '{Home}'],
      ['Track 3', '{End}'],
    ] as const) {
      drawer.getByRole('button', { name: new RegExp(`^Move ${title}`) }).focus();
      await user.keyboard(key);
    }
    expect(drawer.queryByRole('button', undo)).not.toBeInTheDocument();
  });

  it('[PLAY-07] plays a track next', async () => {
    const { audio, user, drawer } = await open();
    expect(drawer.queryByRole('button', { name: 'Play Track 2 next' })).not.toBeInTheDocument();
    await user.click(drawer.getByRole('button', { name: 'Play Track 3 next' }));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 3', 'Track 2']);
    expect(drawer.getByText('Track 3 is now 2 of 3')).toBeInTheDocument();
    expect(audio.url).toBe(tracks[0]?.url);
  });

  it('[PLAY-02] is cleared and restored, with the position of the track', async () => {
    const { audio, user, drawer } = await open();
    act(() => audio.advanceTo(40));
    await user.click(drawer.getByRole('button', { name: 'Clear the queue' }));
    expect(drawer.getByText('The queue is empty')).toBeInTheDocument();
    expect(audio.url).toBeNull();
    expect(drawer.getByRole('button', undo)).toHaveFocus();
    await user.click(drawer.getByRole('button', undo));
    expect(rows(drawer)).toHaveLength(3);
    expect(audio.url).toBeNull();
    await user.click(drawer.getByRole('button', { name: /^Track 1/ }));
    expect(audio).toMatchObject({ url: tracks[0]?.url, currentTime: 40 });
  });
});
