import { diffArrays } from 'diff';
import type { Language } from '../database.ts';
import { type Cue, isUnfinished, splitSentences, type WrittenSentence } from './text.ts';

/** A part of the audio, in seconds. */
interface TimeSpan {
  start: number;
  end: number;
}

/** A sentence with its times. */
export type TimedSentence = WrittenSentence & TimeSpan;

/** A pause in the audio. */
export type Silence = TimeSpan;

const PARAGRAPH_PAUSE_SECONDS = 1.5;
/** Captions without full stops are cut into sentences of about this length. */
const MAX_UNPUNCTUATED_LENGTH = 280;

const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** A cue with its range of characters in the joined text. */
interface CueRange {
  from: number;
  to: number;
  cue: Cue;
}

function joinCues(cues: readonly Cue[]): { text: string; ranges: CueRange[] } {
  let text = '';
  const ranges = cues.map((cue) => {
    if (text !== '') text += ' ';
    const from = text.length;
    text += cue.text;
    return { from, to: text.length, cue };
  });
  return { text, ranges };
}

/** Returns the time of a character, as if its cue were spoken at a constant speed. */
function interpolateTime({ from, to, cue }: CueRange, offset: number): number {
  return cue.start + ((cue.end - cue.start) * (offset - from)) / Math.max(1, to - from);
}

