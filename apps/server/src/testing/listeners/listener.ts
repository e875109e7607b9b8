import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import { createProgress } from './progress.ts';
import type { Recorder } from './recorder.ts';
import type { Session } from './session.ts';

/** The player saves before so many seconds are unsaved; with ticks of a second, every four seconds. */
const MAX_UNSAVED_SECONDS = 4.2;
/** Before the browser requests the rest of the audio again after a failure. */
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
  /**
   * Loads the audio as browsers do: one request for everything, then for what is missing. The time that counts is the time
   * until the first bytes arrive.
   */
  async function load(track: PlayingTrack): Promise<void> {
    const startedAt = performance.now();
    for (let attempts = 1; track === playing; attempts += 1) {
      const outcome = await client.send({
        path: track.path,
        headers: { range: `bytes=${track.loaded}-` },
        isDiscarded: true,
        onChunk(bytes, size) {
          if (track.loaded === 0) recorder.succeed('audio', performance.now() - startedAt, attempts);
          track.loaded += bytes;
          track.size = size;
        },
      });
      if (outcome.status === 206 || (track.size > 0 && track.loaded >= track.size)) return;
      recorder.fail('audio', outcome.name);
      await delay(PAUSE_MS);
    }
  }

  async function playNext(): Promise<void> {
    const next = tracks[Math.floor(Math.random() * tracks.length)];
    if (!next) throw new Error('There is nothing to play.');
    const path = await requestPath(next._id);
    playing = { ...next, path, loaded: 0, size: 0, position: 0, unsaved: 0, stall: 0 };
    void load(playing);
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
      if (playing) play(playing);
    },
  };
}
