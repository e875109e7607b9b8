import { echo, rain, sea, target, voice } from '../motifs.ts';
import { land } from '../nature.ts';
import * as c from '../palette.ts';
import { circle, picture, place, poly, rect, repeat, type Svg, stroke } from '../svg.ts';
import { house } from '../town.ts';

/** A long message runs out of a telephone like the sea, up to a stilt house in the rain. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.night) +
    echo(474, 182, 96, 42, 11, '#283070', 14) +
    target(474, 182, 70, [c.lilac, c.cream]) +
    rain('chiloe', -20, -40, 700, 340, 74, '#4b5bb0', 5);
  const isle = land(
    [
      [-20, 300],
      [150, 250],
      [330, 300],
      [520, 250],
      [660, 300],
    ],
    640,
    c.lagoon,
  );
  const home =
    repeat(5, (i) => rect(352 + i * 46, 318, 12, 96, c.umber)) +
    house(346, 330, 214, 108, c.coral, c.brick, c.honey) +
    repeat(4, (i) =>
      repeat(11, (k) => rect(348 + k * 19.4 + (i % 2) * 8, 290 + i * 11, 16, 9, '#d9543c', 4)),
    ) +
    rect(506, 130, 26, 60, c.brick) +
    voice(519, 92, [40], 1, 14, c.lilac) +
    voice(543, 74, [28], 1, 14, c.lilac) +
    rect(326, 326, 254, 14, c.umber, 5);
  const water = sea(640, 392, 18, 80, 660, c.teal) + sea(640, 440, 18, 90, 660, c.lagoon, 30);
  const heights = [30, 54, 84, 46, 110, 70, 130, 90, 60, 120, 76, 44, 96, 58, 34, 66, 40, 24, 50, 30];
  const message = heights
    .map((h, i) => rect(232 + i * 21, 506 - h / 2, 11, h, i < 9 ? c.honey : c.mint, 5.5))
    .join('');
  const phone = place(
    130,
    470,
    rect(-92, -190, 184, 360, c.ink, 34) +
      rect(-78, -174, 156, 328, c.indigo, 24) +
      rect(-64, -24, 128, 84, c.amber, 24) +
      circle(-34, 18, 19, c.rust) +
      poly(
        [
          [-40, 8],
          [-23, 18],
          [-40, 28],
        ],
        c.honey,
      ) +
      [20, 40, 56, 30].map((h, i) => rect(-4 + i * 15, 18 - h / 2, 8, h, c.rust, 4)).join('') +
      rect(-64, -100, 96, 56, c.blue, 20) +
      stroke('M-44 -72H10', c.sky, 7) +
      rect(-28, -164, 56, 10, c.ink, 5) +
      rect(-20, 84, 84, 42, c.blue, 18),
    1,
    -8,
  );
  return picture(640, 640, sky + isle + home + water + message + phone);
}