const endsSentence = (text: string) =>
  (/[.!?…]["'”’»)]*$/.test(text) && !isUnfinished(text)) || text.length > MAX_UNPUNCTUATED_LENGTH;

/** Groups cues between full stops and long pauses. */
function groupCues(cues: readonly Cue[]): Cue[][] {
  const groups: Cue[][] = [];
  let length = 0;
  for (const cue of cues) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const continues =
      last &&
      length <= MAX_UNPUNCTUATED_LENGTH &&
      cue.start - last.end < PARAGRAPH_PAUSE_SECONDS &&
      !endsSentence(last.text);
    if (group && continues) {
      group.push(cue);
      length += cue.text.length;
    } else {
      groups.push([cue]);
      length = cue.text.length;
    }
  }
  return groups;
}

/** Returns the sentences of a transcript with their times. A long pause starts a paragraph. */
export function toTimedSentences(cues: readonly Cue[], language: Language): TimedSentence[] {
  const sentences: TimedSentence[] = [];
  let paragraph = 0;
  for (const group of groupCues(cues)) {
    const { text, ranges } = joinCues(group);
    let offset = 0;
    for (const sentence of splitSentences(text, language)) {
      const from = Math.max(offset, text.indexOf(sentence, offset));
      const to = from + sentence.length;
      offset = to;
      const first = ranges.findLast((range) => range.from <= from) ?? ranges[0];
      const last = ranges.findLast((range) => range.from < to) ?? ranges.at(-1);
      if (!first || !last) continue;
      const previous = sentences.at(-1);
      // Cues of two speakers may overlap.
      const start = Math.max(previous?.start ?? 0, roundToMilliseconds(interpolateTime(first, from)));
      if (previous && start - previous.end >= PARAGRAPH_PAUSE_SECONDS) paragraph += 1;
      const end = Math.max(start, roundToMilliseconds(interpolateTime(last, Math.min(to, last.to))));
      sentences.push({ text: sentence, translation: null, paragraph, chapter: null, start, end });
    }
  }
  return sentences;
}

const splitWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const normalizeWord = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of cues with their times, as if each cue were spoken at a constant speed. */
function toTimedWords(cues: readonly Cue[]): (TimeSpan & { word: string })[] {
  return cues.flatMap((cue) => {
    const words = splitWords(cue.text);
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    let offset = 0;
    return words.map((word) => {
      const toTime = (letter: number) => cue.start + (cue.end - cue.start) * (letter / letters);
      const start = toTime(offset);
      offset += word.length;
      return { word: normalizeWord(word), start, end: toTime(offset) };
    });
  });
}

/** A transcript of the same text shares at least this fraction of its words. */
const MIN_MATCHED_SHARE = 0.6;
/** Limits the time that comparing two different texts takes. */
const MAX_WORD_EDITS = 15_000;

/** Returns the times of written words that the cues contain in the same order, undefined for other words; undefined when the texts differ too much. */
function matchWords(words: readonly string[], cues: readonly Cue[]): (TimeSpan | undefined)[] | undefined {
  const timedWords = toTimedWords(cues);
  const edits = diffArrays(
    timedWords.map(({ word }) => word),
    [...words],
    { maxEditLength: MAX_WORD_EDITS },
  );
  if (!edits) return undefined;
  const times: (TimeSpan | undefined)[] = [];
  let [cueIndex, wordIndex] = [0, 0];
  for (const { value, added, removed } of edits) {
    for (let count = 0; count < value.length; count += 1) {
      if (added) times[wordIndex++] = undefined;
      else if (removed) cueIndex += 1;
      else times[wordIndex++] = timedWords[cueIndex++];
    }
  }
  return times;
}

/**
 * Aligns sentences with a transcript. Sentences whose words the transcript lacks lie between their neighbours.
 *
 * @returns undefined when the transcript has another text
 */
export function alignSentences(
  sentences: readonly WrittenSentence[],
  cues: readonly Cue[],
): TimedSentence[] | undefined {
  const words = sentences.map(({ text }) => splitWords(text).map(normalizeWord));
  const times = matchWords(words.flat(), cues);
  const matched = times?.filter((time) => time !== undefined).length ?? 0;
  if (!times || matched < MIN_MATCHED_SHARE * times.length) return undefined;
  let [offset, following] = [0, 0];
  let previousEnd = cues[0]?.start ?? 0;
  return sentences.map((sentence, index) => {
    const [from, to] = [offset, offset + (words[index]?.length ?? 0)];
    offset = to;
    const own = times.slice(from, to).filter((time) => time !== undefined);
    // The first word behind the sentence that the transcript has.
    following = Math.max(following, to);
    while (following < times.length && !times[following]) following += 1;
    const start = Math.max(previousEnd, own[0]?.start ?? previousEnd);
    const end = Math.max(start, own.at(-1)?.end ?? times[following]?.start ?? start);
    previousEnd = end;
    return { ...sentence, start: roundToMilliseconds(start), end: roundToMilliseconds(end) };
  });
}

/** A time at which one sentence may end and the next start; the lower the cost, the better. */
interface Boundary extends Silence {
  cost: number;
}

/** The cost of a boundary without a pause. */
const NO_PAUSE_COST = 1.2;
const FALLBACK_COST = 50;
/** Limits how far from the expected time, and among how many pauses, a boundary is searched, so that long books take linear time. */
const MAX_DISTANCE_SECONDS = 120;
const MAX_CANDIDATES = 80;

const toBoundary = ({ start, end }: Silence): Boundary => ({
  start,
  end,
  cost: -0.6 * Math.log(1 + 4 * (end - start)),
});

/** Returns the pauses near a time, only the longest if there are many. */
function findPauses(time: number, distance: number, pauses: readonly Silence[]): Boundary[] {
  const near = pauses.filter((pause) => Math.abs(pause.start - time) < distance).map(toBoundary);
  return near.sort((one, other) => one.cost - other.cost).slice(0, MAX_CANDIDATES);
}

/** The weight of a sentence in the duration: its letters and a breath. */
const getWeight = ({ text }: WrittenSentence): number => text.length + 6;

/** Returns where each sentence would end at a constant speed. */
function getEvenEnds(sentences: readonly WrittenSentence[], from: number, to: number): number[] {
  const total = sentences.reduce((sum, sentence) => sum + getWeight(sentence), 0);
  let weight = 0;
  return sentences.map((sentence) => {
    weight += getWeight(sentence);
    return from + ((to - from) * weight) / total;
  });
}

/** The cheapest path to a boundary (dynamic programming). */
interface Path {
  boundary: Boundary;
  cost: number;
  previous: Path | undefined;
}

/** Extends the path for which reaching `next` is cheapest: the sentence has about the expected duration and ends in a pause. */
function extendCheapest(paths: readonly Path[], next: Boundary, expected: number): Path | undefined {
  let best: Path | undefined;
  for (const previous of paths) {
    const duration = next.start - previous.boundary.end;
    if (duration <= 0) continue;
    const deviation = Math.log(duration / expected);
    const cost = previous.cost + 8 * deviation * deviation + next.cost;
    if (!best || cost < best.cost) best = { boundary: next, cost, previous };
  }
  return best;
}

/**
 * Estimates when sentences are spoken: each about as long as its letters, divided at the pauses that fit best.
 *
 * @param silences - the pauses of the audio in order; empty when they were not measured
 * @param duration - of the audio, in seconds
 */
export function estimateTimes(
  sentences: readonly WrittenSentence[],
  silences: readonly Silence[],
  duration: number,
): TimedSentence[] {
  const [first] = silences;
  const last = silences.at(-1);
  const from = first && first.start < 0.05 ? first.end : 0;
  const to = last && last !== first && last.end > duration - 0.1 ? last.start : duration;
  const pauses = silences.filter(({ start, end }) => start > from && end < to);
  const silentSeconds = pauses.reduce((sum, { start, end }) => sum + end - start, 0);
  const evenEnds = getEvenEnds(sentences, from, to);
  const distance = Math.min(MAX_DISTANCE_SECONDS, Math.max(10, (to - from) * 0.06));

  let paths: Path[] = [{ boundary: { start: from, end: from, cost: 0 }, cost: 0, previous: undefined }];
  sentences.forEach((_, index) => {
    const [evenStart = from, evenEnd = to] = [evenEnds[index - 1], evenEnds[index]];
    // Speech is slightly faster than the average, which includes the pauses.
    const expected = Math.max(0.05, (evenEnd - evenStart) * (1 - (0.8 * silentSeconds) / (to - from)));
    const candidates =
      index === sentences.length - 1
        ? [{ start: to, end: to, cost: 0 }]
        : [...findPauses(evenEnd, distance, pauses), { start: evenEnd, end: evenEnd, cost: NO_PAUSE_COST }];
    const extended = candidates.flatMap((next) => extendCheapest(paths, next, expected) ?? []);
    // All candidates precede the current boundary: give the sentence no duration and continue from there.
    const [path] = paths;
    const fallback = path && {
      boundary: { ...path.boundary, cost: 0 },
      cost: path.cost + FALLBACK_COST,
      previous: path,
    };
    paths = extended.length > 0 || !fallback ? extended : [fallback];
  });

  const boundaries: Boundary[] = [];
  const cheapest = paths.reduce<Path | undefined>(
    (best, path) => (!best || path.cost < best.cost ? path : best),
    undefined,
  );
  for (let path = cheapest; path; path = path.previous) boundaries.unshift(path.boundary);
  return sentences.map((sentence, index) => {
    const start = boundaries[index]?.end ?? from;
    const end = Math.max(start, boundaries[index + 1]?.start ?? to);
    return { ...sentence, start: roundToMilliseconds(start), end: roundToMilliseconds(end) };
  });
}
