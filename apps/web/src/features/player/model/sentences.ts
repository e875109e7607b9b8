import type { Article } from '@escucho/contracts';
import type { PlayerState, Practice, PracticeMode, Span, Transition } from './state.ts';
import { pause, seek, unchanged } from './transport.ts';

export type Sentence = Article['sentences'][number];

/** Returns the index of the last sentence that starts at or before a position (seconds), or -1. */
export const findSentenceIndex = (sentences: readonly { start: number }[], position: number): number =>
  sentences.findLastIndex(({ start }) => start <= position);

/** Ticks closer together than this share of the duration look like one. */
const MIN_TICK_GAP = 0.006;

/** Returns where sentences start as shares of the duration (0 to 1), without those too close to the one before. */
export function getTickPositions(sentences: readonly { start: number }[], duration: number): number[] {
  const shares: number[] = [];
  for (const { start } of sentences) {
    const share = duration > 0 ? start / duration : 0;
    if (share > 0 && share < 1 && share - (shares.at(-1) ?? 0) >= MIN_TICK_GAP) shares.push(share);
  }
  return shares;
}

/** The speeds at which the speed ladder repeats a sentence. */
export const speedLadder = [0.7, 0.85, 1] as const;

/** How long after its last sound a sentence ends, unless the next one starts earlier. */
const SENTENCE_TAIL_SECONDS = 0.2;
/** Further into a sentence than this, the step back goes to its start. */
const STEP_BACK_LIMIT_SECONDS = 1.5;

const targetSentence = (practice: Practice, spans: readonly Span[], position: number): Practice => ({
  ...practice,
  // A position before the first sentence targets the first.
  sentence: Math.max(findSentenceIndex(spans, position), 0),
  round: 0,
});

/** Returns where the practised sentence ends, in seconds; null when none is practised. */
export function getSentenceEnd({ practice, spans }: PlayerState): number | null {
  const span = practice ? spans[practice.sentence] : undefined;
  if (!practice || !span) return null;
  return Math.min(
    span.end + SENTENCE_TAIL_SECONDS,
    spans[practice.sentence + 1]?.start ?? Number.POSITIVE_INFINITY,
  );
}

/** Sets the sentences of the active track; those of another track are ignored. */
export function setSentences(state: PlayerState, id: string, spans: readonly Span[]): PlayerState {
  if (state.activeTrack?._id !== id) return state;
  return {
    ...state,
    spans,
    practice: state.practice && targetSentence(state.practice, spans, state.progress),
  };
}

/** Starts a practice mode with the current sentence, or ends it when it is on. */
export const togglePractice = (state: PlayerState, mode: PracticeMode): PlayerState => ({
  ...state,
  practice:
    state.practice?.mode === mode
      ? null
      : targetSentence({ mode, sentence: -1, round: 0 }, state.spans, state.progress),
});

/** Moves the practice to the sentence at the current position, after a seek. */
export const retargetPractice = (state: PlayerState): PlayerState =>
  state.practice
    ? { ...state, practice: targetSentence(state.practice, state.spans, state.progress) }
    : state;

const repeatSentence = (state: PlayerState, practice: Practice, { start }: Span): Transition => ({
  state: { ...state, practice, progress: start },
  effects: [{ type: 'seek', position: start }],
});

/**
 * Handles the end of the practised sentence (PLAY-08): the loop repeats it; the speed ladder repeats it at the next speed,
 * and continues after the last; otherwise playing pauses at the start of the next sentence.
 */
export function finishSentence(state: PlayerState): Transition {
  const { practice, spans } = state;
  const span = practice ? spans[practice.sentence] : undefined;
  if (!practice || !span) return unchanged(state);
  const { mode, sentence, round } = practice;
  if (mode === 'loop') return repeatSentence(state, practice, span);
  if (mode === 'speedLadder' && round < speedLadder.length - 1)
    return repeatSentence(state, { ...practice, round: round + 1 }, span);
  const next = spans[sentence + 1];
  const finished: PlayerState = { ...state, practice: { mode, sentence: sentence + 1, round: 0 } };
  if (mode === 'speedLadder' || !next) return unchanged(finished);
  const paused = pause({ ...finished, progress: next.start });
  return { state: paused.state, effects: [...paused.effects, { type: 'seek', position: next.start }] };
}

/** Seeks to the next or previous sentence; from within a sentence, back goes to its own start. */
export function stepSentence(state: PlayerState, direction: 1 | -1): Transition {
  const { spans, progress, practice } = state;
  const current =
    practice && spans[practice.sentence] ? practice.sentence : findSentenceIndex(spans, progress);
  const start = spans[current]?.start ?? 0;
  const isWithin = direction < 0 && progress - start > STEP_BACK_LIMIT_SECONDS;
  const target = spans[isWithin ? current : current + direction] ?? (direction < 0 ? spans[0] : undefined);
  return target ? seek(state, target.start) : unchanged(state);
}
