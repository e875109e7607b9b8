/**
 * Renders the drawings of content/library (SVG) into the AVIF and WebP files that the portal serves. Renders only those
 * that are missing; delete a rendering to make it again after its drawing has changed.
 * Run from the repository's root: `npx tsx content/tool/render.ts [slug…]`.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { reportError } from './programs.ts';

const library = fileURLToPath(new URL('../library', import.meta.url));

/** Renderings of a drawing: the suffix of the file's name, and the width in pixels. */
const renderings = {
  cover: [
    ['-320.avif', 320],
    ['-640.webp', 640],
  ],
  page: [
    ['.avif', 1024],
    ['.webp', 1024],
  ],
  portrait: [['.avif', 160]],
} as const;

async function renderDrawing(svgPath: string, kind: keyof typeof renderings): Promise<number> {
  const svg = await readFile(svgPath);
  const viewBoxWidth = Number(/viewBox="0 0 (\d+)/.exec(svg.toString())?.[1]);
  let written = 0;
  for (const [suffix, width] of renderings[kind]) {
    const target = svgPath.replace(/\.svg$/, suffix);
    if (await stat(target).catch(() => undefined)) continue;
    const density = 72 * Math.max(1, (width * 2) / (viewBoxWidth || width));
    const image = sharp(svg, { density }).resize({ width });
    const encoded = target.endsWith('.avif')
      ? image.avif({ quality: 55, effort: 6 })
      : image.webp({ quality: 78, effort: 6 });
    await encoded.toFile(target);
    written += 1;
  }
  return written;
}

async function renderFolders(requested: readonly string[]): Promise<void> {
  const folders = (await readdir(library)).filter((name) => name !== 'brand');
  const unknown = requested.filter((folder) => !folders.includes(folder));
  if (unknown.length > 0) throw new Error(`There is no folder ${unknown.join(', ')} in ${library}.`);
  let written = 0;
  for (const folder of requested.length > 0 ? requested : folders) {
    const names = await readdir(join(library, folder));
    for (const name of names.filter((file) => file.endsWith('.svg')).sort()) {
      const kind = folder === 'narrators' ? 'portrait' : name === 'cover.svg' ? 'cover' : 'page';
      written += await renderDrawing(join(library, folder, name), kind);
    }
  }
  console.log(`${written} files written`);
}

await renderFolders(process.argv.slice(2)).catch(reportError);
