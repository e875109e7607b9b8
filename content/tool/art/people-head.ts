/** Heads: faces, hair and hats. */
import * as c from './palette.ts';
import type { Look, Pose } from './people-look.ts';
import { blob, circle, ellipse, num, path, rect, type Svg, stroke } from './svg.ts';

/** Eyes, brows, nose, mouth and what grows or sits among them. */
function features(look: Look, pose: Pose): Svg {
  const f = (pose.face ?? 0) * 7.5;
  const mood = pose.mood ?? 'smile';
  const [l, r] = [-9 + f, 9 + f];
  const ink = c.ink;
  let out = circle(l - 5, 8, 5, look.cheeks) + circle(r + 5, 8, 5, look.cheeks);
  if (look.beard)
    out += path(
      `M-24 2Q-20 10 ${f - 8} 9Q${f} 6 ${f + 8} 9Q20 10 24 2Q24 30 ${f * 0.6} 31Q-24 30 -24 2Z`,
      look.beard,
    );
  if (mood === 'sleep') out += stroke(`M${l - 5} 0q5 5 10 0M${r - 5} 0q5 5 10 0`, ink, 2.2);
  else if (mood === 'laugh' || mood === 'sing')
    out += stroke(`M${l - 4.5} 1q4.5-7 9 0M${r - 4.5} 1q4.5-7 9 0`, ink, 2.4);
  else
    out +=
      ellipse(l, -1, 2.5, mood === 'surprise' ? 4 : 3.2, ink) +
      ellipse(r, -1, 2.5, mood === 'surprise' ? 4 : 3.2, ink);
  const lift = mood === 'surprise' ? -3 : 0;
  const worry = mood === 'sad' ? 3 : 0;
  const browColour = look.build === 'old' && !look.beard ? look.hair : (look.beard ?? look.hair);
  out += stroke(
    `M${l - 5} ${-8 + lift + worry}q4.5-4 9 ${-1 - worry}M${r + 5} ${-8 + lift + worry}q-4.5-4-9 ${-1 - worry}`,
    browColour,
    2.2,
  );
  const nx = f * 1.25;
  out += stroke(`M${num(nx)} 1q${(pose.face ?? 0) < 0 ? -4 : 4} 5 -1 6`, look.cheeks, 2.6);
  const mouth: Record<NonNullable<Pose['mood']>, Svg> = {
    smile: stroke(`M${f - 6} 12.5q6 5.5 12 0`, c.brick, 2.5),
    laugh: path(`M${f - 8} 11Q${f} 14 ${f + 8} 11Q${f + 7} 21 ${f} 21Q${f - 7} 21 ${f - 8} 11Z`, c.brick),
    sing: ellipse(f, 15, 4.6, 5.6, c.brick),
    calm: stroke(`M${f - 4} 14q4 2 8 0`, c.brick, 2.4),
    surprise: ellipse(f, 15, 3.6, 4.6, c.brick),
    sad: stroke(`M${f - 5} 16q5-4.5 10 0`, c.brick, 2.4),
    sleep: stroke(`M${f - 4} 13q4 3.5 8 0`, c.brick, 2.4),
  };
  out += mouth[mood];
  if (look.moustache)
    out += path(
      `M${f} 8C${f - 6} 5 ${f - 16} 8 ${f - 19} 16C${f - 12} 18 ${f - 4} 16 ${f} 12C${f + 4} 16 ${f + 12} 18 ${f + 19} 16C${f + 16} 8 ${f + 6} 5 ${f} 8Z`,
      look.moustache,
    );
  if (look.glasses)
    out += stroke(
      `M${l - 7} 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0M${r - 7} 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0M${l + 7} -1q2-2 ${r - l - 14} 0`,
      c.ink,
      1.9,
    );
  return out;
}

/** The hair that lies behind the head; `f` is how far the face is turned. */
export function hairBack(look: Look, f: number): Svg {
  const h = look.hair;
  switch (look.cut) {
    case 'bob':
      return blob(
        [
          [0, -32],
          [26, -22],
          [33, 4],
          [31, 24],
          [14, 28],
          [-14, 28],
          [-31, 24],
          [-33, 4],
          [-26, -22],
        ],
        h,
      );
    case 'long':
      return blob(
        [
          [0, -32],
          [26, -22],
          [31, 6],
          [33, 44],
          [18, 56],
          [-18, 56],
          [-33, 44],
          [-31, 6],
          [-26, -22],
        ],
        h,
      );
    case 'bun':
      return circle(-f * 1.6, -31, 13, h) + circle(0, -3, 29.5, h);
    case 'curls':
      return [
        [-24, -10],
        [-28, 6],
        [-24, 20],
        [24, -10],
        [28, 6],
        [24, 20],
        [-14, -25],
        [14, -25],
        [0, -29],
      ]
        .map(([x, y]) => circle(x ?? 0, y ?? 0, 13, h))
        .join('');
    case 'pigtails':
      return (
        circle(0, -3, 29, h) +
        ellipse(-36, 8, 11, 17, h, 14) +
        ellipse(36, 8, 11, 17, h, -14) +
        circle(-29, -4, 5, c.coral) +
        circle(29, -4, 5, c.coral)
      );
    case 'braids':
      return (
        circle(0, -3, 29, h) +
        [-1, 1]
          .map(
            (s) =>
              [12, 25, 37].map((y, i) => ellipse(s * (26.5 - i * 0.8), y, 8.5 - i * 0.7, 8.5, h)).join('') +
              ellipse(s * 24.5, 55, 4.4, 6, h) +
              circle(s * 24.7, 47, 4, look.trim ?? c.coral),
          )
          .join('')
      );
    case 'braid':
      return (
        circle(0, -3, 29, h) +
        [16, 30, 44, 57]
          .map((y, i) => ellipse(-f * 0.6 - (f >= 0 ? 22 : -22) + i * (f >= 0 ? -1.5 : 1.5), y, 9 - i, 9, h))
          .join('') +
        circle(-f * 0.6 - (f >= 0 ? 27 : -27), 65, 4.5, c.coral)
      );
    default:
      return '';
  }
}

