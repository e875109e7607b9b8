/** What people build and ride: houses, towers, boats, trains, bicycles. Things that stand have their foot at x, y. */
import { chance, circle, clip, num, path, place, poly, rect, repeat, type Svg, stroke } from './svg.ts';

/** A gabled house with its left wall at x. `lit` are the windows. */
export function house(
  x: number,
  y: number,
  w: number,
  h: number,
  wall: string,
  roof: string,
  lit: string,
  door?: string,
): Svg {
  const pane = w * 0.18;
  const windows = repeat(2, (i) => rect(x + w * (0.18 + 0.46 * i), y - h * 0.72, pane, pane * 1.25, lit, 2));
  const entry = door
    ? rect(x + w * 0.4, y - h * 0.36, w * 0.2, h * 0.36, door, w * 0.1) +
      rect(x + w * 0.4, y - h * 0.18, w * 0.2, h * 0.18, door)
    : '';
  return (
    rect(x, y - h, w, h, wall) +
    poly(
      [
        [x - w * 0.08, y - h],
        [x + w / 2, y - h - w * 0.42],
        [x + w * 1.08, y - h],
      ],
      roof,
    ) +
    windows +
    entry
  );
}

/** A tall flat block with rows of windows, some of them dark, always the same ones for the same seed. */
export function block(
  seed: string,
  x: number,
  y: number,
  w: number,
  h: number,
  wall: string,
  lit: string,
  dark: string,
  cols = 3,
  step = 34,
): Svg {
  const next = chance(seed);
  const rows = Math.floor((h - 18) / step);
  const pane = (w / cols) * 0.46;
  const gap = w / cols;
  return (
    rect(x, y - h, w, h, wall) +
    repeat(rows * cols, (i) =>
      rect(
        x + gap * (i % cols) + (gap - pane) / 2,
        y - h + 18 + Math.floor(i / cols) * step,
        pane,
        step * 0.54,
        next() > 0.38 ? lit : dark,
        2,
      ),
    )
  );
}

/** A round-headed arch of width `w` standing on y. */
export function arch(x: number, y: number, w: number, h: number, fill: string): Svg {
  return path(
    `M${num(x)} ${num(y)}V${num(y - h + w / 2)}a${num(w / 2)} ${num(w / 2)} 0 0 1 ${num(w)} 0V${num(y)}Z`,
    fill,
  );
}

/** A striped lighthouse; its lamp is at x, y - h. */
export function lighthouse(
  x: number,
  y: number,
  h: number,
  wall: string,
  band: string,
  lamp: string,
  dark: string,
): Svg {
  const tower = poly(
    [
      [x - h * 0.13, y],
      [x - h * 0.075, y - h * 0.84],
      [x + h * 0.075, y - h * 0.84],
      [x + h * 0.13, y],
    ],
    wall,
  );
  const bands = clip(
    tower,
    [0.62, 0.38, 0.14].map((k) => rect(x - h * 0.2, y - h * (k + 0.11), h * 0.4, h * 0.11, band)).join(''),
  );
  return (
    tower +
    bands +
    rect(x - h * 0.11, y - h * 0.86, h * 0.22, h * 0.035, dark) +
    rect(x - h * 0.055, y - h * 0.97, h * 0.11, h * 0.11, lamp) +
    path(
      `M${num(x - h * 0.08)} ${num(y - h * 0.96)}a${num(h * 0.08)} ${num(h * 0.08)} 0 0 1 ${num(h * 0.16)} 0Z`,
      dark,
    ) +
    arch(x - h * 0.03, y, h * 0.06, h * 0.1, dark)
  );
}

/** A ferry going right, the waterline at y, about `w` long. */
export function ferry(
  x: number,
  y: number,
  w: number,
  hull: string,
  cabin: string,
  lit: string,
  funnel: string,
): Svg {
  const s = w / 300;
  const decks = rect(-100, -78, 190, 34, cabin, 6) + rect(-72, -108, 130, 34, cabin, 6);
  const panes =
    repeat(8, (i) => rect(-88 + i * 22, -68, 12, 14, lit, 3)) +
    repeat(5, (i) => rect(-58 + i * 22, -98, 12, 12, lit, 3));
  return place(
    x,
    y,
    rect(-30, -146, 34, 44, funnel) +
      rect(-30, -134, 34, 9, cabin) +
      decks +
      panes +
      path('M-150 -46H160L126 6Q122 14 110 14H-118Q-128 14 -132 6Z', hull) +
      rect(-140, -34, 292, 5, cabin),
    s,
  );
}

/** A sailing boat, the waterline at y. */
export function sailboat(
  x: number,
  y: number,
  w: number,
  hull: string,
  sail: string,
  jib: string,
  flip: 1 | -1 = 1,
): Svg {
  return place(
    x,
    y,
    stroke('M0 -6V-118', hull, 4) +
      path('M5 -114Q52 -60 52 -18H5Z', sail) +
      path('M-5 -100Q-40 -50 -42 -18H-5Z', jib) +
      path('M-58 -10H62Q56 12 36 14H-32Q-52 12 -58 -10Z', hull),
    w / 120,
    0,
    flip,
  );
}

/** A railway carriage with its left end at x and its wheels on y. */
export function carriage(
  x: number,
  y: number,
  w: number,
  h: number,
  body: string,
  stripe: string,
  lit: string,
  dark: string,
  panes: number,
): Svg {
  const gap = w / panes;
  return (
    rect(x, y - h, w, h - 12, body, 12) +
    rect(x, y - h * 0.36, w, h * 0.09, stripe) +
    repeat(panes, (i) => rect(x + gap * i + gap * 0.17, y - h * 0.82, gap * 0.66, h * 0.36, lit, 5)) +
    [0.16, 0.3, 0.7, 0.84].map((k) => circle(x + w * k, y - 10, 10, dark)).join('')
  );
}

/** A street lamp of height `h` whose light hangs at x, y - h. */
export function streetLamp(x: number, y: number, h: number, post: string, light: string): Svg {
  return (
    rect(x - h * 0.016, y - h * 0.9, h * 0.032, h * 0.9, post) +
    poly(
      [
        [x - h * 0.06, y - h * 0.9],
        [x - h * 0.085, y - h * 1.04],
        [x + h * 0.085, y - h * 1.04],
        [x + h * 0.06, y - h * 0.9],
      ],
      light,
    ) +
    poly(
      [
        [x - h * 0.1, y - h * 1.04],
        [x, y - h * 1.1],
        [x + h * 0.1, y - h * 1.04],
      ],
      post,
    ) +
    rect(x - h * 0.06, y - h * 0.02, h * 0.12, h * 0.02, post)
  );
}
