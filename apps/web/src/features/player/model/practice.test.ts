import { describe, expect, it } from 'vitest';
import { buildTrack, toId } from '../testing/fixtures.ts';
import { buildPlaying, buildPlayingAt, runEvents } from '../testing/run-events.ts';
import { getSentenceEnd } from './practice.ts';
import { getPlaybackRate } from './sound.ts';
import type { PlayerEvent, PlayerState, PracticeMode } from './state.ts';

/** Three sentences of 9 seconds with a second between them; the track goes on after them. */
const spans = [10, 20, 30].map((start) => ({ start, end: start + 9 }));
const learned: PlayerEvent = { type: 'sentencesLoaded', id: toId(1), spans };
const togglePractice = (mode: PracticeMode): PlayerEvent => ({ type: 'togglePractice', mode });
const time = (position: number): PlayerEvent => ({ type: 'time', position });
const read = (position: number, mode: PracticeMode | null): PlayerState =>
  runEvents(buildPlayingAt(position), mode ? [learned, togglePractice(mode)] : [learned]).state;

describe('a sentence under practice', () => {
  it.each([
    [22, 'loop', 29.2],
    [5, 'loop', 19.2],
    [22, null, null],
  ] as const)('[PLAY-08] at %d in mode %s is over at %s', (position, mode, boundary) => {
    expect(getSentenceEnd(read(position, mode))).toBe(boundary);
  });

  it('[PLAY-08] is over before the next begins', () => {
    const close = spans.map(({ start }) => ({ start, end: start + 9.95 }));
    const state = runEvents(buildPlayingAt(12), [
      { type: 'sentencesLoaded', id: toId(1), spans: close },
      togglePractice('loop'),
    ]).state;
    expect(getSentenceEnd(state)).toBe(20);
  });

  it('[PLAY-08] the text may become known after the drill was chosen', () => {
    expect(getSentenceEnd(runEvents(buildPlayingAt(22), [togglePractice('loop'), learned]).state)).toBe(29.2);
  });

  it('the text of another track changes nothing', () => {
    const before = buildPlayingAt(22);
    expect(runEvents(before, [{ ...learned, id: toId(2) }]).state).toBe(before);
  });
});

describe('the loop', () => {
  it('[PLAY-08] says a sentence again and again', () => {
    let state = read(22, 'loop');
    for (const _again of [1, 2, 3]) {
      const turned = runEvents(state, [time(29.3)]);
      expect(turned.state).toMatchObject({ progress: 20, isPlaying: true });
      expect(turned.effects).toEqual([{ type: 'seek', position: 20 }]);
      state = turned.state;
    }
  });

  it('[PLAY-08] goes with the reader to another sentence', () => {
    const { state } = runEvents(read(22, 'loop'), [{ type: 'seek', position: 30 }, time(39.3)]);
    expect(state.progress).toBe(30);
  });

  it('[PLAY-08] holds at the end of the audio', () => {
    const track = buildTrack(1, { duration: 39 });
    const last = runEvents(buildPlayingAt(35, buildPlaying([track])), [
      learned,
      togglePractice('loop'),
      { type: 'ended' },
    ]);
    expect(last.state).toMatchObject({ progress: 30, isPlaying: true });
    expect(last.done).toEqual(['seek', 'play']);
  });

  it('[PLAY-08] ends when it is switched off', () => {
    expect(runEvents(read(22, 'loop'), [togglePractice('loop'), time(29.5)])).toMatchObject({
      state: { progress: 29.5 },
      effects: [],
    });
  });

  it('another track knows nothing of it until its text is there', () => {
    const { state } = runEvents(read(22, 'loop'), [{ type: 'next', removeFromContinue: false }]);
    expect(state).toMatchObject({ spans: [], practice: { mode: 'loop', sentence: -1 } });
    expect(getSentenceEnd(state)).toBeNull();
  });
});

describe('the ladder', () => {
  it('[PLAY-08] says a sentence at 0.7, 0.85 and 1, and then the next', () => {
    let state = read(22, 'speedLadder');
    const heard: [number, number][] = [];
    for (const position of [29.3, 29.3, 29.3, 39.3]) {
      heard.push([state.practice?.sentence ?? -1, getPlaybackRate(state)]);
      state = runEvents(state, [time(position)]).state;
    }
    expect(heard).toEqual([
      [1, 0.7],
      [1, 0.85],
      [1, 1],
      [2, 0.7],
    ]);
  });

  it('[PLAY-08] leaves the chosen speed as it was', () => {
    const fast = runEvents(buildPlayingAt(22), [learned, { type: 'setSpeed', speed: 1.5 }]).state;
    const climbing = runEvents(fast, [togglePractice('speedLadder')]);
    expect(climbing.effects).toEqual([{ type: 'setSpeed', speed: 0.7 }]);
    expect(runEvents(climbing.state, [togglePractice('speedLadder')]).effects).toEqual([
      { type: 'setSpeed', speed: 1.5 },
    ]);
  });
});

describe('a pause after each sentence', () => {
  it('[PLAY-08] waits at the beginning of the next', () => {
    const paused = runEvents(read(22, 'pauseAfterSentence'), [time(29.25)]);
    expect(paused.state).toMatchObject({ isPlaying: false, phase: 'paused', progress: 30 });
    expect(paused.done).toEqual(['pause', 'saveProgress', 'seek']);
    const { state } = runEvents(paused.state, [{ type: 'play' }, { type: 'started' }]);
    expect(getSentenceEnd(state)).toBe(39.2);
  });

  it('[PLAY-08] the last sentence plays on to the end', () => {
    expect(runEvents(read(32, 'pauseAfterSentence'), [time(39.3), time(41)])).toMatchObject({
      state: { isPlaying: true, progress: 41 },
      effects: [],
    });
  });
});

describe('from sentence to sentence', () => {
  it.each([
    ['after, from within', 22, 1, 30],
    ['after, from before the first', 5, 1, 10],
    ['before, from well within: its beginning', 24, -1, 20],
    ['before, from its beginning', 20.5, -1, 10],
    ['before, from the first', 10.2, -1, 10],
    ['before, from before the first', 5, -1, 10],
  ] as const)('[PLAY-08] the one %s', (_, position, direction, expected) => {
    const { state } = runEvents(buildPlayingAt(position), [learned, { type: 'stepSentence', direction }]);
    expect(state.progress).toBe(expected);
  });

  it('[PLAY-08] after the last there is none', () => {
    const before = runEvents(buildPlayingAt(32), [learned]).state;
    expect(runEvents(before, [{ type: 'stepSentence', direction: 1 }]).done).toEqual([]);
  });
});
