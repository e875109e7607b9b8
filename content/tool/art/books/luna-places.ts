/** The two places of "La luna en el balde": the land by night and the grandmother's room. */

import { echo, stars, target } from '../motifs.ts';
import { blades, land } from '../nature.ts';
import * as c from '../palette.ts';
import {
  circle,
  clip,
  ellipse,
  line,
  type Point,
  path,
  picture,
  place,
  poly,
  rect,
  repeat,
  type Svg,
  stroke,
} from '../svg.ts';

const W = 1024;
const H = 768;

/** The full moon with its echo. */
export function moon(x: number, y: number, r: number): Svg {
  return echo(x, y, r + 28, 34, 4, '#28327a', 11) + target(x, y, r, ['#ffe9b0', '#fff5d8', '#fffbee']);
}

/** Night sky with stars, purple hills and a ground; `sky` things go behind the hills. */
export function night(sky: Svg, seed = 'noche', dim = false): Svg {
  const [top, far, near, ground] = dim
    ? ['#0f1233', '#191436', '#120f2b', '#1d1838']
    : ['#1b2360', '#43317d', '#33256a', '#4c3c78'];
  const back = rect(0, 0, W, H, top) + (dim ? '' : stars(seed, 10, 10, W - 20, 400, 70, '#cfd3f6')) + sky;
  const hills =
    land(
      [
        [-20, 470],
        [120, 400],
        [260, 440],
        [430, 350],
        [600, 430],
        [760, 380],
        [900, 430],
        [1050, 390],
      ],
      H,
      far,
    ) +
    land(
      [
        [-20, 520],
        [180, 470],
        [380, 510],
        [620, 460],
        [840, 510],
        [1050, 470],
      ],
      H,
      near,
    );
  return (
    back +
    hills +
    land(
      [
        [-20, 570],
        [260, 545],
        [520, 566],
        [780, 540],
        [1050, 560],
      ],
      H,
      ground,
    )
  );
}

/** A pale path that comes from the far left, widens and leaves at the lower right. */
export function track(dim = false): Svg {
  return (
    path(
      'M-20 650C180 600 420 640 620 640C800 640 900 610 1050 620V730C900 720 780 760 560 748C340 736 160 720 -20 750Z',
      dim ? '#2b2450' : '#8d7a9e',
    ) +
    [
      [140, 690],
      [330, 668],
      [520, 716],
      [720, 672],
      [880, 690],
    ]
      .map(([x, y], i) => ellipse(x ?? 0, y ?? 0, 22 - i * 2, 8, dim ? '#231d44' : '#7a688d'))
      .join('')
  );
}

/** Tufts of dry yellow grass at the given feet; `wind` leans them. */
export function tufts(feet: readonly Point[], wind = 0, fill = '#d6a93f'): Svg {
  return feet
    .map(
      ([x, y]) =>
        `<g transform="translate(${x} ${y}) skewX(${-wind})">${blades(`t${x}`, -34, 0, 68, 30, 66, 9, fill, 9)}</g>`,
    )
    .join('');
}

/** The adobe house with its straw roof, the left wall's foot at x, y; 300 wide. */
export function adobe(x: number, y: number, size: number, dayTime = false): Svg {
  const wall = dayTime ? '#e0ae78' : '#a9805f';
  const bricks = repeat(14, (i) =>
    rect(
      18 + (i % 5) * 60 + (i % 2) * 12,
      -150 + Math.floor(i / 5) * 52,
      34,
      7,
      dayTime ? '#cb955f' : '#977055',
      3,
    ),
  );
  const roof =
    path('M-40 -178L40 -270H270L344 -178Q150 -158 -40 -178Z', dayTime ? '#e3b64e' : '#b98f3d') +
    repeat(15, (i) =>
      stroke(`M${-16 + i * 24} -176L${42 + i * 16} -262`, dayTime ? '#c4942f' : '#967030', 6),
    );
  const door =
    rect(190, -126, 72, 126, dayTime ? '#6e4426' : '#4d3024', 6) +
    circle(250, -62, 5, c.honey) +
    stroke('M214 -126V0M238 -126V0', dayTime ? '#5a361d' : '#412619', 4);
  const pane =
    rect(52, -128, 84, 74, '#6e4426', 6) +
    rect(60, -120, 68, 58, dayTime ? '#8fb6dd' : '#ffcf5e', 3) +
    stroke('M94 -120V-62M60 -91H128', '#6e4426', 6);
  return place(x, y, rect(0, -190, 300, 190, wall) + bricks + door + pane + roof, size);
}

