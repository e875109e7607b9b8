import { echo, target } from '../motifs.ts';
import { land } from '../nature.ts';
import * as c from '../palette.ts';
import { clip, line, path, picture, poly, rect, repeat, type Svg, stroke } from '../svg.ts';

const drop = (x: number, y: number, s: number, fill: string): Svg =>
  path(
    `M${x} ${y - s * 1.7}C${x + s * 0.7} ${y - s * 0.7} ${x + s} ${y - s * 0.3} ${x + s} ${y + s * 0.2}A${s} ${s} 0 1 1 ${x - s} ${y + s * 0.2}C${x - s} ${y - s * 0.3} ${x - s * 0.7} ${y - s * 0.7} ${x} ${y - s * 1.7}Z`,
    fill,
  );

/** A net on a hill of sand catches the fog, and drops hang from it like a voice. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, '#1d4c52') +
    echo(486, 120, 116, 44, 8, '#245a60', 15) +
    target(486, 120, 88, [c.peach, c.honey, c.cream]);
  const fog = (x: number, y: number, w: number, fill: string): Svg => rect(x, y, w, 34, fill, 17);
  const back =
    fog(-60, 96, 340, '#5d8f90') +
    fog(380, 150, 320, '#5d8f90') +
    fog(-40, 300, 200, '#a9cdc6') +
    fog(470, 330, 260, '#a9cdc6');
  const hills =
    land(
      [
        [-20, 450],
        [150, 400],
        [330, 430],
        [520, 370],
        [660, 400],
      ],
      640,
      c.coral,
    ) +
    land(
      [
        [-20, 560],
        [180, 520],
        [360, 546],
        [660, 490],
      ],
      640,
      c.brick,
    ) +
    land(
      [
        [-20, 620],
        [240, 584],
        [660, 600],
      ],
      660,
      c.rust,
    );
  const frame = poly(
    [
      [116, 138],
      [524, 138],
      [524, 420],
      [116, 420],
    ],
    '#12363c',
  );
  const mesh = clip(
    rect(116, 138, 408, 282, c.ink),
    repeat(
      22,
      (i) =>
        line([40 + i * 28, 130], [40 + i * 28 - 60, 430], c.mint, 3) +
        line([-10 + i * 28, 130], [-10 + i * 28 + 60, 430], c.mint, 3),
    ),
  );
  const posts =
    rect(100, 106, 20, 470, c.umber, 8) +
    rect(520, 106, 20, 450, c.umber, 8) +
    line([110, 112], [20, 560], c.umber, 6) +
    line([530, 112], [620, 540], c.umber, 6) +
    rect(92, 132, 456, 12, c.umber, 6);
  const gutter =
    path('M96 418H544V434Q544 452 526 452H114Q96 452 96 434Z', c.amber) +
    stroke('M160 452V520', c.amber, 14) +
    rect(116, 520, 90, 84, c.teal, 14) +
    rect(116, 540, 90, 8, c.lagoon) +
    rect(116, 566, 90, 8, c.lagoon);
  const beads = repeat(
    9,
    (i) =>
      drop(
        156 + i * 41,
        210 + ([60, 10, 100, 40, 130, 20, 92, 50, 76][i] ?? 0),
        [9, 13, 11, 15, 17, 14, 12, 15, 9][i] ?? 10,
        c.paper,
      ) +
      line(
        [156 + i * 41, 150],
        [156 + i * 41, 196 + ([60, 10, 100, 40, 130, 20, 92, 50, 76][i] ?? 0)],
        c.paper,
        5,
      ),
  );
  const front =
    fog(-80, 352, 280, '#e6f2ec') +
    fog(400, 232, 300, '#e6f2ec') +
    fog(-60, 212, 200, '#c6dfd8') +
    fog(440, 470, 280, '#e6f2ec');
  return picture(640, 640, sky + back + hills + frame + mesh + posts + beads + gutter + front);
}
