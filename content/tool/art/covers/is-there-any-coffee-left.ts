import { echo, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, path, picture, poly, rect, repeat, type Svg, stroke } from '../svg.ts';

/** The pot in coarse grey squares: s steam, d dark glass, l light, c coffee, h handle. */
const pixels = [
  '....s..s..s...',
  '...s..s..s....',
  '....s..s..s...',
  '..............',
  '...dddddd.....',
  '...dlllldhhh..',
  '..dlllllld.h..',
  '..dlccccld.h..',
  '.dlccccccld h.',
  '.dccccccccdhh.',
  '.dccccccccd...',
  '..dccccccd....',
  '...dddddd.....',
];

/** An old grey screen with a pot on it, watched from all over the world, and a lamp left on beside it. */
export function cover(): Svg {
  const tone: Readonly<Record<string, string>> = {
    s: '#8d93a0',
    d: '#4b5160',
    l: '#d9dde3',
    c: '#2b2f3b',
    h: '#4b5160',
  };
  const ground = rect(0, 0, 640, 640, c.berry) + echo(534, 250, 96, 44, 12, '#8d2a54', 14);
  const desk = rect(0, 540, 640, 100, c.umber) + rect(0, 536, 640, 14, c.ochre);
  const box =
    rect(58, 96, 400, 366, c.stone, 34) +
    rect(58, 424, 400, 38, '#b9a582', 19) +
    rect(90, 128, 336, 286, '#3a3f4c', 24) +
    rect(106, 142, 304, 258, '#aeb4bf', 12);
  const image = pixels
    .map((row, y) =>
      [...row]
        .map((mark, x) => (tone[mark] ? rect(112 + x * 21, 150 + y * 19, 21.4, 19.4, tone[mark] ?? '') : ''))
        .join(''),
    )
    .join('');
  const scan = repeat(9, (i) => rect(106, 148 + i * 29, 304, 4, '#a1a7b3'));
  const stand =
    poly(
      [
        [206, 462],
        [310, 462],
        [346, 536],
        [170, 536],
      ],
      '#b9a582',
    ) +
    rect(140, 520, 236, 22, c.stone, 8) +
    circle(420, 442, 7, c.leaf) +
    voice(106, 443, [10, 18, 14, 22, 12], 13, 6, '#8b7853');
  const beam = path('M478 276L590 276L650 536H410Z', '#a65a4a');
  const lamp =
    beam +
    rect(520, 516, 92, 24, c.night, 10) +
    stroke('M566 520C640 400 628 150 536 206', c.night, 14) +
    circle(534, 278, 24, c.honey) +
    path('M506 206Q534 184 562 206L598 280H470Z', c.coral);
  const cable = stroke('M58 300C-10 320 30 480 20 560C16 610 120 590 180 620', c.ink, 10);
  const mug =
    rect(404, 470, 66, 70, c.paper, 10) +
    stroke('M470 486q26 2 22 22q-4 16-22 14', c.paper, 10) +
    rect(404, 490, 66, 12, c.coral);
  return picture(640, 640, ground + desk + cable + box + scan + image + stand + lamp + mug);
}