/** A llama looking left; its feet at x, y. */
export function llama(
  x: number,
  y: number,
  size: number,
  wool: string,
  shade: string,
  tassel: string,
  flip: 1 | -1 = 1,
): Svg {
  const legs = stroke('M-34 -50V-4M-16 -50V-4M40 -50V-4M58 -50V-4', shade, 12);
  const body = path(
    'M-50 -92C-58 -60 -48 -42 -20 -42H50C76 -42 82 -70 76 -90C70 -112 40 -112 10 -108C-10 -106 -30 -106 -50 -92Z',
    wool,
  );
  const neck = path(
    'M-54 -60C-62 -100 -60 -150 -66 -176C-76 -178 -96 -170 -100 -178C-104 -190 -90 -202 -74 -206C-60 -210 -44 -204 -40 -190C-34 -150 -26 -110 -10 -96Z',
    wool,
  );
  const ears =
    path('M-68 -204L-72 -234L-56 -206Z', wool) +
    path('M-54 -206L-48 -236L-42 -202Z', wool) +
    circle(-72, -234, 6, tassel) +
    circle(-48, -236, 6, tassel) +
    stroke('M-72 -234l-5 14M-48 -236l7 13', tassel, 4);
  const face =
    circle(-70, -190, 4, c.ink) +
    stroke('M-98 -182q6 4 12 0', shade, 3) +
    ellipse(-99, -185, 3.4, 2.6, c.ink);
  const fleece =
    stroke('M-30 -70q8 8 16 0M4 -84q8 8 16 0M30 -66q8 8 16 0M-8 -58q8 8 16 0M46 -90q8 8 16 0', shade, 4) +
    stroke('M76 -92q14 4 12 18', wool, 12);
  return place(
    x,
    y,
    legs + body + neck + ears + face + fleece + stroke('M-60 -132L-30 -134', tassel, 7),
    size,
    0,
    flip,
  );
}

/** How the room is lit. */
type Light = 'candle' | 'moon';

const bedWood = '#6b3f24';

/** The blanket's stripes over the sleeping shape, from the feet at the left to the shoulders at the right. */
function blanket(light: Light): Svg {
  const shape = 'M396 500C420 474 500 466 600 462C680 456 740 450 800 456C836 460 866 470 868 490V606H396Z';
  const bands =
    light === 'candle'
      ? ['#d23b33', '#f0b33c', '#8d52b5', '#f0dcb8']
      : ['#6d3a7a', '#8a86b8', '#5a4a9c', '#aab0dc'];
  return (
    path(shape, bands[0] ?? '') +
    clip(
      path(shape, '#000'),
      repeat(16, (i) => rect(396 + i * 30, 420, i % 4 === 3 ? 8 : 17, 200, bands[i % 4] ?? '')),
    )
  );
}

