import { describe, expect, it } from 'vitest';
import { buildPlaying, buildPlayingAt, buildTrack, next, runEvents, toId } from '../testing/fixtures.ts';
import { getSentenceEnd } from './sentences.ts';
import { getPlaybackRate } from './sound.ts';
import type { PlayerEvent, PlayerState, PracticeMode } from './state.ts';

/** Three sentences of 9 seconds with a second between them, followed by more audio. */
const spans = [10, 20, 30].map((start) => ({ start, end: start + 9 }));
const sentencesLoaded: PlayerEvent = { type: 'sentencesLoaded', id: toId(1), spans };
const togglePractice = (mode: PracticeMode): PlayerEvent => ({ type: 'togglePractice', mode });
const time = (position: number): PlayerEvent => ({ type: 'time', position });
const playSentences = (position: number, mode: PracticeMode | null): PlayerState =>
  runEvents(buildPlayingAt(position), mode ? [sentencesLoaded, togglePractice(mode)] : [sentencesLoaded])
    .state;

describe('the end of a practised sentence', () => {
  it.each([
    [22, 'loop', 29.2],
    [5, 'loop', 19.2],
    [22, null, null],
  ] as const)('[PLAY-08] from %d in mode %s is %s', (position, mode, end) => {
    expect(getSentenceEnd(playSentences(position, mode))).toBe(end);
  });

  it('[PLAY-08] is not after the start of the next', () => {
    const close = spans.map(({ start }) => ({ start, end: start + 9.95 }));
    const state = runEvents(buildPlayingAt(12), [
      { type: 'sentencesLoaded', id: toId(1), spans: close },
      togglePractice('loop'),
    ]).state;
    expect(getSentenceEnd(state)).toBe(20);
  });

  it('[PLAY-08] is known once the text is loaded after the mode was chosen', () => {
    expect(
      getSentenceEnd(runEvents(buildPlayingAt(22), [togglePractice('loop'), sentencesLoaded]).state),
    ).toBe(29.2);
  });

  it('ignores the text of another track', () => {
    const before = buildPlayingAt(22);
    expect(runEvents(before, [{ ...sentencesLoaded, id: toId(2) }]).state).toBe(before);
  });
});

describe('the loop', () => {
  it('[PLAY-08] repeats the sentence', () => {
    let state = playSentences(22, 'loop');
    for (const _round of [1, 2, 3]) {
      const repeated = runEvents(state, [time(29.3)]);
      expect(repeated.state).toMatchObject({ progress: 20, isPlaying: true });
      expect(repeated.effects).toEqual([{ type: 'seek', position: 20 }]);
      state = repeated.state;
    }
  });

  it('[PLAY-08] moves to another sentence with a seek', () => {
    const { state } = runEvents(playSentences(22, 'loop'), [{ type: 'seek', position: 30 }, time(39.3)]);
    expect(state.progress).toBe(30);
  });

  it('[PLAY-08] repeats the last sentence at the end of the audio', () => {
    const track = buildTrack(1, { duration: 39 });
    const last = runEvents(buildPlayingAt(35, buildPlaying([track])), [
      sentencesLoaded,
      togglePractice('loop'),
      { type: 'ended' },
    ]);
    expect(last.state).toMatchObject({ progress: 30, isPlaying: true });
    expect(last.done).toEqual(['seek', 'play']);
  });

  it('[PLAY-08] ends when toggled again', () => {
    expect(runEvents(playSentences(22, 'loop'), [togglePractice('loop'), time(29.5)])).toMatchObject({
      state: { progress: 29.5 },
      effects: [],
    });
  });

  it('has no sentence on another track until its text is loaded', () => {
    const { state } = runEvents(playSentences(22, 'loop'), [next]);
    expect(state).toMatchObject({ spans: [], practice: { mode: 'loop', sentence: -1 } });
    expect(getSentenceEnd(state)).toBeNull();
  });
});

