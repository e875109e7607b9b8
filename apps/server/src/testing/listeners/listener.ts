import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import { createProgress } from './progress.ts';
import type { Recorder } from './recorder.ts';
import type { Session } from './session.ts';

/** The player saves before so many seconds are unsaved; with ticks of a second, every four seconds. */
const MAX_UNSAVED_SECONDS = 4.2;
/** How far ahead the audio is loaded, and how much of it by one request. */
const AHEAD_SECONDS = 30;
const RANGE_BYTES = 64 * 1024;
/** Before the browser requests a range again that failed. */
const PAUSE_MS = 1000;

/** A track of the catalogue. `duration` in seconds. */
export interface ListedTrack {
  _id: string;
  duration: number;
}

interface PlayingTrack extends ListedTrack {
  path: string;
  /** Bytes that are loaded, and of the whole file; 0 while unknown. */
  loaded: number;
  size: number;
  /** Seconds. */
  position: number;
  unsaved: number;
  stall: number;
}

/** Creates a user who plays tracks one after another, as the web app's player does. `tick` is called every second. */
export function createListener(options: {
  client: Client;
  session: Session;
  recorder: Recorder;
  tracks: readonly ListedTrack[];
}) {
  const { client, session, recorder, tracks } = options;
  const progress = createProgress({ session, recorder });
  let playing: PlayingTrack | undefined;
  let isLoading = false;

  /** Requests a URL of the audio until there is one. */
  async function requestPath(track: string): Promise<string> {
    const startedAt = performance.now();
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await session.send({ path: `/api/listening/audio/${track}` });
      if (outcome.status === 200) {
        recorder.succeed('audio link', performance.now() - startedAt, attempts);
        const { pathname, search } = new URL(JSON.parse(outcome.body).url, 'http://localhost');
        return pathname + search;
      }
      recorder.fail('audio link', outcome.name);
      await delay(PAUSE_MS);
    }
  }

  const getLoadedSeconds = ({ loaded, size, duration }: PlayingTrack) =>
    size === 0 ? 0 : (loaded / size) * duration;
  const needsMore = (track: PlayingTrack) =>
    track.loaded < (track.size || 1) && getLoadedSeconds(track) - track.position < AHEAD_SECONDS;

  /** Loads a range, again until it is complete. */
  async function loadRange(track: PlayingTrack): Promise<void> {
    const startedAt = performance.now();
    const range = `bytes=${track.loaded}-${track.loaded + RANGE_BYTES - 1}`;
    for (let attempts = 1; track === playing; attempts += 1) {
      const outcome = await client.send({ path: track.path, headers: { range }, isDiscarded: true });
      if (outcome.status === 206) {
        recorder.succeed('audio', performance.now() - startedAt, attempts);
        track.loaded += outcome.bytes;
        track.size = outcome.size;
        return;
      }
      recorder.fail('audio', outcome.name);
      await delay(PAUSE_MS);
    }
  }

  async function load(track: PlayingTrack): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    while (track === playing && needsMore(track)) await loadRange(track);
    isLoading = false;
  }

  async function playNext(): Promise<void> {
    const next = tracks[Math.floor(Math.random() * tracks.length)];
    if (!next) throw new Error('There is nothing to play.');
    const path = await requestPath(next._id);
    playing = { ...next, path, loaded: 0, size: 0, position: 0, unsaved: 0, stall: 0 };
    progress.save(next._id, 0, 'play');
  }

  /** Plays a second of a track. */
  function play(track: PlayingTrack): void {
    const isStalled = getLoadedSeconds(track) < Math.min(track.position + 1, track.duration - 0.1);
    track.stall = isStalled ? track.stall + 1 : 0;
    recorder.count(track.stall);
    if (isStalled) return;
    track.position += 1;
    track.unsaved += 1;
    if (track.position >= track.duration) {
      playing = undefined;
      progress.save(track._id, track.duration, 'ended');
      void playNext();
    } else if (track.unsaved + 1 > MAX_UNSAVED_SECONDS) {
      track.unsaved = 0;
      progress.save(track._id, track.position, 'tick');
    }
  }

  return {
    progress,
    start: playNext,
    tick(): void {
      session.refreshIfDue();
      if (!playing) return;
      play(playing);
      if (playing) void load(playing);
    },
  };
}