/** The room: door at the left, table with the candle, the bed with its headboard right under the window. Heads on the pillow are laid over it by the page. */
export function room(light: Light): Svg {
  const lit = light === 'candle';
  const [wall, brick, floor, board, ceiling, joist] = lit
    ? ['#e2b077', '#d49d64', '#8f5a38', '#7d4c2e', '#6b4227', '#52301b']
    : ['#33417f', '#2d3a74', '#232b5c', '#1e2551', '#1d2350', '#151a40'];
  const walls =
    rect(0, 0, W, H, wall) +
    repeat(30, (i) =>
      rect(20 + (i % 6) * 180 + (Math.floor(i / 6) % 2) * 80, 140 + Math.floor(i / 6) * 88, 74, 12, brick, 6),
    );
  const glow = lit
    ? circle(263, 392, 216, '#e8ba80') + circle(263, 392, 156, '#efc88f') + circle(263, 392, 98, '#f8dba6')
    : '';
  const roof =
    rect(0, 0, W, 92, ceiling) +
    repeat(8, (i) => rect(24 + i * 134, 0, 34, 104, joist, 4)) +
    rect(0, 92, W, 14, joist);
  const ground = rect(0, 596, W, 172, floor) + repeat(3, (i) => rect(0, 640 + i * 46, W, 5, board));
  const [frame, sky] = lit ? [bedWood, '#1b2360'] : ['#20295c', light === 'moon' ? '#5566b8' : '#2b3670'];
  const pane =
    rect(788, 168, 160, 160, frame, 6) +
    rect(802, 182, 132, 132, sky) +
    circle(830, 214, 3, '#e9ebff') +
    circle(908, 280, 3, '#e9ebff') +
    circle(890, 206, 2.4, '#e9ebff') +
    stroke('M868 182V314M802 248H934', frame, 9);
  const door =
    rect(30, 250, 128, 346, lit ? bedWood : '#1a2150', 6) +
    (lit
      ? stroke('M72 256V596M114 256V596', '#57321c', 5) + circle(138, 430, 7, c.honey)
      : rect(44, 264, 100, 332, '#0f1436'));
  const cloth = place(
    560,
    196,
    ['#d23b33', '#f0b33c', '#8d52b5', '#1f9a92', '#d23b33']
      .map((fill, i) =>
        rect(
          -90,
          i * 22,
          180,
          22,
          lit ? fill : (['#4a3f82', '#5a5aa0', '#3f3a7c', '#3d5590', '#4a3f82'][i] ?? ''),
        ),
      )
      .join('') +
      rect(-104, -12, 208, 14, lit ? bedWood : '#1a2150', 6) +
      repeat(7, (i) => path(`M${-84 + i * 24} 66l12 -12l12 12l-12 12Z`, lit ? '#f0dcb8' : '#7d83c0')) +
      repeat(12, (i) => line([-82 + i * 15, 110], [-82 + i * 15, 126], lit ? '#f0b33c' : '#5a5aa0', 4)),
  );
  const stand =
    rect(196, 470, 136, 16, lit ? bedWood : '#1a2150', 5) +
    rect(210, 486, 14, 116, lit ? bedWood : '#1a2150') +
    rect(304, 486, 14, 116, lit ? bedWood : '#1a2150') +
    rect(252, 414, 22, 56, lit ? '#fdf0d8' : '#9aa3d6', 4) +
    ellipse(263, 470, 34, 7, lit ? c.ochre : '#3d487f');
  const wick = lit
    ? path('M263 364C280 384 282 410 263 412C244 410 246 384 263 364Z', '#f79a2e') +
      path('M263 382C272 394 272 408 263 409C254 408 254 394 263 382Z', '#fff3c4')
    : stroke('M263 412V402', '#151a40', 4) +
      stroke('M263 398C250 376 280 362 264 340C252 322 276 312 270 290', '#8f98d0', 5);
  const bed =
    rect(868, 320, 34, 310, lit ? bedWood : '#1a2150', 10) +
    rect(384, 470, 24, 160, lit ? bedWood : '#1a2150', 8) +
    rect(390, 580, 500, 30, lit ? bedWood : '#1a2150', 6) +
    rect(400, 506, 474, 84, lit ? '#f3e3c8' : '#8b93c8', 10) +
    path('M716 404Q796 372 868 396V512H716Q704 458 716 404Z', lit ? '#fff6e6' : '#c2c8ee');
  return walls + glow + roof + ground + pane + door + cloth + stand + wick + bed + blanket(light);
}

/** A ray of moonlight from the window to the bucket whose rim is at x, y. */
export function moonbeam(x: number, y: number): Svg {
  return `<g opacity=".26">${poly(
    [
      [802, 188],
      [896, 314],
      [x + 50, y],
      [x - 50, y],
    ],
    '#dfe8ff',
  )}</g><g opacity=".2">${poly(
    [
      [824, 216],
      [868, 278],
      [x + 28, y],
      [x - 28, y],
    ],
    '#ffffff',
  )}</g>`;
}

/** A little moon of light that dances on the ceiling. */
export function ceilingMoon(x: number, y: number): Svg {
  return (
    [122, 94]
      .map(
        (r) =>
          `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 0.4}" fill="none" stroke="#aeb9f0" stroke-width="7"/>`,
      )
      .join('') +
    ellipse(x, y, 66, 27, '#e9eeff') +
    ellipse(x, y, 48, 18, '#ffffff')
  );
}

/** A page of the book; `zoom` brings it nearer about the point x, y. */
export function page(inner: Svg, zoom = 1, x = 512, y = 740): Svg {
  return picture(W, H, zoom === 1 ? inner : place(x - x * zoom, y - y * zoom, inner, zoom));
}

/** A ring on the ground where something stands. */
export function shadow(x: number, y: number, w: number, fill = '#2f2358'): Svg {
  return ellipse(x, y, w, w * 0.16, fill);
}

/** Rings on water about x, y. */
export function wet(x: number, y: number, r: number, colour: string): Svg {
  return [1, 1.5, 2]
    .map(
      (k) =>
        `<ellipse cx="${x}" cy="${y}" rx="${r * k}" ry="${r * k * 0.3}" fill="none" stroke="${colour}" stroke-width="5"/>`,
    )
    .join('');
}
