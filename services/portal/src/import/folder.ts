import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { ContentError } from '../catalogue-loader/article-files.ts';
import {
  describeReadError,
  maxBytes,
  type Recording,
  type RecordingFiles,
  type RecordingList,
  toFileSource,
} from './recording.ts';
import { decodeText } from './text.ts';

const toExtensions = (names: string): string[] => names.split(' ').map((name) => `.${name}`);

const audioExtensions = toExtensions('mp3 m4a m4b mp4 aac ogg oga opus flac wav aif aiff webm');
/** Formats of recordings that cannot be imported; they are reported instead of being ignored. */
const unsupportedAudioExtensions = toExtensions('wma mka mp2 mpga amr ape wv caf 3gp mov mkv avi');
const pictureExtensions = toExtensions('jpg jpeg png webp avif gif svg');
const archiveExtensions = toExtensions('zip rar 7z tar gz tgz bz2 xz');
const transcriptFormats = [
  ['.srt', 'srt'],
  ['.vtt', 'vtt'],
  ['.json', 'json'],
] as const;
const textFormats = [
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.txt', 'plain'],
] as const;
/** Names of a picture for all recordings of its folder. */
const folderPictureNames = ['cover', 'folder'];
const MAX_DEPTH = 12;
/** PostgreSQL cannot index much longer keys. */
const MAX_PATH_BYTES = 2600;

interface File {
  path: string;
  size: number;
  modified: number;
}

/** Returns the files below a folder by name; adds what is unreadable, too deep or links outside to `failed`. */
async function listFiles(root: string, failed: RecordingList['failed']): Promise<File[]> {
  function addFailed(path: string, reason: string): [] {
    failed.push({ name: relative(root, path), reason });
    return [];
  }

  async function readPath(path: string, depth: number): Promise<File[]> {
    const found = await lstat(path);
    if (found.isFile()) return [{ path, size: found.size, modified: found.mtimeMs }];
    if (found.isSymbolicLink()) {
      const real = await realpath(path).catch(() => '');
      // The target of a link inside the folder is listed anyway.
      return `${real}${sep}`.startsWith(root + sep) ? [] : addFailed(path, 'is a link out of the folder');
    }
    if (!found.isDirectory()) return addFailed(path, 'is neither a file nor a folder');
    if (depth > MAX_DEPTH) return addFailed(path, 'lies too deep');
    const files: File[] = [];
    for (const name of (await readdir(path)).filter((name) => !name.startsWith('.')).sort())
      files.push(...(await listPath(join(path, name), depth + 1)));
    return files;
  }

  const listPath = (path: string, depth: number): Promise<File[]> =>
    readPath(path, depth).catch((error: unknown) => {
      const reason = describeReadError(error);
      if (reason === undefined) throw error;
      return addFailed(path, reason);
    });

  return listPath(root, 0);
}

/** Returns a path without its extension, in lower case. File systems differ in how they compose accents. */
const toStem = (path: string): string =>
  path
    .slice(0, path.length - extname(path).length)
    .normalize('NFC')
    .toLowerCase();

const hasExtension = (path: string, extensions: readonly string[]) =>
  extensions.includes(extname(path).toLowerCase());

/** Returns whether a file has the name of a recording that can be imported. */
export const isRecording = (path: string): boolean => hasExtension(path, audioExtensions);

async function readText({ path, size }: File, max: number): Promise<string> {
  if (size > max) throw new ContentError(`${basename(path)} is larger than ${max / 2 ** 20} MB`);
  return decodeText(await readFile(path), basename(path));
}

/**
 * Returns the files that belong to a recording: those with the same name but for the extension, and a picture of the
 * folder.
 *
 * @param siblings - the files in the recording's folder
 */
