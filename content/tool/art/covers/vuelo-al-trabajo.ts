import { cloud, echo, target } from '../motifs.ts';
import { mountain } from '../nature.ts';
import * as c from '../palette.ts';
import { chance, circle, clip, line, path, picture, poly, rect, repeat, type Svg, stroke } from '../svg.ts';

/** A red cabin hangs over the brick houses of the valley; inside, two people hold hands before the snow. */
export function cover(): Svg {
  const next = chance('tejados');
  const sky =
    rect(0, 0, 640, 640, c.indigo) +
    echo(170, 220, 136, 42, 5, '#363f92', 14) +
    target(170, 220, 108, [c.coral, c.amber, c.honey]);
  const peaks =
    mountain(150, 480, 420, 190, c.sky, c.blue, c.paper) +
    mountain(520, 480, 400, 230, c.sky, c.blue, c.paper) +
    mountain(330, 480, 440, 300, c.sky, c.blue, c.paper);
  const clouds = cloud(-30, 330, 180, c.blush) + cloud(500, 300, 200, c.blush);
  const roofs = repeat(36, (i) => {
    const row = Math.floor(i / 9);
    const [x, y] = [-20 + (i % 9) * 78 + (row % 2) * -36, 470 + row * 46];
    const h = 34 + next() * 34;
    const wall = [c.brick, c.clay, c.coral, c.rust][Math.floor(next() * 4)] ?? c.brick;
    return (
      rect(x, y - h + 40, 74, h + 80, wall) +
      rect(x - 3, y - h + 32, 80, 10, [c.peach, c.teal, c.honey][i % 3] ?? c.peach) +
      rect(x + 14, y - h + 56, 16, 18, next() > 0.5 ? c.honey : c.wine, 2) +
      rect(x + 44, y - h + 56, 16, 18, next() > 0.5 ? c.honey : c.wine, 2)
    );
  });
  const cable = line([-20, 30], [660, 120], c.ink, 9);
  const hanger = stroke('M340 78V170', c.ink, 14) + rect(296, 64, 88, 24, c.ink, 12);
  const shell =
    'M212 168H468Q500 168 508 204L520 330Q520 404 460 412H220Q160 404 160 330L172 204Q180 168 212 168Z';
  const glass = 'M222 196H458Q476 196 480 214L490 318H190L200 214Q204 196 222 196Z';
  const nurse =
    circle(282, 250, 30, c.clay) +
    path('M252 250C248 212 316 212 312 250C306 232 290 230 282 232C272 230 258 234 252 250Z', c.ink) +
    circle(304, 222, 13, c.ink) +
    path('M232 330C236 290 260 282 282 282C304 282 326 290 330 330Z', c.paper);
  const gentleman =
    circle(398, 250, 30, '#e8b48a') +
    path(
      'M346 232Q398 244 452 232Q440 218 428 218Q426 196 398 196Q370 196 368 218Q356 220 346 232Z',
      c.umber,
    ) +
    path('M348 330C352 290 376 282 398 282C420 282 442 290 446 330Z', c.umber) +
    poly(
      [
        [388, 282],
        [408, 282],
        [398, 312],
      ],
      c.paper,
    );
  const hands = stroke('M318 312Q340 336 360 312', c.clay, 15) + circle(340, 322, 11, '#e8b48a');
  const cabin =
    path(shell, c.coral) +
    path(glass, c.sky) +
    clip(
      path(glass, c.sky),
      poly(
        [
          [190, 330],
          [300, 210],
          [350, 260],
          [400, 196],
          [520, 330],
        ],
        c.paper,
      ) +
        nurse +
        gentleman +
        hands,
    ) +
    rect(334, 190, 12, 0, c.coral) +
    rect(176, 346, 328, 12, c.honey) +
    repeat(7, (i) =>
      rect(
        262 + i * 22,
        [376, 370, 364, 358, 364, 370, 376][i] ?? 370,
        10,
        [18, 30, 42, 54, 42, 30, 18][i] ?? 20,
        c.brick,
        5,
      ),
    ) +
    stroke('M200 412Q340 440 480 412', c.brick, 12);
  return picture(640, 640, sky + peaks + clouds + roofs + cable + hanger + cabin);
}
