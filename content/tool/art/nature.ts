/** Land, plants and animals. Things that stand are drawn with their foot at x, y. */
import {
  chance,
  circle,
  clip,
  ellipse,
  num,
  type Point,
  path,
  place,
  poly,
  rect,
  repeat,
  type Svg,
  smooth,
  stroke,
} from './svg.ts';

/** Ground whose upper edge runs softly through the points, filling down to `bottom`. */
export function land(points: readonly Point[], bottom: number, fill: string): Svg {
  const [first, last] = [points[0] ?? [0, 0], points[points.length - 1] ?? [0, 0]];
  return path(`${smooth(points)}L${num(last[0])} ${num(bottom)}L${num(first[0])} ${num(bottom)}Z`, fill);
}

/** A mountain with a lit and a shaded face and a cap of snow. */
export function mountain(
  x: number,
  y: number,
  w: number,
  h: number,
  lit: string,
  shade: string,
  snow: string,
): Svg {
  const top: Point = [x, y - h];
  const cut = 0.34;
  const cap: Point[] = [
    top,
    [x + (w / 2) * cut, y - h * (1 - cut)],
    [x + w * 0.09, y - h * 0.72],
    [x + w * 0.03, y - h * 0.6],
    [x - w * 0.05, y - h * 0.73],
    [x - (w / 2) * cut, y - h * (1 - cut)],
  ];
  return (
    poly([[x - w / 2, y], top, [x + w / 2, y]], lit) +
    poly([top, [x + w / 2, y], [x + w * 0.1, y], [x - w * 0.02, y - h * 0.45]], shade) +
    poly(cap, snow)
  );
}

/** A round tree. */
export function roundTree(
  x: number,
  y: number,
  h: number,
  crown: string,
  trunk: string,
  light?: string,
): Svg {
  const r = h * 0.34;
  return (
    rect(x - h * 0.035, y - h * 0.5, h * 0.07, h * 0.5, trunk) +
    circle(x, y - h + r, r, crown) +
    (light
      ? clip(circle(x, y - h + r, r, crown), circle(x - r * 0.45, y - h + r * 0.6, r * 0.75, light))
      : '') +
    stroke(
      `M${num(x)} ${num(y - h * 0.36)}l${num(h * 0.1)} ${num(-h * 0.12)}M${num(x)} ${num(y - h * 0.44)}l${num(-h * 0.09)} ${num(-h * 0.1)}`,
      trunk,
      h * 0.03,
    )
  );
}

/** A pine in three storeys. */
export function pineTree(x: number, y: number, h: number, fill: string, trunk: string): Svg {
  const tier = (top: number, low: number, half: number): Svg =>
    poly(
      [
        [x, y - h * top],
        [x + h * half, y - h * low],
        [x - h * half, y - h * low],
      ],
      fill,
    );
  return (
    rect(x - h * 0.04, y - h * 0.16, h * 0.08, h * 0.16, trunk) +
    tier(1, 0.58, 0.17) +
    tier(0.8, 0.34, 0.24) +
    tier(0.58, 0.1, 0.3)
  );
}

/** A cypress or poplar: one long leaf. */
export function cypress(x: number, y: number, h: number, fill: string, shade?: string): Svg {
  const leaf = (s: number): string =>
    `M${num(x)} ${num(y - h)}Q${num(x + h * 0.17 * s)} ${num(y - h * 0.38)} ${num(x + h * 0.03 * s)} ${num(y)}H${num(x)}Z`;
  return path(leaf(1), shade ?? fill) + path(leaf(-1), fill);
}