function findSidecars(audio: File, siblings: readonly File[]) {
  const sameName = siblings.filter((file) => file !== audio && toStem(file.path) === toStem(audio.path));
  const folderPictures = siblings.filter(({ path }) => folderPictureNames.includes(basename(toStem(path))));
  function findByFormat<Format>(formats: readonly (readonly [extension: string, format: Format])[]) {
    for (const [extension, format] of formats) {
      const file = sameName.find(({ path }) => hasExtension(path, [extension]));
      if (file) return { file, format };
    }
    return undefined;
  }
  return {
    text: findByFormat(textFormats),
    transcript: findByFormat(transcriptFormats),
    picture: [...sameName, ...folderPictures].find(({ path }) => hasExtension(path, pictureExtensions)),
  };
}

function toRecording(root: string, audio: File, siblings: readonly File[]): Recording {
  const { text, transcript, picture } = findSidecars(audio, siblings);
  const files = [audio, text?.file, transcript?.file, picture].filter((file) => file !== undefined);
  const stamp = files.map(({ path, size, modified }) => `${relative(root, path)} ${size} ${modified}`);
  const readFormatted = async <Format>({ file, format }: { file: File; format: Format }, max: number) => ({
    content: await readText(file, max),
    format,
  });
  return {
    source: toFileSource(audio.path),
    name: relative(root, audio.path),
    stamp: createHash('sha256').update(stamp.join('\n')).digest('hex'),
    metadata: {},
    fallback: {
      title: basename(audio.path, extname(audio.path))
        .replace(/[_-]+/g, ' ')
        .replace(/^\d+[ .]+/, ''),
      published: new Date(audio.modified).toISOString(),
    },
    async fetch(): Promise<RecordingFiles> {
      if (audio.size === 0) throw new ContentError('is empty');
      if (audio.size > maxBytes.audio) throw new ContentError('is larger than 2 GB');
      if (picture && picture.size > maxBytes.picture)
        throw new ContentError('its picture is larger than 24 MB');
      return {
        audio: audio.path,
        ...(text && { text: await readFormatted(text, maxBytes.text) }),
        ...(transcript && { transcript: await readFormatted(transcript, maxBytes.transcript) }),
        ...(picture && { picture: await readFile(picture.path) }),
      };
    },
  };
}

/** Returns why a file that is no recording cannot be imported; undefined for files that are ignored or used otherwise. */
function getRejection(path: string, recordingStems: ReadonlySet<string>): string | undefined {
  if (hasExtension(path, archiveExtensions)) return 'is an archive: unpack it, and import what is in it';
  if (hasExtension(path, unsupportedAudioExtensions))
    return 'is a kind of recording that is not read: make an MP3 or M4A of it';
  if (hasExtension(path, ['.srt', '.vtt']) && !recordingStems.has(toStem(path)))
    return 'belongs to no audio of the same name';
  return undefined;
}

/** Finds recordings in a folder and its subfolders, with the files beside them that have the same name. */
export async function findRecordings(folder: string): Promise<RecordingList> {
  const root = await realpath(folder);
  const failed: RecordingList['failed'] = [];
  const files = await listFiles(root, failed);
  const audioByStem = new Map<string, File>();
  const filesByFolder = new Map<string, File[]>();
  for (const file of files) {
    const siblings = filesByFolder.get(dirname(file.path));
    if (siblings) siblings.push(file);
    else filesByFolder.set(dirname(file.path), [file]);
    if (!isRecording(file.path)) continue;
    if (Buffer.byteLength(file.path) > MAX_PATH_BYTES) {
      failed.push({ name: relative(root, file.path), reason: 'has a path that is too long' });
      continue;
    }
    const existing = audioByStem.get(toStem(file.path));
    if (!existing) audioByStem.set(toStem(file.path), file);
    else
      failed.push({
        name: relative(root, file.path),
        reason: `has the name of ${basename(existing.path)}`,
      });
  }
  const stems = new Set(audioByStem.keys());
  for (const { path } of files) {
    const reason = getRejection(path, stems);
    if (reason !== undefined) failed.push({ name: relative(root, path), reason });
  }
  const recordings = [...audioByStem.values()].map((audio) =>
    toRecording(root, audio, filesByFolder.get(dirname(audio.path)) ?? []),
  );
  return { recordings, failed };
}
