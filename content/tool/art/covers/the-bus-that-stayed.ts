import { henFront } from '../books/bus-cast.ts';
import { echo, target } from '../motifs.ts';
import { blades, flower, land, roundTree } from '../nature.ts';
import * as c from '../palette.ts';
import { circle, ellipse, path, picture, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

const sunflower = (x: number, y: number, r: number, h: number): Svg =>
  stroke(`M${x} ${y}Q${x + 8} ${y + h / 2} ${x} ${y + h}`, c.moss, 10) +
  ellipse(x + 20, y + h * 0.6, 22, 9, c.leaf, -28) +
  ellipse(x - 20, y + h * 0.72, 22, 9, c.leaf, 28) +
  flower(x, y, r * 1.16, 12, '#b9530f', c.umber) +
  flower(x, y, r, 12, c.honey, c.umber) +
  circle(x, y, r * 0.4, '#5a3414') +
  ring(x, y, r * 0.22, '#8a5532', 3);

/** The old bus looks at us from the grass, with a hen at the wheel and sunflowers where its engine was. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.coral) +
    echo(320, 300, 300, 40, 5, '#f4765a', 16) +
    target(320, 300, 262, [c.amber, '#fbb857', c.honey]);
  const hills =
    land(
      [
        [-20, 470],
        [120, 410],
        [260, 450],
        [420, 420],
        [560, 400],
        [660, 450],
      ],
      640,
      c.leaf,
    ) +
    roundTree(582, 500, 250, c.moss, c.umber, '#3b7444') +
    [
      [540, 300],
      [600, 330],
      [566, 354],
      [622, 286],
      [586, 276],
    ]
      .map(([x, y]) => circle(x ?? 0, y ?? 0, 10, '#d62f2c'))
      .join('');
  const shell =
    rect(146, 116, 348, 452, '#f2b21d', 60) +
    rect(146, 330, 348, 18, c.paper) +
    rect(188, 96, 264, 50, '#dd9a12', 22) +
    rect(226, 106, 188, 30, c.paper, 8) +
    stroke('M310 113H330L317 131', c.ink, 5.5);
  const mirrors =
    stroke('M150 200H112V240M490 200H528V240', c.ink, 9) +
    rect(96, 232, 32, 56, c.ink, 10) +
    rect(512, 232, 32, 56, c.ink, 10);
  const screen =
    rect(176, 160, 288, 156, c.sky, 28) +
    path('M176 250L300 160H360L200 316Q176 316 176 288Z', '#b7d5f0') +
    place(352, 316, henFront, 1.24) +
    stroke('M288 316A64 60 0 0 1 416 316', c.ink, 13) +
    rect(314, 160, 10, 156, '#dd9a12');
  const lamps = [206, 434]
    .map((x) => circle(x, 410, 42, c.stone) + circle(x, 410, 33, c.cream) + circle(x, 410, 20, c.paper))
    .join('');
  const mouth = path('M262 380H378Q398 380 398 402V540H242V402Q242 380 262 380Z', c.rust);
  const blooms = sunflower(276, 366, 38, 170) + sunflower(366, 380, 36, 150) + sunflower(320, 456, 40, 90);
  const bumper = rect(132, 506, 376, 30, c.stone, 15) + rect(132, 520, 376, 10, '#b9a582', 5);
  const grass =
    blades('bus', -10, 660, 660, 90, 170, 40, c.moss, 22) +
    blades('bus2', -10, 660, 660, 50, 120, 46, '#1f4d2c', 18) +
    repeat(7, (i) =>
      flower(
        [40, 100, 178, 470, 540, 600, 236][i] ?? 0,
        [560, 590, 600, 596, 566, 590, 612][i] ?? 0,
        13,
        5,
        c.blush,
        c.honey,
      ),
    );
  return picture(640, 640, sky + hills + mirrors + shell + screen + lamps + mouth + blooms + bumper + grass);
}
