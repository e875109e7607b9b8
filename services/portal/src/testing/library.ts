import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that look like the beginning of an MP3 and differ at every place and for every seed. */
export function mp3(seed: number, size = 4096): Buffer {
  const bytes = Buffer.alloc(size, 0);
  for (let at = 0; at < size; at += 1) bytes.writeUInt8((at * 7 + seed * 31 + (at >> 8)) % 256, at);
  bytes.write('ID3', 0);
  return bytes;
}

const sentence = (text: string, start: number) => ({
  text,
  translation: `(${text})`,
  start,
  end: start + 1.5,
  paragraph: 0,
  chapter: null,
  page: null,
});

/** A article.json that is right; `changes` make it another, or a wrong one. */
export function pieceOf(slug: string, changes: Record<string, unknown> = {}) {
  return {
    slug,
    title: `The ${slug}`,
    language: 'en',
    translationLanguage: 'es',
    level: 'B1',
    kind: 'article',
    topic: 'travel',
    summary: `All about the ${slug}.`,
    published: '2026-09-14',
    narrator: { name: 'Amelia', image: 'narrators/amelia.avif' },
    duration: 100.5,
    audio: { file: 'audio.mp3', codec: 'mp3', bitrate: 48000, sampleRate: 24000, loudness: -18 },
    chapters: [],
    pages: [],
    sentences: [sentence('The first sentence.', 0), sentence('The second sentence.', 1.5)],
    ...changes,
  };
}

/** Writes a piece with small files into a content directory. */
export async function writePiece(directory: string, slug: string, changes: Record<string, unknown> = {}) {
  const folder = join(directory, 'library', slug);
  await mkdir(folder, { recursive: true });
  await mkdir(join(directory, 'library', 'narrators'), { recursive: true });
  const piece = pieceOf(slug, changes);
  const seed = [...slug].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  await writeFile(join(folder, 'article.json'), JSON.stringify(piece));
  await writeFile(join(folder, 'audio.mp3'), mp3(seed));
  await writeFile(join(folder, 'cover-320.avif'), `small cover of ${slug}`);
  await writeFile(join(folder, 'cover-640.webp'), `large cover of ${slug}`);
  for (const name of ['page-01', 'page-02'])
    await writeFile(join(folder, `${name}.avif`), `${name} of ${slug}`);
  await writeFile(join(directory, 'library', 'narrators', 'amelia.avif'), 'portrait of amelia');
}

export async function writePlaylists(directory: string, entries: unknown) {
  await writeFile(join(directory, 'playlists.json'), JSON.stringify(entries));
}

/** Three articles, an audiobook and a visual book; 'Latest articles', 'Travel' and an empty playlist. */
export async function writeLibrary(directory: string): Promise<void> {
  await writePiece(directory, 'night-ferry');
  await writePiece(directory, 'green-door', { published: '2026-09-15', level: 'A2' });
  await writePiece(directory, 'el-gato', { language: 'es', translationLanguage: 'en' });
  await writePiece(directory, 'long-walk', {
    kind: 'audiobook',
    duration: 4000,
    chapters: [{ title: 'One', start: 0 }],
    sentences: [{ ...sentence('It began.', 0), chapter: 0 }],
  });
  await writePiece(directory, 'picture-book', {
    kind: 'visual-book',
    pages: [
      { title: 'Morning', picture: 'page-01', alt: 'A hill', start: 0 },
      { title: 'Evening', picture: 'page-02', alt: 'A lake', start: 2 },
    ],
    sentences: [
      { ...sentence('Good morning.', 0), page: 0 },
      { ...sentence('Good night.', 2), page: 1 },
    ],
  });
  await writePlaylists(directory, [
    {
      key: 'latest',
      name: 'Latest articles',
      titles: { en: 'Latest articles', es: 'Últimos artículos' },
      articles: ['night-ferry', 'green-door', 'el-gato', 'long-walk', 'picture-book'],
    },
    {
      key: 'travel',
      name: 'Travel',
      titles: { en: 'Travel', es: 'Viajes' },
      articles: ['green-door', 'night-ferry'],
    },
    { key: 'later', name: 'Later', titles: { en: 'Later', es: 'Más tarde' }, articles: [] },
  ]);
}
