/** Household things: cups, books, lamps, radios, pans. Things that stand have their foot at x, y. */
import { circle, ellipse, num, path, place, rect, repeat, ring, type Svg, stroke } from './svg.ts';

/** A cup on a saucer; its rim is `size` wide. */
export function cup(x: number, y: number, size: number, china: string, shade: string, drink: string): Svg {
  return place(
    x,
    y,
    ellipse(0, -5, 78, 12, shade) +
      ring(58, -60, 20, china, 10) +
      path('M-56 -92H56C56 -40 40 -10 18 -8H-18C-40 -10 -56 -40 -56 -92Z', china) +
      path('M14 -8H18C40 -10 56 -40 56 -92H34C36 -46 28 -14 14 -8Z', shade) +
      ellipse(0, -92, 56, 11, shade) +
      ellipse(0, -91, 47, 7.5, drink),
    size / 112,
  );
}

/** An open book seen from in front, its spine's foot at x, y. */
export function openBook(x: number, y: number, w: number, cover: string, leaf: string, line: string): Svg {
  const page = (flip: 1 | -1): Svg =>
    place(
      0,
      0,
      path('M0 -8Q40 -26 92 -14V-84Q40 -96 0 -78Z', leaf) +
        repeat(4, (i) => stroke(`M18 ${-66 + i * 13}Q44 ${-76 + i * 13} 76 ${-70 + i * 13}`, line, 3.4)),
      1,
      0,
      flip,
    );
  return place(
    x,
    y,
    path('M0 0Q44 -14 100 -4V-80H-100V-4Q-44 -14 0 0Z', cover) + page(1) + page(-1),
    w / 200,
  );
}

/** Books standing in a row on y, each [width, height, colour]. */
export function shelfRow(
  x: number,
  y: number,
  books: readonly (readonly [number, number, string])[],
  band: string,
): Svg {
  let left = x;
  return books
    .map(([w, h, colour]) => {
      const out =
        rect(left, y - h, w - 2, h, colour, 3) +
        rect(left, y - h * 0.84, w - 2, 5, band) +
        rect(left, y - h * 0.22, w - 2, 5, band);
      left += w;
      return out;
    })
    .join('');
}

/** A table radio. */
export function radio(
  x: number,
  y: number,
  w: number,
  body: string,
  grille: string,
  dial: string,
  dark: string,
): Svg {
  return place(
    x,
    y,
    stroke('M30 -112L74 -176', dial, 5) +
      circle(75, -178, 6, dial) +
      rect(-96, -116, 192, 112, body, 20) +
      circle(-40, -60, 40, dark) +
      [30, 21, 12].map((r) => ring(-40, -60, r, grille, 4.5)).join('') +
      rect(14, -98, 66, 30, dial, 6) +
      stroke('M24 -76V-86M34 -76V-90M44 -76V-86M54 -76V-90M64 -76V-86', dark, 3) +
      circle(30, -40, 13, dial) +
      circle(66, -40, 13, dial) +
      rect(-78, -6, 22, 8, dark, 3) +
      rect(56, -6, 22, 8, dark, 3),
    w / 192,
  );
}

/** Headphones seen from in front, `w` wide, their middle at x, y. */
export function headphones(x: number, y: number, w: number, band: string, cup: string): Svg {
  return place(
    x,
    y,
    stroke('M-46 18V0A46 46 0 0 1 46 0V18', band, 12) +
      rect(-62, 6, 28, 50, cup, 13) +
      rect(34, 6, 28, 50, cup, 13),
    w / 124,
  );
}

/** A microphone of the old kind with a round head at x, y - h. */
export function microphone(x: number, y: number, h: number, head: string, slit: string, stand: string): Svg {
  const r = h * 0.2;
  return (
    rect(x - h * 0.02, y - h * 0.6, h * 0.04, h * 0.58, stand) +
    rect(x - h * 0.2, y - h * 0.04, h * 0.4, h * 0.04, stand, h * 0.02) +
    rect(x - r * 0.78, y - h, r * 1.56, h * 0.48, head, r * 0.78) +
    repeat(4, (i) => rect(x - r * 0.5, y - h * (0.9 - i * 0.075), r, h * 0.022, slit, 2))
  );
}

/** A telephone or tablet standing up, with its screen left bare for the caller to draw on. */
export function phone(x: number, y: number, w: number, h: number, body: string, screen: string): Svg {
  return (
    rect(x - w / 2, y - h, w, h, body, w * 0.14) +
    rect(x - w * 0.43, y - h + w * 0.07, w * 0.86, h - w * 0.14, screen, w * 0.09)
  );
}

/** A hanging lamp whose cord comes from the top edge. */
export function pendant(
  x: number,
  y: number,
  w: number,
  shade: string,
  light: string,
  cord: string,
  from = 0,
): Svg {
  return (
    rect(x - 2, from, 4, y - from, cord) +
    circle(x, y + w * 0.36, w * 0.14, light) +
    path(
      `M${num(x - w / 2)} ${num(y + w * 0.36)}A${num(w / 2)} ${num(w * 0.42)} 0 0 1 ${num(x + w / 2)} ${num(y + w * 0.36)}Z`,
      shade,
    )
  );
}

/** A table with two legs; its top's upper edge is at y. */
export function table(x: number, y: number, w: number, h: number, top: string, leg: string): Svg {
  return (
    rect(x + w * 0.08, y, 16, h, leg) + rect(x + w * 0.92 - 16, y, 16, h, leg) + rect(x, y, w, 20, top, 8)
  );
}

/** A loaf, a roll or a hill of dough with three cuts. */
export function loaf(x: number, y: number, w: number, crust: string, cut: string): Svg {
  return place(
    x,
    y,
    path('M-60 0C-74 -30 -44 -54 0 -54C44 -54 74 -30 60 0Z', crust) +
      stroke('M-30 -18Q-26 -34 -14 -42M-2 -18Q2 -36 14 -44M26 -18Q30 -34 38 -38', cut, 6),
    w / 128,
  );
}
