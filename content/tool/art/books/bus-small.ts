/** Small things that several pages of the bus's story share. */
import { flower } from '../nature.ts';
import * as c from '../palette.ts';
import { ellipse, type Point, rect, type Svg } from '../svg.ts';
import { catAt } from './bus-cast.ts';

/** A cat at a window as one shape. */
export const catShape =
  'M-30 4C-32 -26 -20 -36 -26 -44C-32 -56 -30 -60 -28 -90L-10 -76Q0 -79 10 -76L28 -90L30 -52Q30 -42 24 -36C26 -20 32 -10 30 4Z';
export const blackCat = catAt('#1f1a2b', '#c98a86', c.honey);
export const orangeCat = catAt('#e8843c', '#b7552a', c.forest);
export const greyCat = catAt('#8d93a3', '#c98a86', c.forest);
export const shade = (x: number, y: number, w: number): Svg => ellipse(x, y, w, w * 0.13, '#00000022');
export const blossoms = (places: readonly Point[], fill: string = c.blush): Svg =>
  places.map(([x, y]) => flower(x, y, 12, 5, fill, c.honey)).join('');
/** Books standing at a window, each a colour. */
export const standing = (colours: readonly string[]): Svg =>
  colours
    .map(
      (fill, i) =>
        rect(-42 + i * 14.5, -48 - ((i * 7) % 18), 13, 70, fill, 2) +
        rect(-42 + i * 14.5, -40 - ((i * 7) % 18), 13, 4, c.cream),
    )
    .join('');