/** The hair over the forehead. */
function hairFront(look: Look, f: number): Svg {
  const h = look.hair;
  const cap = `M-28 2C-32 -22 -16 -33 2 -33C20 -33 32 -20 28 2`;
  switch (look.cut) {
    case 'short':
      return path(`${cap}C26 -6 22 -12 18 -15C6 -10 -10 -10 -19 -15C-23 -10 -26 -6 -28 2Z`, h);
    case 'bald':
      return (
        path('M-28 6C-31 -2 -29 -10 -26 -14C-24 -8 -24 0 -25 8Z', h) +
        path('M28 6C31 -2 29 -10 26 -14C24 -8 24 0 25 8Z', h)
      );
    case 'bun':
    case 'braid':
    case 'braids':
      return path(`${cap}C24 -10 ${f * 0.6 + 8} -18 ${f * 0.6} -21C${f * 0.6 - 8} -18 -24 -10 -28 2Z`, h);
    case 'curls':
      return [
        [-21, -15],
        [-11, -23],
        [1, -26],
        [13, -22],
        [22, -14],
      ]
        .map(([x, y]) => circle(x ?? 0, y ?? 0, 10, h))
        .join('');
    default:
      return path(`${cap}C26 -4 25 -8 23 -12Q${f} -8 -23 -12C-25 -8 -26 -4 -28 2Z`, h);
  }
}

/** The hat, if there is one. */
function hatOf(look: Look, f: number): Svg {
  const col = look.hatColour ?? c.coral;
  switch (look.hat) {
    case 'cap':
      return (
        path('M-29 -8C-30 -32 -14 -37 0 -37C14 -37 30 -32 29 -8Z', col) +
        path(
          f < 0 ? 'M6 -9Q-20 -16 -46 -4Q-24 -2 6 -3Z' : 'M-6 -9Q20 -16 46 -4Q24 -2 -6 -3Z',
          look.trim ?? c.ink,
        )
      );
    case 'straw':
      return (
        ellipse(0, -14, 48, 10, col) +
        path('M-25 -14C-25 -40 -12 -43 0 -43C12 -43 25 -40 25 -14Z', col) +
        path('M-25 -20Q0 -14 25 -20L25 -13Q0 -7 -25 -13Z', look.trim ?? c.brick)
      );
    case 'beanie':
      return (
        path('M-30 -12C-31 -38 -14 -43 0 -43C14 -43 31 -38 30 -12Z', col) +
        rect(-32, -20, 64, 11, look.trim ?? c.cream, 5.5) +
        circle(0, -45, 8, look.trim ?? c.cream)
      );
    case 'beret':
      return ellipse(-f * 0.5 + 3, -24, 35, 14, col, -8) + circle(3, -39, 3, col);
    default:
      return '';
  }
}

/** A head alone, its middle at 0, 0. */
export function head(look: Look, pose: Pose = {}): Svg {
  return hairBack(look, (pose.face ?? 0) * 7.5) + faceAndHair(look, pose);
}

/** A head without the hair behind it. */
export function faceAndHair(look: Look, pose: Pose): Svg {
  const f = (pose.face ?? 0) * 7.5;
  const ear = (x: number): Svg => circle(x, 3, 6, look.skin);
  if (pose.back)
    return (
      ear(27) +
      ear(-27) +
      path(
        'M-27 -4C-27 -22 -15 -29 0 -29C15 -29 27 -22 27 -4C27 18 14 28 0 28C-14 28 -27 18 -27 -4Z',
        look.skin,
      ) +
      path(
        'M-28 -8H28C29 6 26 16 20 20L13 15L7 21L0 16L-7 21L-13 15L-20 20C-26 16 -29 6 -28 -8Z',
        look.hair,
      ) +
      (look.hat === 'cap'
        ? path('M-29 -6C-30 -32 -14 -37 0 -37C14 -37 30 -32 29 -6Q0 2 -29 -6Z', look.hatColour ?? c.coral)
        : '')
    );
  const faceShape = path(
    'M-27 -4C-27 -22 -15 -29 0 -29C15 -29 27 -22 27 -4C27 18 14 28 0 28C-14 28 -27 18 -27 -4Z',
    look.skin,
  );
  return (
    (f > 0 ? '' : ear(27)) +
    (f < 0 ? '' : ear(-27)) +
    faceShape +
    features(look, pose) +
    hairFront(look, f) +
    hatOf(look, f)
  );
}
