/** When sentences are spoken: known from a transcript's times, or estimated from silence and length. Pure. */
import { diffArrays } from 'diff';
import { sentencesOf, type Written } from './text.ts';
import type { Cue } from './transcript.ts';

/** A sentence with its times in seconds. */
export interface Timed extends Written {
  start: number;
  end: number;
}

/** A pause in the sound, in seconds. */
export interface Silence {
  start: number;
  end: number;
}

type Language = 'en' | 'es';

const PARAGRAPH_PAUSE = 1.5;
/** Captions without full stops make one endless sentence; so much of it is read at once. */
const MOST_AT_ONCE = 280;

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

interface Place {
  from: number;
  to: number;
  cue: Cue;
}

/** Puts cues together where one goes on in the next; each keeps its place in the whole text. */
function joined(cues: readonly Cue[]): { text: string; places: Place[] } {
  let text = '';
  const places = cues.map((cue) => {
    if (text !== '') text += ' ';
    const from = text.length;
    text += cue.text;
    return { from, to: text.length, cue };
  });
  return { text, places };
}

/** The time at a place of the text, by even speed within its cue. */
function timeAt(place: Place, offset: number): number {
  const { from, to, cue } = place;
  return cue.start + ((cue.end - cue.start) * (offset - from)) / Math.max(1, to - from);
}

