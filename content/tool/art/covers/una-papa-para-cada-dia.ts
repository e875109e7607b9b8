import * as c from '../palette.ts';
import {
  blob,
  circle,
  clip,
  ellipse,
  type Point,
  path,
  picture,
  place,
  rect,
  repeat,
  ring,
  type Svg,
  stroke,
} from '../svg.ts';

const egg: Point[] = [
  [0, -72],
  [54, -50],
  [66, 6],
  [46, 58],
  [-6, 72],
  [-54, 46],
  [-64, -8],
  [-44, -56],
];
const finger: Point[] = [
  [-84, 22],
  [-70, -8],
  [-10, -18],
  [40, -44],
  [80, -40],
  [84, -8],
  [50, 18],
  [0, 28],
  [-50, 52],
  [-80, 44],
];
const knobs: Point[] = [
  [-20, -74],
  [14, -58],
  [40, -78],
  [62, -48],
  [50, -20],
  [80, 2],
  [62, 34],
  [34, 36],
  [30, 70],
  [-6, 74],
  [-22, 46],
  [-58, 58],
  [-76, 28],
  [-54, 4],
  [-76, -28],
  [-48, -54],
];
const eyes = (spots: readonly Point[], colour: string): Svg =>
  spots.map(([x, y]) => stroke(`M${x - 8} ${y}q8 6 16 0`, colour, 5)).join('');

/** Nine of the three thousand potatoes, like a woven cloth; the one that makes people cry sits in the middle. */
export function cover(): Svg {
  const cells: readonly (readonly [string, Svg])[] = [
    [
      c.berry,
      blob(egg, c.honey) +
        eyes(
          [
            [-20, -30],
            [24, 0],
            [-26, 26],
            [10, 44],
          ],
          c.ochre,
        ),
    ],
    [
      c.pine,
      blob(finger, c.rose) +
        eyes(
          [
            [-50, 26],
            [0, 6],
            [50, -18],
          ],
          c.berry,
        ) +
        stroke('M-66 8Q-20 -10 20 -20', c.blush, 8),
    ],
    [
      c.umber,
      circle(0, 0, 72, c.plum) +
        [58, 42, 26].map((r, i) => circle(0, 0, r, [c.lilac, c.violet, c.cream][i] ?? '')).join('') +
        ring(0, 0, 12, c.violet, 8),
    ],
    [
      c.night,
      ellipse(0, 0, 84, 56, c.clay, -18) +
        clip(
          ellipse(0, 0, 84, 56, c.clay, -18),
          repeat(5, (i) => stroke(`M${-96 + i * 44} -80Q${-60 + i * 44} 0 ${-96 + i * 44} 90`, c.peach, 11)),
        ),
    ],
    [
      c.coral,
      blob(knobs, c.plum) +
        eyes(
          [
            [-34, -24],
            [24, -36],
            [44, 8],
            [-40, 24],
          ],
          c.aubergine,
        ) +
        stroke('M-16 -2Q4 -16 20 0Q28 16 8 24', c.lilac, 7) +
        path('M0 92', c.sky) +
        place(66, 66, path('M0 -34C14 -12 20 -4 20 8A20 20 0 1 1 -20 8C-20 -4 -14 -12 0 -34Z', c.sky)),
    ],
    [
      c.forest,
      ellipse(0, 14, 60, 46, c.amber) +
        [-46, -16, 16, 46]
          .map((x, i) => ellipse(x, -38 + (i === 0 || i === 3 ? 14 : 0), 16, 24, c.amber))
          .join('') +
        ellipse(0, 18, 28, 20, c.brick) +
        [-46, -16, 16, 46]
          .map((x, i) => ellipse(x, -42 + (i === 0 || i === 3 ? 14 : 0), 7, 9, c.brick))
          .join(''),
    ],
    [
      c.teal,
      blob(egg, c.ink) +
        eyes(
          [
            [-24, -28],
            [18, -12],
            [-10, 24],
            [26, 34],
          ],
          c.violet,
        ) +
        stroke('M-40 -34Q-22 -56 6 -56', c.indigo, 8),
    ],
    [
      c.wine,
      blob(
        egg.map(([x, y]) => [y, x * 0.9]),
        c.cream,
      ) +
        circle(-24, -8, 20, c.rose) +
        circle(28, 16, 16, c.rose) +
        circle(22, -28, 10, c.rose) +
        circle(-30, 30, 9, c.rose),
    ],
    [c.indigo, circle(0, 0, 70, c.coral) + [52, 34, 16].map((r) => ring(0, 0, r, c.honey, 8)).join('')],
  ];
  const grid = cells
    .map(([ground, potato], i) => {
      const [x, y] = [(i % 3) * 213.4, Math.floor(i / 3) * 213.4];
      return rect(x, y, 214, 214, ground) + place(x + 106.7, y + 106.7, potato, i === 4 ? 1.12 : 1.04);
    })
    .join('');
  return picture(640, 640, grid);
}
