import { echo } from '../motifs.ts';
import { blades } from '../nature.ts';
import * as c from '../palette.ts';
import {
  circle,
  clip,
  ellipse,
  path,
  picture,
  place,
  poly,
  rect,
  repeat,
  ring,
  type Svg,
  stroke,
} from '../svg.ts';

const pear = (x: number, y: number, s: number): Svg =>
  place(
    x,
    y,
    path('M0 -34C10 -34 12 -18 16 -8C28 4 26 34 0 34C-26 34 -28 4 -16 -8C-12 -18 -10 -34 0 -34Z', c.honey) +
      path('M4 -33C11 -30 12 -18 16 -8C28 4 26 34 0 34C16 22 14 -10 4 -33Z', c.amber) +
      stroke('M0 -32Q2 -42 8 -46', c.umber, 5),
    s,
  );

/** A house whose door is a keyhole full of apricot light; a pear tree leans in and a key waits on its ring. */
export function cover(): Svg {
  const sky = rect(0, 0, 640, 640, c.aubergine) + echo(300, 430, 120, 44, 12, '#341d4f', 15);
  const lawn = path('M-10 570Q320 520 650 570V650H-10Z', c.forest);
  const walls =
    poly(
      [
        [96, 572],
        [96, 300],
        [300, 116],
        [504, 300],
        [504, 572],
      ],
      c.plum,
    ) +
    poly(
      [
        [58, 322],
        [300, 98],
        [542, 322],
        [510, 350],
        [300, 156],
        [90, 350],
      ],
      c.coral,
    ) +
    rect(404, 120, 52, 110, c.brick) +
    rect(396, 110, 68, 18, c.coral, 4);
  const attic = circle(300, 250, 40, c.honey) + stroke('M300 210V290M260 250H340', c.plum, 8);
  const keyhole = circle(300, 408, 66, c.peach) + path('M276 440H324L356 572H244Z', c.peach);
  const light = clip(
    circle(300, 408, 66, c.ink) + path('M276 440H324L356 572H244Z', c.ink),
    repeat(5, (i) => ring(300, 408, 20 + i * 40, i % 2 ? c.amber : c.honey, 18)),
  );
  const beam = path('M244 572H356L420 650H180Z', c.peach) + path('M262 572H338L376 650H224Z', c.honey);
  const panes = [136, 408]
    .map(
      (x) =>
        rect(x, 392, 56, 76, c.honey, 28) +
        rect(x, 430, 56, 38, c.honey) +
        stroke(`M${x + 28} 392V468M${x} 432H${x + 56}`, c.plum, 6) +
        rect(x - 8, 466, 72, 10, c.coral, 4),
    )
    .join('');
  const branch =
    stroke('M650 250Q560 230 520 150M600 238Q560 290 556 340M650 120Q600 110 566 60', c.umber, 16) +
    [
      [512, 128, -40],
      [556, 196, 30],
      [592, 260, 10],
      [566, 316, 70],
      [556, 52, -20],
      [604, 104, 40],
      [634, 180, 10],
      [540, 160, 80],
    ]
      .map(([x, y, a]) => ellipse(x ?? 0, y ?? 0, 36, 15, (a ?? 0) > 20 ? c.moss : c.leaf, a ?? 0))
      .join('') +
    pear(524, 200, 1) +
    pear(560, 378, 1.1) +
    pear(606, 160, 0.95) +
    pear(624, 306, 1);
  const key = place(
    112,
    150,
    ring(0, 0, 34, c.amber, 15) +
      rect(-8, 34, 16, 116, c.amber, 6) +
      rect(0, 112, 34, 14, c.amber, 4) +
      rect(0, 136, 26, 14, c.amber, 4),
    0.9,
    24,
  );
  const grass =
    blades('house', -10, 650, 230, 20, 60, 16, c.moss, 12) +
    blades('house2', 420, 650, 240, 20, 60, 16, c.moss, 12);
  return picture(
    640,
    640,
    sky + lawn + walls + attic + panes + keyhole + light + beam + branch + key + grass,
  );
}
