import { echo, ripple, target } from '../motifs.ts';
import * as c from '../palette.ts';
import { head, type Look } from '../people.ts';
import {
  along,
  circle,
  curve,
  line,
  type Point,
  path,
  picture,
  place,
  poly,
  rect,
  repeat,
  type Svg,
  stroke,
} from '../svg.ts';

const weaver: Look = {
  build: 'adult',
  skin: '#b87a50',
  cheeks: '#a05a3c',
  hair: '#1c1526',
  cut: 'short',
  top: c.coral,
  bottom: c.ink,
  shoes: c.ink,
  hat: 'beanie',
  hatColour: c.rose,
  trim: c.honey,
};

/** A bridge of plaited grass hangs over the gorge; its cords are a voice, and the last weaver sits in the middle. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.pine) +
    echo(320, 176, 150, 42, 8, '#114148', 14) +
    target(320, 176, 118, [c.coral, c.amber, c.honey]);
  const far =
    poly(
      [
        [-10, 420],
        [120, 190],
        [230, 420],
      ],
      c.lagoon,
    ) +
    poly(
      [
        [650, 420],
        [530, 170],
        [410, 420],
      ],
      c.lagoon,
    );
  const cliff =
    path('M-10 270H104L132 300L116 380L150 460L124 560L160 650H-10Z', c.brick) +
    path('M650 270H536L508 300L524 380L490 460L516 560L480 650H650Z', c.brick) +
    path('M-10 270H60L80 340L62 430L92 530L70 650H-10Z', c.clay) +
    path('M650 270H580L560 340L578 430L548 530L570 650H650Z', c.clay) +
    rect(-10, 258, 128, 20, c.leaf, 8) +
    rect(522, 258, 128, 20, c.leaf, 8);
  const river =
    path('M150 650Q200 560 320 560Q440 560 490 650Z', c.teal) +
    ripple(200, 616, 60, 9, 8, c.mint, 6) +
    ripple(250, 590, 50, 7, 5, c.mint, 5);
  const rail = (t: number): Point => [92 + t * 456, 250 + Math.sin(t * Math.PI) * 150];
  const floor = (t: number): Point => [92 + t * 456, 290 + Math.sin(t * Math.PI) * 196];
  const cords = repeat(27, (i) => {
    const t = (i + 1) / 28;
    return line(rail(t), floor(t), i % 2 ? c.honey : c.amber, 8);
  });
  const ropes =
    curve(along(24, floor), c.ochre, 26) +
    repeat(40, (i) => {
      const [x, y] = floor((i + 0.5) / 40);
      return stroke(`M${x - 5} ${y + 8}L${x + 5} ${y - 8}`, c.honey, 5);
    }) +
    curve(along(24, rail), c.honey, 14);
  const person = place(
    320,
    404,
    path('M-48 90C-52 40 -34 18 0 18C34 18 52 40 48 90Z', c.coral) +
      stroke('M-40 44Q-66 60 -56 84M40 44Q66 60 56 84', c.coral, 19) +
      circle(-54, 90, 11, weaver.skin) +
      circle(54, 90, 11, weaver.skin) +
      path('M-44 62Q0 80 44 62L46 74Q0 92 -46 74Z', c.honey) +
      place(0, -8, head(weaver, { mood: 'smile' }), 1.25),
    0.92,
  );
  const posts = [84, 540]
    .map((x) => rect(x - 6, 206, 28, 74, c.umber, 6) + rect(x - 10, 226, 36, 12, c.honey, 5))
    .join('');
  return picture(640, 640, sky + far + river + cliff + posts + person + cords + ropes);
}