describe('the speed ladder', () => {
  it('[PLAY-08] plays a sentence at 0.7, 0.85 and 1, then the next', () => {
    let state = playSentences(22, 'speedLadder');
    const rounds: [number, number][] = [];
    for (const position of [29.3, 29.3, 29.3, 39.3]) {
      rounds.push([state.practice?.sentence ?? -1, getPlaybackRate(state)]);
      state = runEvents(state, [time(position)]).state;
    }
    expect(rounds).toEqual([
      [1, 0.7],
      [1, 0.85],
      [1, 1],
      [2, 0.7],
    ]);
  });

  it('[PLAY-08] plays what follows the last sentence at the chosen speed', () => {
    const { state, effects } = runEvents(playSentences(32, 'speedLadder'), [
      { type: 'setSpeed', speed: 1.5 },
      ...[39.3, 39.3, 39.3].map(time),
    ]);
    expect(effects).toEqual([{ type: 'setSpeed', speed: 1.5 }]);
    expect(runEvents(state, [{ type: 'seek', position: 12 }]).effects).toContainEqual({
      type: 'setSpeed',
      speed: 0.7,
    });
  });

  it('[PLAY-08] restores the chosen speed when it ends', () => {
    const fast = runEvents(buildPlayingAt(22), [sentencesLoaded, { type: 'setSpeed', speed: 1.5 }]).state;
    const started = runEvents(fast, [togglePractice('speedLadder')]);
    expect(started.effects).toEqual([{ type: 'setSpeed', speed: 0.7 }]);
    expect(runEvents(started.state, [togglePractice('speedLadder')]).effects).toEqual([
      { type: 'setSpeed', speed: 1.5 },
    ]);
  });
});

describe('a pause after each sentence', () => {
  it('[PLAY-08] pauses at the start of the next sentence', () => {
    const paused = runEvents(playSentences(22, 'pauseAfterSentence'), [time(29.25)]);
    expect(paused.state).toMatchObject({ isPlaying: false, phase: 'paused', progress: 30 });
    expect(paused.done).toEqual(['pause', 'saveProgress', 'seek']);
    const { state } = runEvents(paused.state, [{ type: 'play' }, { type: 'started' }]);
    expect(getSentenceEnd(state)).toBe(39.2);
  });

  it('[PLAY-08] does not pause after the last sentence', () => {
    expect(runEvents(playSentences(32, 'pauseAfterSentence'), [time(39.3), time(41)])).toMatchObject({
      state: { isPlaying: true, progress: 41 },
      effects: [],
    });
  });
});

describe('a finished track that is played again', () => {
  it.each(['pauseAfterSentence', 'speedLadder'] as const)('[PLAY-08] is practised by %s', (mode) => {
    const { state } = runEvents(buildPlayingAt(35, buildPlaying([buildTrack(1)])), [
      sentencesLoaded,
      togglePractice(mode),
      ...[39.3, 39.3, 39.3].map(time),
      { type: 'ended' },
      { type: 'play' },
      { type: 'started' },
    ]);
    expect(state.practice).toEqual({ mode, sentence: 0, round: 0 });
    expect(getSentenceEnd(state)).toBe(19.2);
  });

  it('[PLAY-08] is practised from its first sentence, once its text is loaded', () => {
    const { state } = runEvents(buildPlayingAt(95, buildPlaying([buildTrack(1)])), [
      togglePractice('loop'),
      { type: 'ended' },
      { type: 'play' },
    ]);
    expect(runEvents(state, [sentencesLoaded]).state.practice).toMatchObject({ sentence: 0 });
  });
});

describe('stepSentence', () => {
  it.each([
    ['next from within a sentence', 22, 1, 30],
    ['next from before the first sentence', 5, 1, 10],
    ['back from well within a sentence to its start', 24, -1, 20],
    ['back from the start of a sentence', 20.5, -1, 10],
    ['back from the first sentence', 10.2, -1, 10],
    ['back from before the first sentence', 5, -1, 10],
  ] as const)('[PLAY-08] goes %s', (_, position, direction, expected) => {
    const { state } = runEvents(buildPlayingAt(position), [
      sentencesLoaded,
      { type: 'stepSentence', direction },
    ]);
    expect(state.progress).toBe(expected);
  });

  it('[PLAY-08] does nothing after the last sentence', () => {
    const before = runEvents(buildPlayingAt(32), [sentencesLoaded]).state;
    expect(runEvents(before, [{ type: 'stepSentence', direction: 1 }]).done).toEqual([]);
  });
});
