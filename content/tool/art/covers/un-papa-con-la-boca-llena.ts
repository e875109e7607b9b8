import { echo } from '../motifs.ts';
import { sprig } from '../nature.ts';
import * as c from '../palette.ts';
import { circle, ellipse, path, picture, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

function froglet(): Svg {
  return (
    ellipse(0, 6, 26, 20, c.leaf) +
    stroke('M-22 18Q-34 20 -32 30M22 18Q34 20 32 30', c.leaf, 7) +
    circle(-14, -10, 10, c.leaf) +
    circle(14, -10, 10, c.leaf) +
    circle(-14, -11, 5.5, c.paper) +
    circle(14, -11, 5.5, c.paper) +
    circle(-14, -11, 3, c.ink) +
    circle(14, -11, 3, c.ink) +
    stroke('M-10 8q10 6 20 0', c.forest, 3) +
    path('M-3 -12L0 -22L3 -12Z', c.leaf)
  );
}

/** A leaf-nosed frog whose throat is a round, safe room with three children in it. */
export function cover(): Svg {
  const wood = rect(0, 0, 640, 640, c.forest) + echo(320, 436, 200, 44, 8, '#1b4029', 14);
  const leaves = repeat(7, (i) =>
    sprig(
      [30, 110, 200, 320, 440, 530, 610][i] ?? 0,
      [420, 300, 200, 160, 200, 300, 420][i] ?? 0,
      210,
      4,
      i % 2 ? c.moss : '#1f4d2c',
      c.moss,
      [-36, -26, -14, 0, 14, 26, 36][i] ?? 0,
    ),
  );
  const legs =
    stroke('M150 470C60 470 50 560 90 606', c.moss, 60) +
    stroke('M490 470C580 470 590 560 550 606', c.moss, 60);
  const arms =
    stroke('M188 400C150 470 160 540 150 596', c.leaf, 40) +
    stroke('M452 400C490 470 480 540 490 596', c.leaf, 40);
  const toes =
    [96, 128, 160, 192].map((x) => circle(x, 612, 20, c.leaf)).join('') +
    [448, 480, 512, 544].map((x) => circle(x, 612, 20, c.leaf)).join('');
  const belly = ellipse(320, 440, 196, 176, c.moss);
  const face =
    path(
      'M124 300C120 224 210 190 280 178Q306 172 320 112Q334 172 360 178C430 190 520 224 516 300C510 356 420 366 320 366C220 366 130 356 124 300Z',
      c.leaf,
    ) +
    path('M280 178Q306 172 320 112Q332 190 320 270Q312 210 280 178Z', c.sprout) +
    circle(302, 262, 5, c.forest) +
    circle(338, 262, 5, c.forest);
  const eyes = [198, 442]
    .map(
      (x) =>
        circle(x, 204, 54, c.leaf) +
        circle(x, 198, 38, c.honey) +
        ellipse(x, 198, 30, 13, c.ink) +
        circle(x - 14, 186, 7, c.paper),
    )
    .join('');
  const mouth = stroke('M150 314C220 344 420 344 490 314', c.forest, 9);
  const throat =
    circle(320, 456, 152, c.sprout) + ring(320, 456, 132, c.honey, 12) + circle(320, 456, 112, c.forest);
  const children =
    place(276, 430, froglet(), 1.25, -10) +
    place(366, 438, froglet(), 1.25, 12) +
    place(320, 506, froglet(), 1.3);
  return picture(
    640,
    640,
    wood + leaves + legs + belly + face + eyes + arms + toes + throat + children + mouth,
  );
}
