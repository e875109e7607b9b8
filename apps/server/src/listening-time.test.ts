import type { ProgressEntry } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { mergeRanges, toListeningRanges } from '../../../services/portal/src/listening/statistics.ts';
import { createGate } from '../../web/src/features/player/model/gate.ts';
import { transition } from '../../web/src/features/player/model/machine.ts';
import { getSentenceEnd } from '../../web/src/features/player/model/sentences.ts';
import { getPlaybackRate } from '../../web/src/features/player/model/sound.ts';
import {
  type Effect,
  emptyPlayer,
  type PlayerEvent,
  type PracticeMode,
} from '../../web/src/features/player/model/state.ts';
import { enqueueProgress, type ProgressQueue } from '../../web/src/features/player/sync/progress-queue.ts';
import { buildTrack, listSource, toId } from '../../web/src/features/player/testing/fixtures.ts';

// The player's state machine on a simulated media element, and the server's statistics of the entries that it reports.

const STEP_SECONDS = 0.05;
const SECONDS = 600;
const startedAt = Date.parse('2026-11-20T12:00:00Z');
const gate = createGate(true);
const track = buildTrack(1, { duration: 4000 });
/** Sentences of four seconds with half a second between them. */
const spans = Array.from({ length: 800 }, (_, index) => ({ start: index * 4.5, end: index * 4.5 + 4 }));

/** Plays for ten minutes; where practice pauses, the user plays on after three seconds of silence. */
function playTenMinutes(mode: PracticeMode | null, speed: number, isOnline: boolean) {
  let state = emptyPlayer;
  let queue: ProgressQueue = { device: toId(700), sequence: 0, entries: [] };
  const sent: ProgressEntry[] = [];
  const element = { position: 0, isPlaying: false };
  let [steps, stepsPlayed] = [0, 0];

  function perform(effect: Effect): void {
    if (effect.type === 'seek') element.position = effect.position;
    if (effect.type === 'pause') element.isPlaying = false;
    if (effect.type === 'play') element.isPlaying = true;
    if (effect.type !== 'saveProgress') return;
    const at = new Date(startedAt + steps * STEP_SECONDS * 1000).toISOString();
    queue = enqueueProgress(queue, { ...effect, track: effect.track._id, at });
    if (isOnline) sent.push(...queue.entries);
    if (isOnline) queue = { ...queue, entries: [] };
  }
  function dispatch(event: PlayerEvent): void {
    const next = transition(state, event, gate);
    state = next.state;
    next.effects.forEach(perform);
  }

  dispatch({ type: 'playFrom', source: listSource, tracks: [track], index: 0 });
  dispatch({ type: 'sentencesLoaded', id: track._id, spans });
  dispatch({ type: 'setSpeed', speed });
  if (mode) dispatch({ type: 'togglePractice', mode });
  element.isPlaying = true;
  dispatch({ type: 'started' });
  for (let silent = 0; stepsPlayed < SECONDS / STEP_SECONDS; steps += 1) {
    if (!element.isPlaying) {
      silent += 1;
      if (silent < 3 / STEP_SECONDS) continue;
      silent = 0;
      dispatch({ type: 'toggle' });
      dispatch({ type: 'started' });
      continue;
    }
    element.position += STEP_SECONDS * getPlaybackRate(state);
    stepsPlayed += 1;
    const isAtEnd = element.position >= (getSentenceEnd(state) ?? Number.POSITIVE_INFINITY);
    if (isAtEnd || stepsPlayed % 5 === 0) dispatch({ type: 'time', position: element.position });
    if (element.isPlaying && stepsPlayed % 20 === 0)
      dispatch({ type: 'tick', position: element.position, seconds: 1 });
  }
  dispatch({ type: 'pause' });
  return [...sent, ...queue.entries];
}

/** Returns the seconds that the statistics count. */
function countSeconds(entries: readonly ProgressEntry[]): number {
  const events = entries.map(({ at = '', secondsPlayed = null, ...entry }) => ({
    ...entry,
    at: Date.parse(at),
    secondsPlayed,
  }));
  return mergeRanges(toListeningRanges(events)).reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);
}

const modes = [null, 'loop', 'speedLadder', 'pauseAfterSentence'] as const;
const cases = modes.flatMap((mode) => [0.5, 0.75, 1, 1.5, 2].map((speed) => [mode, speed] as const));

describe('ten minutes of playing', () => {
  it.each(cases)('[SUB-07] count as ten in practice mode %s at speed %d', (mode, speed) => {
    expect(Math.abs(countSeconds(playTenMinutes(mode, speed, true)) - SECONDS)).toBeLessThan(5);
  });

  it.each(cases)('[SUB-07] count as ten offline in practice mode %s at speed %d', (mode, speed) => {
    const entries = playTenMinutes(mode, speed, false);
    expect(entries.length).toBeLessThanOrEqual(200);
    expect(Math.abs(countSeconds(entries) - SECONDS)).toBeLessThan(5);
  });
});
