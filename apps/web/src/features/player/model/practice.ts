import { findSentenceIndex } from './sentences.ts';
import type { PlayerState, Practice, PracticeMode, Span, Transition } from './state.ts';
import { pause, seek, unchanged } from './transport.ts';

/** How fast the ladder says a sentence: slowly, faster, as it was spoken. */
export const speedLadder = [0.7, 0.85, 1] as const;

/** A sentence is over this long after its last sound, or when the next begins; seconds. */
const tail = 0.2;
/** Further into a sentence than this, "previous" goes to its beginning; seconds. */
const settledIn = 1.5;

const aimed = (practice: Practice, spans: readonly Span[], position: number): Practice => ({
  ...practice,
  // Before the first sentence it is the first that comes.
  sentence: Math.max(findSentenceIndex(spans, position), 0),
  round: 0,
});

/** Where the sentence under practice is over; null when nothing is practised. Seconds. */
export function getSentenceEnd({ practice, spans }: PlayerState): number | null {
  const span = practice ? spans[practice.sentence] : undefined;
  if (!practice || !span) return null;
  return Math.min(span.end + tail, spans[practice.sentence + 1]?.start ?? Number.POSITIVE_INFINITY);
}

/** The text of the active track is known. In: whose text it is; another's changes nothing. */
export function setSentences(state: PlayerState, id: string, spans: readonly Span[]): PlayerState {
  if (state.activeTrack?._id !== id) return state;
  return { ...state, spans, practice: state.practice && aimed(state.practice, spans, state.progress) };
}

/** Begins a drill with the sentence that is heard; the same once more ends it. */
export const togglePractice = (state: PlayerState, drill: PracticeMode): PlayerState => ({
  ...state,
  practice:
    state.practice?.mode === drill
      ? null
      : aimed({ mode: drill, sentence: -1, round: 0 }, state.spans, state.progress),
});

/** A place was sought: practice goes on there. */
export const retargetPractice = (state: PlayerState): PlayerState =>
  state.practice ? { ...state, practice: aimed(state.practice, state.spans, state.progress) } : state;

const again = (state: PlayerState, practice: Practice, { start }: Span): Transition => ({
  state: { ...state, practice, progress: start },
  effects: [{ type: 'seek', position: start }],
});

/**
 * The sentence under practice is over (PLAY-08). The loop says it again; the ladder says it again a rung faster and goes
 * on after the last; otherwise a pause at the beginning of the next.
 */
export function finishSentence(state: PlayerState): Transition {
  const { practice, spans } = state;
  const span = practice ? spans[practice.sentence] : undefined;
  if (!practice || !span) return unchanged(state);
  if (practice.mode === 'loop') return again(state, practice, span);
  if (practice.mode === 'ladder' && practice.round < speedLadder.length - 1)
    return again(state, { ...practice, round: practice.round + 1 }, span);
  const following = spans[practice.sentence + 1];
  const passed: PlayerState = {
    ...state,
    practice: { ...practice, sentence: practice.sentence + 1, round: 0 },
  };
  if (practice.mode === 'ladder' || !following) return unchanged(passed);
  const paused = pause({ ...passed, progress: following.start });
  return {
    state: paused.state,
    effects: [...paused.effects, { type: 'seek', position: following.start }],
  };
}

/** To the sentence after or before; from within a sentence "before" is its own beginning. */
export function stepSentence(state: PlayerState, way: 1 | -1): Transition {
  const { spans, progress, practice } = state;
  const now = practice && spans[practice.sentence] ? practice.sentence : findSentenceIndex(spans, progress);
  const start = spans[now]?.start ?? 0;
  const isWithin = way < 0 && progress - start > settledIn;
  const target = spans[isWithin ? now : now + way] ?? (way < 0 ? spans[0] : undefined);
  return target ? seek(state, target.start) : unchanged(state);
}
