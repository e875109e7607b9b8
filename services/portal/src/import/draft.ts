import type { Hints } from './facts.ts';
import type { TranscriptFormat } from './transcript.ts';

/** A recording with what belongs to it, in files on this machine. */
export interface Fetched {
  /** The file's path. */
  audio: string;
  text?: { content: string; format: 'markdown' | 'plain' };
  transcript?: { content: string; format: TranscriptFormat };
  picture?: Buffer;
}

/** A recording as somebody brings it, before it is made into a piece. */
export interface Draft {
  /** Where it comes from, the same in every run. */
  source: string;
  /** What people call it: its path in the folder, or its title in the feed. */
  name: string;
  /** Changes when any of it changes, without reading it all. */
  stamp: string;
  /** What is said of it, and what its name lets suppose where nothing is said. */
  hints: Hints;
  guess: Hints;
  /** Brings its files together. In: a folder of its own for what must be written. Throws `PieceFault`. */
  fetch(folder: string): Promise<Fetched>;
}

/** What lies at a place: drafts, and what is no draft and why. */
export interface Found {
  drafts: Draft[];
  failed: { name: string; reason: string }[];
}

/** What is let in, in bytes. */
export const limits = {
  audio: 2 * 2 ** 30,
  text: 2 * 2 ** 20,
  transcript: 8 * 2 ** 20,
  picture: 24 * 2 ** 20,
  feed: 16 * 2 ** 20,
} as const;
