/**
 * Draws the library's pictures: covers, visual books' pages, narrators' portraits and the product's sign.
 * In: content/texts/*.md and the compositions in ./art. Out: SVG, AVIF and WebP in content/library.
 * Run from the project's root: `npx tsx content/tool/art.ts [slug…]`; without slugs everything is drawn. Only what changed is written.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { books } from './art/books/index.ts';
import { fallbackCover } from './art/covers/fallback.ts';
import { covers } from './art/covers/index.ts';
import { mark } from './art/mark.ts';
import { portraits } from './art/portraits.ts';
import { publish, type Rendering } from './art/publish.ts';
import { parseSource } from './source.ts';

const texts = 'content/texts';
const library = 'content/library';

/** The pictures of one piece: its cover and, for a visual book, each of its pages. */
async function drawPiece(slug: string): Promise<number> {
  const { topic, kind, sections } = parseSource(slug, await readFile(join(texts, `${slug}.md`), 'utf8'));
  const folder = join(library, slug);
  const cover = covers[slug]?.() ?? fallbackCover(slug, topic);
  let written = await publish(folder, 'cover', cover, [
    { file: 'cover-320.avif', width: 320 },
    { file: 'cover-640.webp', width: 640 },
  ]);
  if (!covers[slug]) console.warn(`${slug}: no cover of its own, drew one for ${topic}`);
  const pages = books[slug] ?? [];
  const wanted = kind === 'visual-book' ? sections.length : 0;
  if (wanted !== pages.length)
    throw new Error(`${slug}: the text has ${wanted} pages, ${pages.length} are drawn`);
  for (const [i, page] of pages.entries()) {
    const name = `page-${String(i + 1).padStart(2, '0')}`;
    const sizes: Rendering[] = [
      { file: `${name}.avif`, width: 1024 },
      { file: `${name}.webp`, width: 1024 },
    ];
    written += await publish(folder, name, page(), sizes);
  }
  return written;
}

/** What belongs to no piece: portraits and the sign. */
async function drawShared(): Promise<number> {
  let written = await publish(join(library, 'brand'), 'mark', mark(), []);
  for (const [name, portrait] of Object.entries(portraits)) {
    written += await publish(join(library, 'narrators'), name, portrait, [
      { file: `${name}.avif`, width: 160 },
    ]);
  }
  return written;
}

const asked = process.argv.slice(2);
const slugs = asked.length
  ? asked
  : (await readdir(texts))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -3))
      .sort();
let written = asked.length ? 0 : await drawShared();
for (const slug of slugs) written += await drawPiece(slug);
console.log(`${slugs.length} pieces drawn, ${written} files written`);
