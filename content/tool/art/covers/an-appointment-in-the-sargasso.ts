import { echo, target } from '../motifs.ts';
import * as c from '../palette.ts';
import {
  along,
  circle,
  ellipse,
  type Point,
  path,
  picture,
  place,
  rect,
  repeat,
  ribbon,
  type Svg,
  stroke,
} from '../svg.ts';

function weed(): Svg {
  const leaves = [
    [-34, 20],
    [30, 34],
    [-28, 70],
    [26, 84],
    [-18, 116],
  ]
    .map(([x, y]) => ellipse(x ?? 0, y ?? 0, 26, 9, c.ochre, (x ?? 0) < 0 ? 24 : -24))
    .join('');
  return (
    stroke('M0 -10Q12 60 -4 138', c.ochre, 7) +
    leaves +
    [
      [-14, 46],
      [16, 60],
      [14, 112],
      [-6, 140],
    ]
      .map(([x, y]) => circle(x ?? 0, y ?? 0, 10, c.amber))
      .join('')
  );
}

/** A silver eel winds down through ever darker water to a place nobody has been asked to. */
export function cover(): Svg {
  const water = ['#1c6d78', '#15545f', '#103f4a', '#0c2e38', '#08222b']
    .map((fill, i) => rect(0, i * 128, 640, 140, fill))
    .join('');
  const secret = echo(330, 408, 34, 36, 6, '#17606a', 9) + target(330, 408, 30, [c.coral, c.honey]);
  const turn: Point[] = along(60, (t) => {
    const angle = -2.2 + t * 9.4;
    const r = 300 - t * 206;
    return [330 + Math.cos(angle) * r * 1.02, 408 + Math.sin(angle) * r * 0.92];
  });
  const fin = ribbon(
    turn.map(([x, y]) => [x - (330 - x) * 0.07, y - (408 - y) * 0.07]),
    (t) => (t < 0.16 || t > 0.7 ? 0.1 : 30 * Math.sin(((t - 0.16) / 0.54) * Math.PI)),
    '#6d8a9c',
  );
  const eel =
    fin +
    ribbon(turn, (t) => (t < 0.1 ? 8 + t * 300 : 38 + 18 * Math.sin(t * Math.PI)), '#a9bccb') +
    ribbon(
      turn.map(([x, y]) => [x + (330 - x) * 0.035, y + (408 - y) * 0.035]),
      (t) => 4 + 14 * Math.sin(t * Math.PI),
      c.paper,
    );
  const [hx, hy] = turn[60] ?? [0, 0];
  const [bx, by] = turn[59] ?? [0, 0];
  const heading = (Math.atan2(hy - by, hx - bx) * 180) / Math.PI;
  const snout = place(
    hx,
    hy,
    path('M-6 -19C26 -22 54 -8 58 2C54 14 24 22 -6 19Z', '#a9bccb') +
      circle(22, -5, 11, c.paper) +
      circle(24, -5, 7, c.ink) +
      stroke('M34 9Q44 9 52 5', '#5f7688', 3),
    1.15,
    heading,
  );
  const larvae = repeat(7, (i) =>
    ellipse(
      [70, 120, 560, 590, 520, 96, 48][i] ?? 0,
      [250, 330, 236, 330, 566, 560, 440][i] ?? 0,
      18,
      5,
      c.mint,
      [-30, 20, 40, -16, 24, -40, 10][i] ?? 0,
    ),
  );
  const weeds = repeat(6, (i) =>
    place([30, 140, 250, 392, 500, 600][i] ?? 0, 0, weed(), [1, 0.74, 0.54, 0.6, 0.9, 0.7][i] ?? 1),
  );
  return picture(640, 640, water + secret + larvae + eel + snout + weeds);
}
