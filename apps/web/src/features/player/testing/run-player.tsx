import { api, type ProgressEntry, type Track } from '@escucho/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { loadNamespace } from '#shared/i18n/i18n.ts';
import { BrowserLocationProvider } from '#shared/location.tsx';
import { Toasts } from '#shared/ui/toast.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { PlayerBar } from '../components/player-bar.tsx';
import { PlayerEffects } from '../effects/player-effects.tsx';
import type { AudioPort, AudioReport } from '../engine/html-audio.ts';
import { type PlayerDeps, startPlayer } from '../engine/runner.ts';
import { usePlayer } from '../engine/store.ts';
import { emptyPlayer } from '../model/state.ts';
import { clearListening, play } from '../player.ts';
import { clearBookmarks } from '../sync/bookmarks.ts';
import { getOwner, setOwner } from '../sync/progress-storage.ts';
import { buildArticle, buildBookmark, buildTrack, listSource } from './fixtures.ts';

/** An audio port without sound, which records what was requested; tests emit the reports of the element. */
export class FakeAudio implements AudioPort {
  url: string | null = null;
  loadCount = 0;
  isPlaying = false;
  speed = 1;
  volume = 1;
  currentTime = 0;
  /** The length of what is loaded, in seconds. */
  duration = Number.POSITIVE_INFINITY;
  #report: (event: AudioReport) => void = () => {};

  load = (url: string, position: number): void => {
    this.url = url;
    this.loadCount += 1;
    this.currentTime = position;
    this.isPlaying = false;
  };
  play = (): void => {
    this.isPlaying = true;
  };
  pause = (): void => {
    this.isPlaying = false;
  };
  seek = (position: number): void => {
    this.currentTime = Math.min(position, this.duration);
    // Paused audio, too.
    if (position >= this.duration) this.emit({ type: 'ended' });
  };
  setSpeed = (speed: number): void => {
    this.speed = speed;
  };
  setVolume = (volume: number): void => {
    this.volume = volume;
  };
  unload = (): void => {
    this.url = null;
    this.isPlaying = false;
  };
  position = (): number => this.currentTime;
  listen = (report: (event: AudioReport) => void): (() => void) => {
    this.#report = report;
    return () => {
      this.#report = () => {};
    };
  };

  /** Reports an event of the element. */
  emit(event: AudioReport): void {
    this.#report(event);
  }

  /** Reports that the audio is loaded, and that it plays if it was requested. */
  startPlaying(): void {
    this.emit({ type: 'ready' });
    if (this.isPlaying) this.emit({ type: 'started' });
  }

  /** Reports a position, in seconds. */
  advanceTo(position: number): void {
    this.currentTime = position;
    this.emit({ type: 'time', position });
  }
}

/** Runs a player for one test, on fake audio, for a subscriber. Its dependencies are mocks that can be replaced. */
export function runPlayer(changes: Partial<PlayerDeps> = {}) {
  const audio = new FakeAudio();
  const sent: ProgressEntry[] = [];
  const deps = {
    isSubscribed: () => true,
    getLearning: () => undefined,
    getAudioUrl: vi.fn<PlayerDeps['getAudioUrl']>(async (track) => ({ url: `/fresh/${track._id}.mp3` })),
    prefetchStart: vi.fn<PlayerDeps['prefetchStart']>(async () => true),
    loadRemoteProgress: vi.fn<PlayerDeps['loadRemoteProgress']>(async () => {}),
    sendProgress: vi.fn<PlayerDeps['sendProgress']>(async (entry) => {
      sent.push(entry);
      return 'accepted';
    }),
    sendBookmark: vi.fn<PlayerDeps['sendBookmark']>(async () => 'accepted'),
    onRefused: vi.fn<PlayerDeps['onRefused']>(),
    logError: vi.fn<PlayerDeps['logError']>(),
    loadingDelay: 0,
  };
  setOwner(getOwner() ?? 'ana');
  const stop = startPlayer(audio, { ...deps, ...changes });
  onTestFinished(() =>
    act(() => {
      stop();
      clearListening();
      clearBookmarks();
      usePlayer.setState(emptyPlayer);
      localStorage.clear();
    }),
  );
  return { audio, sent, deps, stop };
}

/** Runs a player that plays the first of some tracks, at a position in seconds. */
export function runPlaying(tracks: readonly Track[], position = 0, changes?: Partial<PlayerDeps>) {
  const running = runPlayer(changes);
  play(listSource, tracks, 0);
  running.audio.startPlaying();
  if (position > 0) running.audio.advanceTo(position);
  return running;
}

// Loaded with the player's code in the app.
await loadNamespace('player');

/** Renders components of the player. Returns a user to interact with them. */
export function renderPlayer(ui: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const user = userEvent.setup();
  render(
    <BrowserLocationProvider>
      <QueryClientProvider client={client}>{ui}</QueryClientProvider>
    </BrowserLocationProvider>,
  );
  return user;
}

/** Renders the player's bar, and `children` beside it. Returns a user to interact with them. */
export const renderBar = (children?: ReactNode) =>
  renderPlayer(
    <>
      <PlayerBar />
      {children}
    </>,
  );

/** Runs a player that plays the first of some tracks, and renders its bar. */
export function renderPlaying(tracks: readonly Track[], children?: ReactNode) {
  const running = runPlayer();
  const user = renderBar(children);
  act(() => {
    play(listSource, tracks, 0);
    running.audio.startPlaying();
  });
  return { ...running, user };
}

/** An article with chapters and translations. */
const article = {
  ...buildArticle(1),
  translationLanguage: 'es' as const,
  chapters: [
    { title: 'The harbour', start: 0 },
    { title: 'The boat', start: 10 },
  ],
  sentences: buildArticle(1).sentences.map((sentence) => ({
    ...sentence,
    translation: `≈ ${sentence.text}`,
  })),
};

/** Mocks the text of the playing track, and a bookmark in it. */
export function mockArticle(): void {
  mockEndpoint(api.catalogue.findArticle, article);
  mockEndpoint(api.bookmarks.findBookmarks, { docs: [buildBookmark(1, 12, 'a boat')] });
}

/** Renders the player with a playing track and clicks buttons by name. */
export async function openPlaying(...presses: (string | RegExp)[]) {
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

/** The name of the button that opens the full player. */
export const openPlayer = /^Open the player/;
