import { parseText } from 'media-captions';
import * as z from 'zod/mini';
import { PieceFault } from '../library/source.ts';
import { oneLine, plainOf, refuseScripts } from './text.ts';

/** A stretch of speech by its times in seconds. */
export interface Cue {
  text: string;
  start: number;
  end: number;
}

export type TranscriptFormat = 'srt' | 'vtt' | 'json';

const time = z.number().check(z.nonnegative());
// As podcasts publish them, and as Whisper writes them.
const published = z.object({ startTime: time, endTime: z.optional(time), body: z.string() });
const written = z.object({ start: time, end: time, text: z.string() });
const jsonTranscript = z.object({ segments: z.array(z.union([published, written])) });

function cuesOfJson(text: string): Cue[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new PieceFault('its transcript is not JSON');
  }
  const read = jsonTranscript.safeParse(data);
  if (!read.success) throw new PieceFault('its transcript has no segments with times and words');
  return read.data.segments.map((segment, index, all) => {
    if ('text' in segment) return segment;
    const next = all[index + 1];
    const following = next && ('text' in next ? next.start : next.startTime);
    const { startTime: start, endTime: end = following ?? start, body: text } = segment;
    return { start, end, text };
  });
}

/** The parser takes the longer for a cue the more came before it: 60,000 at once keep all else waiting for a minute. */
const BLOCKS_AT_ONCE = 500;

async function cuesOfCaptions(text: string, type: 'srt' | 'vtt'): Promise<Cue[]> {
  const blocks = text.split(/\n\s*\n/);
  const cues: Cue[] = [];
  for (let from = 0; from < blocks.length; from += BLOCKS_AT_ONCE) {
    const header = type === 'vtt' && from > 0 ? ['WEBVTT'] : [];
    const some = [...header, ...blocks.slice(from, from + BLOCKS_AT_ONCE)].join('\n\n');
    for (const { text, startTime: start, endTime: end } of (await parseText(some, { type })).cues)
      cues.push({ text: plainOf(text.replace(/<[^<>]*>/g, '')), start, end });
  }
  return cues;
}

/**
 * Reads a transcript with times: SubRip, WebVTT, or JSON as podcasts publish it and Whisper writes it. Out: its cues in
 * the order of their times, those without words left out. Throws `PieceFault`.
 */
export async function cuesOf(text: string, format: TranscriptFormat): Promise<Cue[]> {
  refuseScripts(text, 'its transcript');
  const all = format === 'json' ? cuesOfJson(text) : await cuesOfCaptions(text, format);
  const cues = all
    .map(({ text, start, end }) => ({ text: oneLine(text), start, end: Math.max(start, end) }))
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.start - other.start);
  if (cues.length === 0) throw new PieceFault('its transcript holds no words with times');
  return cues;
}