/** Whether what has come together so far is a sentence, or as much as is read at once. */
const isEnough = (text: string) => /[.!?…]["'”’»)]*$/.test(text) || text.length > MOST_AT_ONCE;

/** Stretches of cues between full stops or long pauses. */
function stretches(cues: readonly Cue[]): Cue[][] {
  const all: Cue[][] = [];
  let length = 0;
  for (const cue of cues) {
    const current = all.at(-1);
    const last = current?.at(-1);
    const goesOn =
      last && length <= MOST_AT_ONCE && cue.start - last.end < PARAGRAPH_PAUSE && !isEnough(last.text);
    if (current && goesOn) {
      current.push(cue);
      length += cue.text.length;
    } else {
      all.push([cue]);
      length = cue.text.length;
    }
  }
  return all;
}

/** The sentences of a transcript, with its times. A long pause begins a paragraph. */
export function sentencesOfCues(cues: readonly Cue[], language: Language): Timed[] {
  const timed: Timed[] = [];
  let paragraph = 0;
  for (const stretch of stretches(cues)) {
    const { text, places } = joined(stretch);
    let offset = 0;
    for (const sentence of sentencesOf(text, language)) {
      const from = Math.max(offset, text.indexOf(sentence, offset));
      const to = from + sentence.length;
      offset = to;
      const first = places.findLast((place) => place.from <= from) ?? places[0];
      const last = places.findLast((place) => place.from < to) ?? places.at(-1);
      if (!first || !last) continue;
      const start = round(timeAt(first, from));
      const before = timed.at(-1);
      if (before && start - before.end >= PARAGRAPH_PAUSE) paragraph += 1;
      const end = Math.max(start, round(timeAt(last, Math.min(to, last.to))));
      timed.push({ text: sentence, translation: null, paragraph, chapter: null, start, end });
    }
  }
  return timed;
}

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const folded = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Each word of the cues with its times, by even speed within a cue. */
function heardWords(cues: readonly Cue[]) {
  return cues.flatMap((cue) => {
    const words = wordsIn(cue.text);
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    let said = 0;
    return words.map((word) => {
      const at = (share: number) => cue.start + (cue.end - cue.start) * (share / letters);
      const start = at(said);
      said += word.length;
      return { word: folded(word), start, end: at(said) };
    });
  });
}

interface Known {
  start: number;
  end: number;
}

/** A transcript of the same text has this share of its words; comparing two others must not take for ever. */
const LEAST_SHARE = 0.6;
const MOST_MISHEARD = 15_000;

/** The times of written words: of those that were heard, in order; undefined for the others. */
function matched(written: readonly string[], cues: readonly Cue[]): (Known | undefined)[] | undefined {
  const heard = heardWords(cues);
  const edits = diffArrays(
    heard.map(({ word }) => word),
    [...written],
    { maxEditLength: MOST_MISHEARD },
  );
  if (!edits) return undefined;
  const times: (Known | undefined)[] = [];
  let [at, here] = [0, 0];
  for (const { value, added, removed } of edits) {
    for (let word = 0; word < value.length; word += 1) {
      if (added) times[here++] = undefined;
      else if (removed) at += 1;
      else times[here++] = heard[at++];
    }
  }
  return times;
}

/**
 * Gives written sentences the times at which a transcript heard their words; words it heard otherwise lie between their
 * neighbours. Undefined where it tells another text.
 */
export function timedByCues(written: readonly Written[], cues: readonly Cue[]): Timed[] | undefined {
  const words = written.map(({ text }) => wordsIn(text).map(folded));
  const times = matched(words.flat(), cues);
  const found = times?.filter((time) => time !== undefined).length ?? 0;
  if (!times || found < LEAST_SHARE * times.length) return undefined;
  let at = 0;
  let before = cues[0]?.start ?? 0;
  return written.map((sentence, index) => {
    const [from, to] = [at, at + (words[index]?.length ?? 0)];
    at = to;
    const own = times.slice(from, to).filter((time) => time !== undefined);
    const next = times.slice(to).find((time) => time !== undefined);
    const start = Math.max(before, own[0]?.start ?? before);
    const end = Math.max(start, own.at(-1)?.end ?? next?.start ?? start);
    before = end;
    return { ...sentence, start: round(start), end: round(end) };
  });
}

/** A time at which one sentence may end and the next begin. */
interface Joint extends Silence {
  cost: number;
}

const EVEN_JOINT = 1.2;
/** How far from even speed a pause is looked for, and how many are weighed: a long book must not take for ever. */
const FURTHEST = 120;
const MOST_JOINTS = 80;
const joint = ({ start, end }: Silence): Joint => ({
  start,
  end,
  cost: -0.6 * Math.log(1 + 4 * (end - start)),
});

/** The pauses about a time, the longest of them where there are many. */
function pausesAbout(time: number, within: number, pauses: readonly Silence[]): Joint[] {
  const near = pauses.filter((pause) => Math.abs(pause.start - time) < within).map(joint);
  return near.sort((one, other) => one.cost - other.cost).slice(0, MOST_JOINTS);
}

/** Speaking costs time by the letter, and a breath besides. */
const weightOf = ({ text }: Written): number => text.length + 6;

/** Where each sentence would end at even speed. */
function evenEnds(written: readonly Written[], from: number, to: number): number[] {
  const weights = written.map(weightOf);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let said = 0;
  return weights.map((weight) => {
    said += weight;
    return from + ((to - from) * said) / all;
  });
}

interface Step {
  joint: Joint;
  cost: number;
  before: Step | undefined;
}

/** The cheapest way to a joint: sentences as long as their letters let expect, divided where it is silent. */
function cheapest(steps: readonly Step[], next: Joint, expected: number): Step | undefined {
  let best: Step | undefined;
  for (const before of steps) {
    const spoken = next.start - before.joint.end;
    if (spoken <= 0) continue;
    const stretch = Math.log(spoken / expected);
    const cost = before.cost + 8 * stretch * stretch + next.cost;
    if (!best || cost < best.cost) best = { joint: next, cost, before };
  }
  return best;
}

/**
 * Estimates when sentences are spoken: each about as long as its letters, divided at the pauses that fit best. In: the
 * sentences, the pauses of the audio in order (none where nobody listened for them), its seconds.
 */
export function estimated(
  written: readonly Written[],
  silences: readonly Silence[],
  duration: number,
): Timed[] {
  const [first] = silences;
  const last = silences.at(-1);
  const from = first && first.start < 0.05 ? first.end : 0;
  const to = last && last !== first && last.end > duration - 0.1 ? last.start : duration;
  const inner = silences.filter(({ start, end }) => start > from && end < to);
  const quiet = inner.reduce((sum, { start, end }) => sum + end - start, 0);
  const ends = evenEnds(written, from, to);
  const band = Math.min(FURTHEST, Math.max(10, (to - from) * 0.06));

  let steps: Step[] = [{ joint: { start: from, end: from, cost: 0 }, cost: 0, before: undefined }];
  written.forEach((_, index) => {
    const [begin = from, end = to] = [ends[index - 1], ends[index]];
    // Pauses are not speech, so the words themselves are a little faster than the whole.
    const expected = Math.max(0.05, (end - begin) * (1 - (0.8 * quiet) / (to - from)));
    const even = { start: end, end, cost: EVEN_JOINT };
    const near =
      index === written.length - 1
        ? [{ start: to, end: to, cost: 0 }]
        : [...pausesAbout(end, band, inner), even];
    const reached = near.flatMap((next) => cheapest(steps, next, expected) ?? []);
    // No joint lies behind the one before: the even division goes on from there.
    const [step] = steps;
    const behind = step && { joint: { ...step.joint, cost: 0 }, cost: step.cost + 50, before: step };
    steps = reached.length > 0 || !behind ? reached : [behind];
  });

  const joints: Joint[] = [];
  const end = steps.reduce<Step | undefined>(
    (best, step) => (!best || step.cost < best.cost ? step : best),
    undefined,
  );
  for (let step = end; step; step = step.before) joints.unshift(step.joint);
  return written.map((sentence, index) => ({
    ...sentence,
    start: round(joints[index]?.end ?? from),
    end: round(Math.max(joints[index]?.end ?? from, joints[index + 1]?.start ?? to)),
  }));
}
