import { getErrorCode } from '@escucho/database';
import type { Metadata } from './metadata.ts';
import type { TranscriptFormat } from './text.ts';

/** The files of a recording, on this machine. */
export interface RecordingFiles {
  /** The path of the audio file. */
  audio: string;
  text?: { content: string; format: 'markdown' | 'plain' };
  transcript?: { content: string; format: TranscriptFormat };
  picture?: Buffer;
}

/** A recording in a folder or a feed that can be imported. */
export interface Recording {
  /** Where it comes from, the same in every run. */
  source: string;
  /** The source that earlier versions gave it, which recordings of other feeds may have had, too. */
  formerSource?: string;
  /** Its path in the folder, or its title in the feed; for messages. */
  name: string;
  /** Changes when any of its files changes; computed without reading them. */
  stamp: string;
  metadata: Metadata;
  /** Metadata derived from the name and date of the file, for fields that nothing else provides. */
  fallback: Metadata;
  /**
   * Reads or downloads its files.
   *
   * @param folder - an empty folder for downloads
   * @throws ContentError when a file is missing, too large or unreadable.
   */
  fetch(folder: string): Promise<RecordingFiles>;
}

/** The recordings of a folder or feed, and the entries that cannot be imported. */
export interface RecordingList {
  recordings: Recording[];
  /** How the sources of all episodes of the feed begin; undefined for a folder. */
  sourcePrefix?: string;
  failed: { name: string; reason: string }[];
}

export const maxBytes = {
  audio: 2 * 2 ** 30,
  text: 2 * 2 ** 20,
  transcript: 8 * 2 ** 20,
  picture: 24 * 2 ** 20,
  feed: 16 * 2 ** 20,
} as const;

const unreadableCodes = ['EACCES', 'EPERM', 'ENOENT', 'EISDIR', 'EIO', 'ELOOP'];

/** Returns why a file cannot be read when the error concerns only this file, or undefined for any other error. */
export function describeReadError(error: unknown): string | undefined {
  const code = getErrorCode(error) ?? '';
  return unreadableCodes.includes(code) ? `cannot be read (${code})` : undefined;
}

const FILE_PREFIX = 'file:';

/** Returns the source of the recording in a file. */
export const toFileSource = (path: string): string => FILE_PREFIX + path;

/** Returns the path of the file that a source names; undefined for an episode of a feed. */
export const findFilePath = (source: string): string | undefined =>
  source.startsWith(FILE_PREFIX) ? source.slice(FILE_PREFIX.length) : undefined;
