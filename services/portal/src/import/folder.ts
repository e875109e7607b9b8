import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { PieceFault } from '../library/source.ts';
import { type Draft, type Fetched, type Found, limits } from './draft.ts';
import { decoded } from './text.ts';
import { unreadable } from './unreadable.ts';

const audioExtensions = [
  '.mp3',
  '.m4a',
  '.m4b',
  '.mp4',
  '.aac',
  '.ogg',
  '.oga',
  '.opus',
  '.flac',
  '.wav',
  '.aif',
  '.aiff',
  '.webm',
];
/** What people also keep recordings in; whoever brings one is told, not left to wonder. */
const otherAudio = [
  '.wma',
  '.mka',
  '.mp2',
  '.mpga',
  '.amr',
  '.ape',
  '.wv',
  '.caf',
  '.3gp',
  '.mov',
  '.mkv',
  '.avi',
];
const pictureExtensions = ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif', '.svg'];
const transcripts = [
  ['.srt', 'srt'],
  ['.vtt', 'vtt'],
  ['.json', 'json'],
] as const;
const texts = [
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.txt', 'plain'],
] as const;
const archives = ['.zip', '.rar', '.7z', '.tar', '.gz', '.tgz', '.bz2', '.xz'];
const sharedPictures = ['cover', 'folder'];
const DEEPEST = 12;

interface File {
  path: string;
  size: number;
  modified: number;
}

/** The files below a folder, in the order of their names; what cannot be read, leads out of it or lies too deep is named. */
async function walk(root: string, failed: Found['failed']): Promise<File[]> {
  const fail = (path: string, reason: string) => void failed.push({ name: relative(root, path), reason });

  /** What can be asked of the disk, or nothing where it cannot be read, which is named. */
  async function readable<Result>(path: string, ask: Promise<Result>): Promise<Result | undefined> {
    return ask.catch((error: unknown) => {
      const reason = unreadable(error);
      if (reason === undefined) throw error;
      fail(path, reason);
      return undefined;
    });
  }

  async function at(path: string, depth: number): Promise<File[]> {
    const found = await readable(path, lstat(path));
    if (found?.isFile()) return [{ path, size: found.size, modified: found.mtimeMs }];
    if (found?.isSymbolicLink()) {
      const real = await realpath(path).catch(() => '');
      // A link inside leads to what is read anyway.
      if (!`${real}${sep}`.startsWith(root + sep)) fail(path, 'is a link out of the folder');
      return [];
    }
    if (found && !found.isDirectory()) fail(path, 'is neither a file nor a folder');
    if (!found?.isDirectory()) return [];
    if (depth <= DEEPEST) return within(path, depth);
    fail(path, 'lies too deep');
    return [];
  }

  async function within(folder: string, depth: number): Promise<File[]> {
    const names = (await readable(folder, readdir(folder))) ?? [];
    const files: File[] = [];
    for (const name of names.filter((name) => !name.startsWith('.')).sort())
      files.push(...(await at(join(folder, name), depth + 1)));
    return files;
  }

  return within(root, 0);
}

/** A path without its extension; accents may be written in two ways, and systems differ in theirs. */
const stemOf = (path: string): string =>
  path
    .slice(0, path.length - extname(path).length)
    .normalize('NFC')
    .toLowerCase();
const isOneOf = (path: string, extensions: readonly string[]) =>
  extensions.includes(extname(path).toLowerCase());

/** A text in UTF-8. Throws `PieceFault`, which names the file. */
async function readText({ path, size }: File, most: number): Promise<string> {
  if (size > most) throw new PieceFault(`${basename(path)} is larger than ${most / 2 ** 20} MB`);
  return decoded(await readFile(path), basename(path));
}

/** What belongs to a recording by its name: the same but for the extension, and a picture of the folder. In: that folder's files. */
function sidecarsOf(audio: File, files: readonly File[]) {
  const own = files.filter((file) => file !== audio && stemOf(file.path) === stemOf(audio.path));
  const besides = files.filter(({ path }) => sharedPictures.includes(basename(stemOf(path))));
  const byExtension = (extension: string) => own.find(({ path }) => isOneOf(path, [extension]));
  const picture = [...own, ...besides].find(({ path }) => isOneOf(path, pictureExtensions));
  const [text] = texts.flatMap(([extension, format]) => {
    const file = byExtension(extension);
    return file ? [{ file, format }] : [];
  });
  const [transcript] = transcripts.flatMap(([extension, format]) => {
    const file = byExtension(extension);
    return file ? [{ file, format }] : [];
  });
  return { text, transcript, picture };
}

function draftOf(root: string, audio: File, files: readonly File[]): Draft {
  const { text, transcript, picture } = sidecarsOf(audio, files);
  const all = [audio, text?.file, transcript?.file, picture].filter((file) => file !== undefined);
  const stamp = all.map(({ path, size, modified }) => `${relative(root, path)} ${size} ${modified}`);
  return {
    source: `file:${audio.path}`,
    name: relative(root, audio.path),
    stamp: createHash('sha256').update(stamp.join('\n')).digest('hex'),
    hints: {},
    guess: {
      title: basename(audio.path, extname(audio.path))
        .replace(/[_-]+/g, ' ')
        .replace(/^\d+[ .]+/, ''),
      published: new Date(audio.modified).toISOString(),
    },
    async fetch(): Promise<Fetched> {
      if (audio.size === 0) throw new PieceFault('is empty');
      if (audio.size > limits.audio) throw new PieceFault('is larger than 2 GB');
      if (picture && picture.size > limits.picture) throw new PieceFault('its picture is larger than 24 MB');
      return {
        audio: audio.path,
        ...(text && { text: { content: await readText(text.file, limits.text), format: text.format } }),
        ...(transcript && {
          transcript: {
            content: await readText(transcript.file, limits.transcript),
            format: transcript.format,
          },
        }),
        ...(picture && { picture: await readFile(picture.path) }),
      };
    },
  };
}

/** Finds recordings in a folder and below it, with what lies beside them by the same name. In: the folder's path. */
export async function draftsInFolder(folder: string): Promise<Found> {
  const root = await realpath(folder);
  const failed: Found['failed'] = [];
  const files = await walk(root, failed);
  const recordings = files.filter(({ path }) => isOneOf(path, audioExtensions));
  const stems = new Map<string, File>();
  for (const file of recordings) {
    const twin = stems.get(stemOf(file.path));
    if (twin)
      failed.push({ name: relative(root, file.path), reason: `has the name of ${basename(twin.path)}` });
    else stems.set(stemOf(file.path), file);
  }
  for (const { path } of files) {
    const name = relative(root, path);
    if (isOneOf(path, archives))
      failed.push({ name, reason: 'is an archive: unpack it, and import what is in it' });
    if (isOneOf(path, otherAudio))
      failed.push({ name, reason: 'is a kind of recording that is not read: make an MP3 or M4A of it' });
    if (isOneOf(path, ['.srt', '.vtt']) && !stems.has(stemOf(path)))
      failed.push({ name, reason: 'belongs to no audio of the same name' });
  }
  // What belongs together lies in one folder; looking for it among all files would take for ever.
  const beside = new Map<string, File[]>();
  for (const file of files) {
    const others = beside.get(dirname(file.path));
    if (others) others.push(file);
    else beside.set(dirname(file.path), [file]);
  }
  const drafts = [...stems.values()].map((audio) =>
    draftOf(root, audio, beside.get(dirname(audio.path)) ?? []),
  );
  return { drafts, failed };
}
