/**
 * Draws apps/web/public/share.png, the picture that messengers show of a shared link (Open Graph, 1200 × 630), from the
 * mark and covers of the demo library. Run it after one of them has changed: `npm run share-picture`.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { findChromium } from '../scripts/chromium.mjs';
import { browserArgs } from './support/browser.ts';
import { readArguments } from './support/command-line.ts';

readArguments('npm run share-picture\n\nDraws apps/web/public/share.png again.', {});

const covers = [
  'el-gallo-de-la-azotea',
  'el-puente-que-se-teje-cada-ano',
  'the-bus-that-stayed',
  'the-tape-on-shelf-nine',
  'la-palabra-equivocada',
  'la-luna-en-el-balde',
];

const library = new URL('../content/library/', import.meta.url);
const target = fileURLToPath(new URL('../apps/web/public/share.png', import.meta.url));
const font = createRequire(import.meta.url).resolve(
  '@fontsource/fraunces/files/fraunces-latin-600-normal.woff2',
);

async function toDataUrl(path: string | URL, type: string): Promise<string> {
  return `data:${type};base64,${(await readFile(path)).toString('base64')}`;
}

const drawing = 'image/svg+xml';
const mark = await toDataUrl(new URL('brand/mark.svg', library), drawing);
const images = await Promise.all(
  covers.map((slug) => toDataUrl(new URL(`${slug}/cover.svg`, library), drawing)),
);
const SIZE = 186;
const tiles = images.map((image, index) => {
  const x = 560 + (index % 3) * (SIZE + 18);
  const y = 120 + Math.floor(index / 3) * (SIZE + 18);
  return `<image href="${image}" x="${x}" y="${y}" width="${SIZE}" height="${SIZE}" style="clip-path: inset(0 round 20px)"/>`;
});
const rings = Array.from({ length: 12 }, (_, index) => {
  const opacity = Math.max(0.08, 0.6 - index * 0.045);
  return `<circle cx="80" cy="600" r="${70 + index * 58}" opacity="${opacity}"/>`;
});
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
  <defs><radialGradient id="ground" cx="0.1" cy="0.95" r="0.9">
    <stop offset="0" stop-color="#3a1f22"/><stop offset="0.7" stop-color="#0b0e18"/>
  </radialGradient></defs>
  <rect width="1200" height="630" fill="url(#ground)"/>
  <g fill="none" stroke="#f76d52" stroke-width="2">${rings.join('')}</g>
  ${tiles.join('')}
  <image href="${mark}" x="88" y="196" width="104" height="104"/>
  <text x="84" y="410" font-family="Wordmark" font-size="100" font-weight="600" letter-spacing="-2" fill="#f4f1ea">Escucho</text>
</svg>`;

const browser = await chromium.launch({ executablePath: String(await findChromium()), args: browserArgs });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
const face = await toDataUrl(font, 'font/woff2');
await page.setContent(
  `<style>@font-face { font-family: Wordmark; font-weight: 100 900; src: url(${face}) } body { margin: 0 }</style>${picture}`,
);
await page.evaluate(() => document.fonts.ready);
const screenshot = await page.screenshot();
await browser.close();
await sharp(screenshot).png({ palette: true, quality: 90, effort: 10 }).toFile(target);
