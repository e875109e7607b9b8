/** The smallest possible vocabulary for drawing flat SVG: every helper takes numbers and colours and gives back markup. */

/** A piece of SVG markup. */
export type Svg = string;
/** A point in the picture's own units. */
export type Point = readonly [number, number];

/** A number as short as it may be without the eye seeing the difference. */
export function num(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

function at([x, y]: Point): string {
  return `${num(x)} ${num(y)}`;
}

/** A filled circle. */
export function circle(x: number, y: number, r: number, fill: string): Svg {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}" fill="${fill}"/>`;
}

/** A circle drawn as a line. */
export function ring(x: number, y: number, r: number, stroke: string, width: number): Svg {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}" fill="none" stroke="${stroke}" stroke-width="${num(width)}"/>`;
}

/** A filled ellipse, turned by `turn` degrees about its own middle. */
export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, turn = 0): Svg {
  const rotate = turn ? ` transform="rotate(${num(turn)} ${num(x)} ${num(y)})"` : '';
  return `<ellipse cx="${num(x)}" cy="${num(y)}" rx="${num(rx)}" ry="${num(ry)}" fill="${fill}"${rotate}/>`;
}

/** A filled rectangle with corners of radius `r`. */
export function rect(x: number, y: number, w: number, h: number, fill: string, r = 0): Svg {
  const corner = r ? ` rx="${num(r)}"` : '';
  return `<rect x="${num(x)}" y="${num(y)}" width="${num(w)}" height="${num(h)}"${corner} fill="${fill}"/>`;
}

/** A filled polygon through the points. */
export function poly(points: readonly Point[], fill: string): Svg {
  return `<path d="M${points.map(at).join('L')}Z" fill="${fill}"/>`;
}

/** A filled path with its `d` written by hand. */
export function path(d: string, fill: string): Svg {
  return `<path d="${d}" fill="${fill}"/>`;
}

/** A line along a hand-written `d`, with round ends and joins unless `cap` says otherwise. */
export function stroke(d: string, colour: string, width: number, cap: 'round' | 'butt' = 'round'): Svg {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${num(width)}" stroke-linecap="${cap}" stroke-linejoin="round"/>`;
}

/** A straight line between two points, round at the ends. */
export function line(a: Point, b: Point, colour: string, width: number): Svg {
  return stroke(`M${at(a)}L${at(b)}`, colour, width);
}

/** The `d` of a smooth curve through the points (Catmull-Rom), closed or open. */
export function smooth(points: readonly Point[], closed = false): string {
  const count = points.length;
  const pick = (i: number): Point => {
    const index = closed ? (i + count) % count : Math.min(Math.max(i, 0), count - 1);
    return points[index] ?? [0, 0];
  };
  let d = `M${at(pick(0))}`;
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const [a, b, c, e] = [pick(i - 1), pick(i), pick(i + 1), pick(i + 2)];
    const first: Point = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
    const second: Point = [c[0] - (e[0] - b[0]) / 6, c[1] - (e[1] - b[1]) / 6];
    d += `C${at(first)} ${at(second)} ${at(c)}`;
  }
  return closed ? `${d}Z` : d;
}

/** A filled soft shape through the points. */
export function blob(points: readonly Point[], fill: string): Svg {
  return path(smooth(points, true), fill);
}

/** A soft line through the points. */
export function curve(points: readonly Point[], colour: string, width: number): Svg {
  return stroke(smooth(points), colour, width);
}

/** Markup moved to x, y, then scaled and turned (degrees) about that place; a negative `flip` mirrors it. */
export function place(x: number, y: number, inner: Svg, scale = 1, turn = 0, flip: 1 | -1 = 1): Svg {
  const steps = [`translate(${num(x)} ${num(y)})`];
  if (turn) steps.push(`rotate(${num(turn)})`);
  if (scale !== 1 || flip < 0) {
    const size = Math.round(scale * 1000) / 1000;
    steps.push(flip < 0 ? `scale(${-size} ${size})` : `scale(${size})`);
  }
  return `<g transform="${steps.join(' ')}">${inner}</g>`;
}

/** Markup seen through a lower opacity. */
export function faded(opacity: number, inner: Svg): Svg {
  return `<g opacity="${opacity}">${inner}</g>`;
}

/** A short fingerprint of a text, the same on every machine. */
function fingerprint(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** Shows only what lies inside `shape`. The id comes from the content, so it is stable and does not clash. */
export function clip(shape: Svg, inner: Svg): Svg {
  const id = `c${fingerprint(shape + inner).toString(36)}`;
  return `<clipPath id="${id}">${shape}</clipPath><g clip-path="url(#${id})">${inner}</g>`;
}

/** `count` things drawn one after the other, from 0 to count - 1. */
export function repeat(count: number, draw: (i: number) => Svg): Svg {
  let out = '';
  for (let i = 0; i < count; i++) out += draw(i);
  return out;
}

/** A source of numbers from 0 to 1, always the same for the same seed. */
export function chance(seed: string): () => number {
  let state = (fingerprint(seed) % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A whole picture of the given size; what hangs over its edge is not shown. */
export function picture(width: number, height: number, inner: Svg): Svg {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${inner}</svg>\n`;
}

/** A tapering ribbon along the points; `width` says how wide it is at each share (0 to 1) of its length. */
export function ribbon(points: readonly Point[], width: (share: number) => number, fill: string): Svg {
  const left: Point[] = [];
  const right: Point[] = [];
  const last = points.length - 1;
  points.forEach(([x, y], i) => {
    const a = points[Math.max(0, i - 1)] ?? [x, y];
    const b = points[Math.min(last, i + 1)] ?? [x, y];
    const span = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const half = width(i / last) / 2;
    const [nx, ny] = [(-(b[1] - a[1]) / span) * half, ((b[0] - a[0]) / span) * half];
    left.push([x + nx, y + ny]);
    right.unshift([x - nx, y - ny]);
  });
  return path(`${smooth(left)}L${smooth(right).slice(1)}Z`, fill);
}

/** Points of a curve given by a function of its share (0 to 1). */
export function along(count: number, at: (share: number) => Point): Point[] {
  return Array.from({ length: count + 1 }, (_, i) => at(i / count));
}
