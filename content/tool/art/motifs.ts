/** The signs that return in every picture: the voice (round bars), the echo (rings that listen) and the sky they live under. */
import { chance, circle, num, path, rect, repeat, ring, type Svg, stroke } from './svg.ts';

/** A voice: round upright bars of the given heights, middled on y, from x to the right. */
export function voice(
  x: number,
  y: number,
  heights: readonly number[],
  step: number,
  width: number,
  fill: string,
): Svg {
  return heights.map((h, i) => rect(x + i * step - width / 2, y - h / 2, width, h, fill, width / 2)).join('');
}

/** A voice lying down: round level bars of the given lengths, middled on x, going down from y. */
export function ladder(
  x: number,
  y: number,
  lengths: readonly number[],
  step: number,
  width: number,
  fill: string,
): Svg {
  return lengths.map((w, i) => rect(x - w / 2, y + i * step - width / 2, w, width, fill, width / 2)).join('');
}

/** An echo: rings about one place, the innermost of radius `r`. */
export function echo(
  x: number,
  y: number,
  r: number,
  step: number,
  count: number,
  colour: string,
  width: number,
): Svg {
  return repeat(count, (i) => ring(x, y, r + i * step, colour, width));
}

/** Part of a ring from one angle to another, clockwise in degrees, 0 pointing right. */
export function arc(
  x: number,
  y: number,
  r: number,
  from: number,
  to: number,
  colour: string,
  width: number,
): Svg {
  const a = (from * Math.PI) / 180;
  const b = (to * Math.PI) / 180;
  const big = to - from > 180 ? 1 : 0;
  const d = `M${num(x + r * Math.cos(a))} ${num(y + r * Math.sin(a))}A${num(r)} ${num(r)} 0 ${big} 1 ${num(x + r * Math.cos(b))} ${num(y + r * Math.sin(b))}`;
  return stroke(d, colour, width);
}

/** An echo that goes one way only: arcs between two angles. */
export function call(
  x: number,
  y: number,
  r: number,
  step: number,
  count: number,
  from: number,
  to: number,
  colour: string,
  width: number,
): Svg {
  return repeat(count, (i) => arc(x, y, r + i * step, from, to, colour, width));
}

/** A disc with paler discs inside it: a sun or a moon that listens. */
export function target(x: number, y: number, r: number, colours: readonly string[]): Svg {
  const count = colours.length;
  return colours.map((fill, i) => circle(x, y, r * (1 - i / (count + 0.6)), fill)).join('');
}

/** Sun rays: `count` wedges from the inner to the outer radius. */
export function rays(
  x: number,
  y: number,
  inner: number,
  outer: number,
  count: number,
  colour: string,
  width: number,
): Svg {
  return repeat(count, (i) => {
    const a = (i / count) * Math.PI * 2 - Math.PI / 2;
    const [c, s] = [Math.cos(a), Math.sin(a)];
    return stroke(
      `M${num(x + inner * c)} ${num(y + inner * s)}L${num(x + outer * c)} ${num(y + outer * s)}`,
      colour,
      width,
    );
  });
}

/** A thin moon: a disc with a bite taken out of its upper right (or left with a negative bite). */
export function crescent(x: number, y: number, r: number, fill: string, bite = 0.42): Svg {
  const dx = r * bite;
  const id = `M${num(x + dx * 0.8)} ${num(y - r * 0.98)}A${num(r)} ${num(r)} 0 1 ${bite > 0 ? 0 : 1} ${num(x + (bite > 0 ? r * 0.98 : -r * 0.98))} ${num(y + Math.abs(dx) * 0.8)}A${num(r * 0.8)} ${num(r * 0.8)} 0 1 ${bite > 0 ? 1 : 0} ${num(x + dx * 0.8)} ${num(y - r * 0.98)}Z`;
  return path(id, fill);
}

/** Stars strewn over a field, always the same for the same seed; some small, some four-pointed. */
export function stars(
  seed: string,
  x: number,
  y: number,
  w: number,
  h: number,
  count: number,
  fill: string,
): Svg {
  const next = chance(seed);
  return repeat(count, (i) => {
    const [sx, sy, size] = [x + next() * w, y + next() * h, 1.6 + next() * 2.4];
    return i % 6 === 5 ? sparkle(sx, sy, size * 3.4, fill) : circle(sx, sy, size, fill);
  });
}

/** A star with four soft points. */
export function sparkle(x: number, y: number, r: number, fill: string): Svg {
  const k = r * 0.16;
  const p = (dx: number, dy: number): string => `${num(x + dx)} ${num(y + dy)}`;
  return path(
    `M${p(0, -r)}Q${p(k, -k)} ${p(r, 0)}Q${p(k, k)} ${p(0, r)}Q${p(-k, k)} ${p(-r, 0)}Q${p(-k, -k)} ${p(0, -r)}Z`,
    fill,
  );
}

/** A flat cloud of width `w` sitting on y. */
export function cloud(x: number, y: number, w: number, fill: string): Svg {
  const h = w * 0.22;
  return (
    rect(x, y - h, w, h, fill, h / 2) +
    circle(x + w * 0.36, y - h * 0.9, w * 0.18, fill) +
    circle(x + w * 0.6, y - h * 0.75, w * 0.14, fill)
  );
}

/** Slanted rain over a field. */
export function rain(
  seed: string,
  x: number,
  y: number,
  w: number,
  h: number,
  count: number,
  colour: string,
  width = 3,
  slant = 0.28,
): Svg {
  const next = chance(seed);
  return repeat(count, () => {
    const [rx, ry, length] = [x + next() * w, y + next() * h, 16 + next() * 26];
    return stroke(`M${num(rx)} ${num(ry)}l${num(-length * slant)} ${num(length)}`, colour, width);
  });
}

/** A band whose upper edge is a regular wave; it fills down to `bottom`. */
export function sea(
  width: number,
  y: number,
  amplitude: number,
  length: number,
  bottom: number,
  fill: string,
  shift = 0,
): Svg {
  let d = `M${num(shift - length)} ${num(y)}`;
  for (let x = shift - length, up = true; x < width + length; x += length / 2, up = !up) {
    d += `q${num(length / 4)} ${num(up ? -amplitude : amplitude)} ${num(length / 2)} 0`;
  }
  return path(`${d}V${num(bottom)}H${num(shift - length)}Z`, fill);
}

/** A wavy line, `count` half waves long. */
export function ripple(
  x: number,
  y: number,
  length: number,
  amplitude: number,
  count: number,
  colour: string,
  width: number,
): Svg {
  let d = `M${num(x)} ${num(y)}`;
  for (let i = 0; i < count; i++)
    d += `q${num(length / 4)} ${num(i % 2 ? amplitude : -amplitude)} ${num(length / 2)} 0`;
  return stroke(d, colour, width);
}