/** An upright stem with pairs of leaves, growing from x, y; `turn` leans it. */
export function sprig(
  x: number,
  y: number,
  h: number,
  pairs: number,
  leaf: string,
  stem: string,
  turn = 0,
): Svg {
  const one = (i: number): Svg => {
    const at = -h * (0.25 + (0.7 * i) / pairs);
    const size = h * 0.3 * (1 - (i / pairs) * 0.45);
    const d = `M0 0Q${num(size * 0.4)} ${num(-size * 0.55)} ${num(size)} ${num(-size * 0.45)}Q${num(size * 0.75)} ${num(size * 0.1)} 0 0Z`;
    return place(0, at, path(d, leaf)) + place(0, at, path(d, leaf), 1, 0, -1);
  };
  const tip = path(
    `M0 ${num(-h * 0.9)}Q${num(h * 0.08)} ${num(-h * 1.02)} 0 ${num(-h * 1.16)}Q${num(-h * 0.08)} ${num(-h * 1.02)} 0 ${num(-h * 0.9)}Z`,
    leaf,
  );
  return place(
    x,
    y,
    stroke(`M0 0V${num(-h * 0.95)}`, stem, Math.max(2, h * 0.03)) + repeat(pairs, one) + tip,
    1,
    turn,
  );
}

/** A flower head with round petals. */
export function flower(x: number, y: number, r: number, petals: number, fill: string, heart: string): Svg {
  return (
    repeat(petals, (i) =>
      ellipse(
        x + Math.cos((i / petals) * 6.2832) * r * 0.6,
        y + Math.sin((i / petals) * 6.2832) * r * 0.6,
        r * 0.46,
        r * 0.3,
        fill,
        (i / petals) * 360,
      ),
    ) + circle(x, y, r * 0.34, heart)
  );
}

/** Blades of grass or reeds rising from y between x and x + w; their heights make a voice. */
export function blades(
  seed: string,
  x: number,
  y: number,
  w: number,
  low: number,
  high: number,
  count: number,
  fill: string,
  width: number,
): Svg {
  const next = chance(seed);
  return repeat(count, (i) => {
    const bx = x + ((i + 0.2 + next() * 0.6) / count) * w;
    const h = low + next() * (high - low);
    const lean = (next() - 0.5) * h * 0.5;
    return path(
      `M${num(bx - width / 2)} ${num(y)}Q${num(bx)} ${num(y - h * 0.6)} ${num(bx + lean)} ${num(y - h)}Q${num(bx + width / 2)} ${num(y - h * 0.5)} ${num(bx + width / 2)} ${num(y)}Z`,
      fill,
    );
  });
}

/** A bird on the wing seen from afar. */
export function gull(x: number, y: number, w: number, colour: string, width = 4): Svg {
  return stroke(
    `M${num(x - w / 2)} ${num(y - w * 0.16)}Q${num(x - w * 0.2)} ${num(y - w * 0.28)} ${num(x)} ${num(y)}Q${num(x + w * 0.2)} ${num(y - w * 0.28)} ${num(x + w / 2)} ${num(y - w * 0.16)}`,
    colour,
    width,
  );
}

/** A small perched bird looking right; its feet at x, y. */
export function songbird(
  x: number,
  y: number,
  size: number,
  body: string,
  wing: string,
  beak: string,
  eye: string,
  flip: 1 | -1 = 1,
): Svg {
  const shape = path(
    'M-34 -14L-62 -4L-58 -14L-64 -22L-34 -26C-28 -52 0 -66 22 -58C38 -52 42 -36 36 -22C28 -4 0 2 -34 -14Z',
    body,
  );
  return place(
    x,
    y - size * 0.08,
    shape +
      path('M-36 -22C-20 -44 6 -40 12 -22C2 -10 -18 -10 -36 -22Z', wing) +
      path('M36 -48L54 -40L37 -34Z', beak) +
      circle(24, -44, 4, eye) +
      stroke('M-4 -6V8M8 -7V8', beak, 3.4),
    size / 66,
    0,
    flip,
  );
}

/** A fish looking right, its middle at x, y. */
export function fish(
  x: number,
  y: number,
  w: number,
  body: string,
  fin: string,
  eye: string,
  flip: 1 | -1 = 1,
): Svg {
  return place(
    x,
    y,
    path('M-34 0L-62 -22Q-54 0 -62 22Z', fin) +
      path('M-40 0Q-10 -34 28 -18Q46 -10 52 0Q46 10 28 18Q-10 34 -40 0Z', body) +
      path('M-8 -6Q8 -2 4 12Q-8 10 -8 -6Z', fin) +
      circle(34, -5, 4, eye),
    w / 114,
    0,
    flip,
  );
}
