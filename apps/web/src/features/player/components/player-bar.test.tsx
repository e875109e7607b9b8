import { api } from '@escucho/contracts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { mockEndpoint } from '#testing/server.ts';
import { dispatch } from '../engine/store.ts';
import { play } from '../player.ts';
import { buildArticle, buildBookmark, buildTrack, stories, toId } from '../testing/fixtures.ts';
import { renderPlayer } from '../testing/render-player.tsx';
import { runPlayer } from '../testing/run-player.ts';
import { PlayerBar } from './player-bar.tsx';

const NoTools = () => null;

beforeEach(() => {
  mockEndpoint(api.articles.findArticle, buildArticle(1));
  mockEndpoint(api.bookmarks.findBookmarks, { docs: [buildBookmark(1, 12, 'a boat')] });
});

const tracks = [buildTrack(1), buildTrack(2), buildTrack(3)];

/** The bar with a track sounding. */
function sounding() {
  const running = runPlayer();
  const hands = renderPlayer(<PlayerBar Tools={NoTools} />);
  act(() => {
    play(stories, tracks, 0);
    running.audio.startPlaying();
  });
  return { ...running, hands };
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const scrubber = () => screen.getByRole('slider', { name: 'Position' });

describe('the footer player', () => {
  it('[CAT-09] says that nothing plays', () => {
    runPlayer();
    renderPlayer(<PlayerBar Tools={NoTools} />);
    const region = screen.getByRole('region', { name: 'Player' });
    expect(within(region).getByText('Nothing playing')).toBeTruthy();
    expect(button('Play')).toHaveProperty('disabled', true);
    expect(scrubber()).toHaveProperty('disabled', true);
  });

  it('shows title and narrator, plays and pauses, and says so aloud', async () => {
    const { audio, hands } = sounding();
    expect(screen.getByText('Track 1')).toBeTruthy();
    expect(screen.getByText('Ana Ruiz')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toContain('Playing Track 1');
    await hands.click(button('Pause'));
    expect(audio.isPlaying).toBe(false);
    expect(screen.getByRole('status').textContent).toContain('Paused');
    await hands.click(button('Play'));
    expect(audio.isPlaying).toBe(true);
  });

  it('[PLAY-03] goes to the next and to the one before', async () => {
    const { audio, hands } = sounding();
    await hands.click(button('Next'));
    expect(audio.url).toBe(tracks[1]?.url);
    await hands.click(button('Previous'));
    expect(audio.url).toBe(tracks[0]?.url);
  });

  it('[PLAY-07] skips 15 seconds back and forward', async () => {
    const { audio, hands } = sounding();
    act(() => audio.advanceTo(40));
    await hands.click(button('Forward 15 seconds'));
    expect(audio.currentTime).toBe(55);
    await hands.click(button('Back 15 seconds'));
    expect(audio.currentTime).toBe(40);
  });

  it('[PLAY-06] shows where it is, and seeks when the slider is let go', () => {
    const { audio } = sounding();
    act(() => audio.advanceTo(65));
    expect(scrubber().getAttribute('aria-valuetext')).toBe('1 minute, 5 seconds of 1 minute, 40 seconds');
    fireEvent.change(scrubber(), { target: { value: '80' } });
    expect(audio.currentTime).toBe(65);
    fireEvent.pointerUp(scrubber());
    expect(audio.currentTime).toBe(80);
  });

  it('[PLAY-06] seeks nowhere when a key passes over the slider', () => {
    const { audio } = sounding();
    act(() => audio.advanceTo(65.4));
    fireEvent.keyUp(scrubber(), { key: 'Tab' });
    expect(audio.currentTime).toBe(65.4);
  });

  it('[PLAY-06] seeks where a screen reader put the slider, which lifts no finger', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio } = sounding();
    fireEvent.change(scrubber(), { target: { value: '30' } });
    act(() => vi.advanceTimersByTime(1000));
    expect(audio.currentTime).toBe(30);
  });

  it.each([
    ['a skip', { type: 'skipBy', seconds: 15 }, 80],
    ['a seek', { type: 'seek', position: 12 }, 12],
    ['another track', { type: 'next', removeFromContinue: true }, 0],
  ] as const)('[PLAY-06] forgets where the slider was put when %s comes first', (_name, event, expected) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { audio } = sounding();
    act(() => audio.advanceTo(65));
    fireEvent.change(scrubber(), { target: { value: '30' } });
    act(() => dispatch(event));
    expect(scrubber()).toHaveProperty('value', String(expected));
    act(() => vi.advanceTimersByTime(1000));
    fireEvent.keyUp(scrubber(), { key: 'ArrowLeft' });
    expect(audio.currentTime).toBe(expected);
  });

  it('[PLAY-06] changes speed from 1 to 1.5 to 2 to 1', async () => {
    const { audio, hands } = sounding();
    const speeds: number[] = [];
    for (const speed of ['1', '1.5', '2']) {
      await hands.click(button(`Speed ${speed}×, change`));
      speeds.push(audio.speed);
    }
    expect(speeds).toEqual([1.5, 2, 1]);
  });

  it('[PLAY-06] hides the volume slider, 1 to 100, until it is asked for', async () => {
    const { audio, hands } = sounding();
    const slider = () => screen.queryByRole('slider', { name: 'Volume' });
    expect(slider()).toBeNull();
    await hands.click(button('Volume'));
    expect(slider()?.getAttribute('min')).toBe('1');
    expect(slider()?.getAttribute('max')).toBe('100');
    fireEvent.change(screen.getByRole('slider', { name: 'Volume' }), { target: { value: '40' } });
    expect(audio.volume).toBe(0.4);
    await hands.keyboard('{Escape}');
    expect(slider()).toBeNull();
    expect(document.activeElement).toBe(button('Volume'));
  });

  it('[PLAY-06] shows a failure, and tries again', async () => {
    const { audio, hands, deps } = sounding();
    deps.getAudioUrl.mockResolvedValueOnce({ error: 'network' });
    act(() => audio.emit({ type: 'failed', error: 'network' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The network did not answer.');
    await hands.click(button('Try again'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(audio).toMatchObject({ url: `/fresh/${toId(1)}.mp3`, isPlaying: true });
  });

  it('speaks Spanish', async () => {
    onTestFinished(() => act(() => setLanguage('en')));
    await act(() => setLanguage('es'));
    runPlayer();
    renderPlayer(<PlayerBar Tools={NoTools} />);
    expect(screen.getByText('Nada en reproducción')).toBeTruthy();
  });
});

describe('the queue', () => {
  async function opened() {
    const { audio, hands } = sounding();
    await hands.click(button('Queue'));
    const drawer = within(await screen.findByRole('dialog', { name: 'Queue' }));
    return { audio, hands, drawer };
  }

  it('[PLAY-07] lists what plays and what follows, and skips to it', async () => {
    const { audio, hands, drawer } = await opened();
    expect(drawer.getByText('3 tracks')).toBeTruthy();
    expect(drawer.getByRole('button', { name: /^Track 1/ }).getAttribute('aria-current')).toBe('true');
    await hands.click(drawer.getByRole('button', { name: /^Track 3/ }));
    expect(audio.url).toBe(tracks[2]?.url);
  });

  const rows = (drawer: Awaited<ReturnType<typeof opened>>['drawer']) =>
    drawer.getAllByRole('listitem').map((row) => /Track \d/.exec(row.textContent ?? '')?.[0]);
  const undo = { name: 'Undo' };

  it('[PLAY-07] takes a track out, says so, and puts it back', async () => {
    const { hands, drawer } = await opened();
    await hands.click(drawer.getByRole('button', { name: 'Remove Track 2 from the queue' }));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 3']);
    expect(drawer.getByText('Track 2 was removed').closest('[role=status]')).toBeTruthy();
    expect(document.activeElement).toBe(
      drawer.getByRole('button', { name: 'Remove Track 3 from the queue' }),
    );
    await hands.click(drawer.getByRole('button', undo));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 2', 'Track 3']);
  });

  it('[PLAY-07] moves a track by the arrow keys, says where it is, and takes all its steps back at once', async () => {
    const { hands, drawer } = await opened();
    const handle = (title: string) => drawer.getByRole('button', { name: new RegExp(`^Move ${title}`) });
    handle('Track 3').focus();
    await hands.keyboard('{ArrowUp}{ArrowUp}');
    expect(rows(drawer)).toEqual(['Track 3', 'Track 1', 'Track 2']);
    expect(drawer.getByText('Track 3 is now 1 of 3')).toBeTruthy();
    expect(document.activeElement).toBe(handle('Track 3'));
    await hands.keyboard('{ArrowUp}');
    expect(rows(drawer)).toEqual(['Track 3', 'Track 1', 'Track 2']);
    await hands.click(drawer.getByRole('button', undo));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 2', 'Track 3']);
  });

  it('[PLAY-07] plays a track next', async () => {
    const { audio, hands, drawer } = await opened();
    expect(drawer.queryByRole('button', { name: 'Play Track 2 next' })).toBeNull();
    await hands.click(drawer.getByRole('button', { name: 'Play Track 3 next' }));
    expect(rows(drawer)).toEqual(['Track 1', 'Track 3', 'Track 2']);
    expect(drawer.getByText('Track 3 is now 2 of 3')).toBeTruthy();
    expect(audio.url).toBe(tracks[0]?.url);
  });

  it('[PLAY-02] is cleared, and what played stops with its place saved; it comes back there', async () => {
    const { audio, hands, drawer } = await opened();
    act(() => audio.advanceTo(40));
    await hands.click(drawer.getByRole('button', { name: 'Clear the queue' }));
    expect(drawer.getByText('The queue is empty')).toBeTruthy();
    expect(audio.url).toBeNull();
    expect(document.activeElement).toBe(drawer.getByRole('button', undo));
    await hands.click(drawer.getByRole('button', undo));
    expect(rows(drawer)).toHaveLength(3);
    expect(audio.url).toBeNull();
    await hands.click(drawer.getByRole('button', { name: /^Track 1/ }));
    expect(audio).toMatchObject({ url: tracks[0]?.url, currentTime: 40 });
  });
});

describe('reading along', () => {
  async function opened() {
    const { audio, hands } = sounding();
    await hands.click(button(/^Open the player/));
    return { audio, hands };
  }
  const sentence = (name: string) => screen.findByRole('button', { name });

  it('[PLAY-08] lights the spoken sentence', async () => {
    const { audio } = await opened();
    expect((await sentence('The sea was calm.')).getAttribute('aria-current')).toBe('true');
    act(() => audio.advanceTo(12));
    expect((await sentence('The sea was calm.')).getAttribute('aria-current')).toBeNull();
    expect((await sentence('A boat came in.')).getAttribute('aria-current')).toBe('true');
  });

  it('[PLAY-08] a click on a sentence seeks there', async () => {
    const { audio, hands } = await opened();
    await hands.click(await sentence('Nobody saw it.'));
    expect(audio.currentTime).toBe(20);
  });

  it('[PLAY-08] so do Enter and the space bar, with up and down from sentence to sentence', async () => {
    const { audio, hands } = await opened();
    act(() => {
      screen.getByRole('button', { name: 'Close' }).focus();
    });
    (await sentence('The sea was calm.')).focus();
    await hands.keyboard('{ArrowDown}{Enter}');
    expect(audio.currentTime).toBe(10);
    await hands.keyboard('{ArrowDown} ');
    expect(audio.currentTime).toBe(20);
  });

  it('[CAT-09] says when the text did not load, and tries again', async () => {
    mockEndpoint(api.articles.findArticle, 'unavailable');
    const { hands } = await opened();
    expect(await screen.findByText('The text did not load.')).toBeTruthy();
    mockEndpoint(api.articles.findArticle, buildArticle(1));
    await hands.click(button('Try again'));
    expect(await sentence('The sea was calm.')).toBeTruthy();
  });

  it('[PLAY-08] says quietly where the times are estimated', async () => {
    mockEndpoint(api.articles.findArticle, { ...buildArticle(1), estimated: true });
    await opened();
    expect(await screen.findByText('The times of the sentences are estimated.')).toBeTruthy();
    expect(await sentence('The sea was calm.')).toBeTruthy();
  });

  it('says when there is no text', async () => {
    mockEndpoint(api.articles.findArticle, { ...buildArticle(1), sentences: [] });
    await opened();
    expect(await screen.findByText('This recording has no text.')).toBeTruthy();
  });
});
