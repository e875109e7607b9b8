import { sprig } from '../nature.ts';
import * as c from '../palette.ts';
import { circle, ellipse, path, picture, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

/** A forearm reaching up from 0, 200 to a hand at 0, 0, which holds what it brings. */
function hand(skin: string, sleeve: string, cuff: string, gift: Svg): Svg {
  return (
    path('M-34 120H34L44 330H-44Z', sleeve) +
    rect(-40, 108, 80, 30, cuff, 10) +
    path('M-24 116V20Q-24 -8 0 -8Q24 -8 24 20V116Z', skin) +
    gift +
    [-22, -7, 8, 22].map((x) => rect(x - 8, -18, 15, 44, skin, 7.5)).join('') +
    stroke('M28 40Q44 26 38 6', skin, 16)
  );
}

const carrot = (x: number, turn: number): Svg =>
  place(
    x,
    -14,
    path('M-15 -46Q0 -60 15 -46L3 40Q0 48 -3 40Z', c.coral) +
      stroke('M-8 -22H4M-2 0H8', c.brick, 4) +
      stroke('M0 -52Q-14 -76 -22 -84M0 -52V-92M0 -52Q14 -76 22 -84', c.leaf, 8),
    1,
    turn,
  );

/** A pot of soup seen from above, with the whole building's hands around it. */
export function cover(): Svg {
  const tiles =
    rect(0, 0, 640, 640, c.rust) +
    repeat(64, (i) =>
      (i + Math.floor(i / 8)) % 2 ? rect((i % 8) * 80, Math.floor(i / 8) * 80, 80, 80, '#5a1f15') : '',
    );
  const glow = ring(320, 320, 232, '#6b2718', 18) + ring(320, 320, 276, '#6b2718', 18);
  const pot =
    rect(66, 286, 508, 68, c.ink, 30) +
    rect(84, 304, 40, 32, '#5a1f15', 14) +
    rect(516, 304, 40, 32, '#5a1f15', 14) +
    circle(320, 320, 202, c.ink) +
    circle(320, 320, 184, c.stone) +
    circle(320, 320, 168, c.amber) +
    ring(320, 320, 138, c.honey, 9) +
    ring(320, 320, 100, c.honey, 9) +
    ring(320, 320, 62, c.honey, 9);
  const soup =
    [
      [250, 260],
      [384, 246],
      [410, 360],
      [270, 400],
    ]
      .map(([x, y]) => circle(x ?? 0, y ?? 0, 21, c.coral) + ring(x ?? 0, y ?? 0, 10, c.peach, 4))
      .join('') +
    [
      [320, 214, 20],
      [228, 338, 80],
      [352, 420, -20],
      [426, 300, 60],
      [306, 300, -40],
      [352, 356, 30],
    ]
      .map(([x, y, a]) => ellipse(x ?? 0, y ?? 0, 18, 10, c.paper, a ?? 0))
      .join('') +
    [
      [206, 290],
      [340, 270],
      [296, 356],
      [392, 410],
      [436, 330],
    ]
      .map(([x, y], i) => ellipse(x ?? 0, y ?? 0, 20, 8, c.leaf, i * 50))
      .join('');
  const carrots = hand('#8d5233', c.teal, c.mint, carrot(-16, -14) + carrot(10, 4) + carrot(28, 20));
  const beans = hand(
    '#e8b48a',
    c.violet,
    c.lilac,
    repeat(7, (i) =>
      ellipse(
        [-26, -6, 16, 32, -14, 8, 24][i] ?? 0,
        [-16, -24, -22, -10, -38, -42, -36][i] ?? 0,
        15,
        10,
        i % 2 ? c.paper : c.cream,
        i * 40,
      ),
    ),
  );
  const greens = hand(
    '#f8cfae',
    c.rose,
    c.blush,
    sprig(-10, 20, 100, 4, c.leaf, c.moss, -16) + sprig(12, 20, 104, 4, c.moss, c.leaf, 12),
  );
  const potato = hand(
    '#c98a5c',
    c.indigo,
    c.sky,
    place(
      0,
      -30,
      ellipse(0, 0, 42, 34, c.ochre, -10) +
        stroke('M-16 -8q5 4 10 0M8 6q5 4 10 0M2 -16q5 4 10 0', c.umber, 4),
    ),
  );
  const hands =
    place(118, 126, carrots, 0.98, 135) +
    place(520, 122, beans, 0.98, -135) +
    place(116, 520, greens, 0.98, 45) +
    place(522, 522, potato, 0.98, -45);
  return picture(640, 640, tiles + glow + pot + soup + hands);
}
