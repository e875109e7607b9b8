/** Looks the finished library over, without any of the programs that made it. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { durationOf } from './narrate-mp3.ts';
import { describe, type Piece, readPiece } from './narrate-piece.ts';
import { readSources, type SourceText } from './source.ts';

/** The whole of content/library stays below this. */
const mostBytes = 40_000_000;
const minutes = { least: 1, most: 4 };
const playlistPieces = { least: 4, most: 12 };

/** What was found; a fault must be mended. */
export interface Findings {
  faults: string[];
  pieces: number;
  bytes: number;
}

interface Playlist {
  key: string;
  name: string;
  titles: { en?: string; es?: string };
  pieces: string[];
}

/** In: a piece. Out: the same without its times and measurements, as text, to compare. */
function bones(piece: Piece): string {
  return JSON.stringify({
    ...piece,
    duration: 0,
    audio: { ...piece.audio, loudness: 0 },
    chapters: piece.chapters.map((chapter) => ({ ...chapter, start: 0 })),
    pages: piece.pages.map((page) => ({ ...page, start: 0 })),
    sentences: piece.sentences.map((sentence) => ({ ...sentence, start: 0, end: 0 })),
  });
}

/** In: a piece. Out: what is wrong with its times. */
function timeFaults({ sentences, chapters, pages, duration }: Piece): string[] {
  const faults: string[] = [];
  let before = 0;
  for (const [i, { start, end }] of sentences.entries()) {
    if (!(start > before && end > start))
      faults.push(`sentence ${i + 1} stands at ${start}-${end}, after ${before}`);
    before = end;
  }
  if (!(before < duration)) faults.push(`the last sentence ends at ${before}, the sound at ${duration}`);
  for (const [i, { start }] of [...chapters, ...pages].entries()) {
    const own = sentences.filter((sentence) => (sentence.chapter ?? sentence.page) === i);
    const last = sentences.findLast((sentence) => (sentence.chapter ?? sentence.page ?? 0) < i);
    const fits = start <= (own[0]?.start ?? -1) && start >= (last?.end ?? 0);
    if (!fits) faults.push(`section ${i + 1} does not begin between its neighbours' sentences`);
  }
  return faults;
}

/** In: a text and the library's folder. Out: the faults of its piece and the length of its sound. */
async function pieceFaults(
  text: SourceText,
  library: string,
): Promise<{ faults: string[]; duration: number }> {
  const piece = await readPiece(library, text.slug);
  if (!piece) return { faults: ['there is no piece.json'], duration: 0 };
  const faults = timeFaults(piece);
  if (bones(piece) !== bones(describe(text)))
    faults.push('piece.json is not of this text or of this tool: narrate it again');
  try {
    const sound = durationOf(await readFile(join(library, text.slug, piece.audio.file)));
    if (Math.abs(sound - piece.duration) > 0.001)
      faults.push(`the sound lasts ${sound} s, piece.json says ${piece.duration} s`);
  } catch (error) {
    faults.push(`audio: ${(error as Error).message}`);
  }
  if (Math.abs(piece.audio.loudness + 18) > 1)
    faults.push(`it is ${piece.audio.loudness} LUFS loud, not about -18`);
  return { faults, duration: piece.duration };
}

/** In: the playlists' JSON and the known texts. Out: what is wrong with them. */
function playlistFaults(json: string, texts: readonly SourceText[]): string[] {
  const playlists = JSON.parse(json) as Playlist[];
  const faults: string[] = [];
  if (new Set(playlists.map(({ key }) => key)).size !== playlists.length)
    faults.push('two playlists have one key');
  if (playlists[0]?.key !== 'latest') faults.push('the first playlist is not "latest"');
  for (const { key, name, titles, pieces } of playlists) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key)) faults.push(`playlist ${key}: the key is not kebab-case`);
    if (!titles.en || !titles.es || name !== titles.en) faults.push(`playlist ${key}: a name is missing`);
    const unknown = pieces.filter((slug) => !texts.some((text) => text.slug === slug));
    if (unknown.length > 0) faults.push(`playlist ${key}: there is no ${unknown.join(', ')}`);
    if (new Set(pieces).size !== pieces.length) faults.push(`playlist ${key}: a piece is in it twice`);
    if (pieces.length < playlistPieces.least || pieces.length > playlistPieces.most) {
      faults.push(`playlist ${key}: ${pieces.length} pieces`);
    }
  }
  const newest = texts
    .filter(({ kind }) => kind === 'article')
    .sort((a, b) => b.published.localeCompare(a.published))
    .slice(0, playlistPieces.most)
    .map(({ slug }) => slug);
  if (playlists[0] && playlists[0].pieces.join() !== newest.join())
    faults.push('playlist latest: not the newest articles, newest first');
  return faults;
}

/** In: a folder. Out: how many bytes its files hold. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((e) => e.isFile()).map((e) => stat(join(e.parentPath, e.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** In: the content folder. Out: everything that is wrong in its texts, its library and its playlists. */
export async function checkLibrary(content: string): Promise<Findings> {
  const library = join(content, 'library');
  const texts = readSources(join(content, 'texts'));
  const faults: string[] = [];
  for (const text of texts) {
    const found = await pieceFaults(text, library);
    faults.push(...found.faults.map((fault) => `${text.slug}: ${fault}`));
    const outside = found.duration < 60 * minutes.least || found.duration > 60 * minutes.most;
    if (outside)
      faults.push(`${text.slug}: ${found.duration} s is not ${minutes.least} to ${minutes.most} minutes`);
  }
  const days = new Set(texts.map(({ published }) => published));
  if (days.size !== texts.length) faults.push('two texts were published on one day');
  const folders = await readdir(library, { withFileTypes: true });
  for (const { name } of folders.filter((entry) => entry.isDirectory())) {
    const orphan = (await readPiece(library, name)) !== null && !texts.some(({ slug }) => slug === name);
    if (orphan) faults.push(`${name}: a piece without a text`);
  }
  const bytes = await bytesIn(library);
  if (bytes >= mostBytes) faults.push(`the library holds ${bytes} bytes, more than ${mostBytes}`);
  const playlists = await readFile(join(content, 'playlists.json'), 'utf8').catch(() => null);
  if (playlists === null) faults.push('there is no playlists.json');
  else faults.push(...playlistFaults(playlists, texts));
  return { faults, pieces: texts.length, bytes };
}
