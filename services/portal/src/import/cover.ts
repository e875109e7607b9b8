import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { PieceFault } from '../library/source.ts';

/** A piece's pictures in the sizes that pages show. */
export interface Cover {
  image: string;
  artwork: string;
}

/** 12,000 by 12,000: larger ones are there to fill the memory. */
const MOST_PIXELS = 144_000_000;

/** Pictures that cannot carry scripts or point elsewhere, by their first bytes. */
const isPicture = (bytes: Buffer): boolean =>
  [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi[fs]/s, /^GIF8/].some((magic) =>
    magic.test(bytes.toString('latin1', 0, 16)),
  );

/** A picture for what came without one: the rings of listening, in colours that follow from its name. */
function drawn(name: string): Buffer {
  const hash = createHash('sha256').update(name).digest();
  const hue = Math.round((hash.readUInt8(0) / 256) * 360);
  const [x, y] = [240 + (hash.readUInt8(1) % 160), 240 + (hash.readUInt8(2) % 160)];
  const rings = [60, 130, 200, 270, 340, 410, 480].map(
    (radius, index) =>
      `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="hsl(${(hue + index * 9) % 360} 45% ${78 - index * 6}%)" stroke-width="${26 - index * 2}"/>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640" width="640" height="640"><rect width="640" height="640" fill="hsl(${hue} 40% 24%)"/>${rings.join('')}</svg>`,
  );
}

/**
 * Makes a piece's pictures. In: a picture as it was brought (JPEG, PNG, WebP, AVIF or GIF), or none, then one is drawn
 * that follows from the name; the folder to write into. Throws `PieceFault`.
 */
export async function coverOf(picture: Buffer | undefined, name: string, folder: string): Promise<Cover> {
  if (picture && !isPicture(picture)) throw new PieceFault('its picture is not JPEG, PNG, WebP, AVIF or GIF');
  const source = sharp(picture ?? drawn(name), { limitInputPixels: MOST_PIXELS, pages: 1 }).rotate();
  const [image, artwork] = [join(folder, 'cover-320.avif'), join(folder, 'cover-640.webp')];
  const square = (side: number) =>
    source.clone().resize(side, side, { fit: 'cover' }).flatten({ background: 'white' });
  try {
    await square(320).avif({ quality: 59, effort: 2 }).toFile(image);
    await square(640).webp({ quality: 78 }).toFile(artwork);
  } catch {
    throw new PieceFault('its picture cannot be read');
  }
  return { image, artwork };
}
