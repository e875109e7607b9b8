/** Writes a drawing and its renderings, touching only what changed. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Svg } from './svg.ts';

/** A raster file to make from a drawing; the ending of its name says the format. */
export interface Rendering {
  file: string;
  width: number;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Writes `name`.svg and its renderings into the folder; gives back how many files were written. */
export async function publish(
  folder: string,
  name: string,
  drawing: Svg,
  renderings: readonly Rendering[],
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, `${name}.svg`);
  const before = await readFile(target, 'utf8').catch(() => '');
  const changed = before !== drawing;
  if (changed) await writeFile(target, drawing);
  let written = changed ? 1 : 0;
  for (const { file, width } of renderings) {
    const output = join(folder, file);
    if (!changed && (await exists(output))) continue;
    const native = Number(/viewBox="0 0 (\d+)/.exec(drawing)?.[1] ?? width);
    const image = sharp(Buffer.from(drawing), { density: 72 * Math.max(1, (width * 2) / native) }).resize({
      width,
    });
    await (file.endsWith('.avif')
      ? image.avif({ quality: 55, effort: 6 })
      : image.webp({ quality: 78, effort: 6 })
    ).toFile(output);
    written += 1;
  }
  return written;
}
