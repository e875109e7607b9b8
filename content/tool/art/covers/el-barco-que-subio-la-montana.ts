import { echo, target, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, path, picture, place, poly, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

function mule(coat: string, load: Svg): Svg {
  const legs = stroke('M-34 -34L-42 -3M-22 -34L-16 -3M24 -34L16 -3M34 -34L44 -3', coat, 10);
  const body = path('M-46 -62C-50 -36 -40 -26 0 -26C40 -26 46 -34 44 -66Z', coat);
  const head = path(
    'M30 -60L48 -100L46 -124L56 -108L66 -124L64 -104L86 -82Q90 -72 80 -70L62 -76L48 -44Z',
    coat,
  );
  return (
    stroke('M-46 -56Q-60 -46 -58 -28', coat, 6) +
    legs +
    body +
    head +
    circle(63, -94, 3, c.cream) +
    rect(-34, -72, 62, 14, c.coral, 5) +
    load
  );
}

/** A steamship goes up the Andes on mules, piece by piece, towards a lake where it already floats in the mind. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.rust) +
    echo(500, 190, 150, 42, 7, '#5c2216', 14) +
    target(500, 190, 124, [c.coral, c.amber, c.honey]);
  const lake = path('M250 250H660V640H250Z', '#5c2216');
  const ship = place(
    500,
    226,
    path('M-150 -34H130L158 -50L146 10H-128Z', c.paper) +
      rect(-90, -66, 150, 34, c.teal, 4) +
      repeat(5, (i) => circle(-72 + i * 28, -49, 7, c.honey)) +
      rect(-24, -132, 34, 68, c.ink) +
      rect(-24, -116, 34, 12, c.coral) +
      stroke('M-110 -34V-120M96 -40V-120M-110 -112L-24 -90M96 -112L10 -90', c.ink, 5) +
      rect(-128, -8, 270, 7, c.coral),
  );
  const smoke =
    voice(505, 62, [26], 20, 17, c.stone) +
    voice(480, 48, [48], 20, 17, c.stone) +
    voice(455, 44, [72], 20, 17, c.stone) +
    voice(430, 40, [40], 20, 17, c.stone) +
    voice(405, 40, [20], 20, 17, c.stone);
  const slope =
    path('M-10 640V520L380 290H660V660H-10Z', c.umber) +
    [c.brick, c.clay, c.ochre, c.brick, '#5a2416']
      .map((fill, i) =>
        path(
          `M-10 ${566 + i * 62}L${380 + i * 28} ${336 + i * 62 - i * 16}H660V${352 + i * 46}H${390 + i * 28}L-10 ${584 + i * 62}Z`,
          fill,
        ),
      )
      .join('');
  const water =
    path('M372 290L392 234H660V300H372Z', c.teal) +
    repeat(3, (i) => rect(410 + i * 82, 254 + (i % 2) * 20, 60, 8, c.mint, 4));
  const bow =
    poly(
      [
        [-40, -72],
        [-30, -132],
        [38, -140],
        [26, -72],
      ],
      c.paper,
    ) + rect(-30, -98, 58, 7, c.coral);
  const wheel =
    ring(-2, -110, 34, c.amber, 10) +
    stroke('M-2 -144V-76M-36 -110H32M-26 -134L22 -86M22 -134L-26 -86', c.amber, 6) +
    circle(-2, -110, 9, c.amber);
  const funnel = rect(-58, -108, 116, 34, c.teal, 6) + rect(-34, -108, 13, 34, c.coral);
  const team =
    place(98, 457, mule('#d98f5f', wheel), 1.26, -30.5) +
    place(222, 384, mule(c.cream, funnel), 1.1, -30.5) +
    place(330, 321, mule('#d98f5f', bow), 0.94, -30);
  return picture(640, 640, sky + lake + smoke + ship + water + slope + team);
}
