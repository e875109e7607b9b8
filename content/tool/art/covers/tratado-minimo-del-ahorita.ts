import { echo } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, clip, line, path, picture, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

/** A child's bicycle wheel hangs from a nail like a clock without hours; below, the hammock of someone in no hurry. */
export function cover(): Svg {
  const wall = rect(0, 0, 640, 640, c.brick) + echo(330, 254, 226, 42, 8, '#a63d27', 14);
  const nail = rect(322, 10, 16, 46, c.ink, 6) + circle(330, 14, 15, c.ink);
  const spokes = repeat(18, (i) => {
    const a = (i / 18) * Math.PI * 2;
    const twist = 0.3 * (i % 2 ? 1 : -1);
    return line(
      [330 + Math.cos(a + twist) * 26, 268 + Math.sin(a + twist) * 26],
      [330 + Math.cos(a) * 186, 268 + Math.sin(a) * 186],
      c.stone,
      4,
    );
  });
  const wheel =
    ring(330, 268, 206, c.ink, 28) +
    ring(330, 268, 184, c.amber, 12) +
    spokes +
    repeat(12, (i) =>
      circle(330 + Math.cos(i * 0.5236) * 206, 268 + Math.sin(i * 0.5236) * 206, 5, c.honey),
    ) +
    circle(330, 268, 30, c.coral) +
    circle(330, 268, 12, c.honey);
  const hands =
    stroke('M330 268L330 130', c.cream, 14) +
    stroke('M330 268L430 326', c.cream, 14) +
    circle(330, 268, 22, c.cream) +
    circle(330, 268, 9, c.brick);
  const tag = place(
    486,
    398,
    stroke('M-40 -30Q-20 -10 -4 2', c.cream, 4) +
      path('M-14 -6L14 -20H112Q120 -20 120 -12V46Q120 54 112 54H14L-14 40Z', c.paper) +
      circle(8, 17, 7, c.brick) +
      stroke('M30 4H98M30 20H86M30 36H70', c.stone, 6),
    1,
    12,
  );
  const sling =
    path(
      'M-20 436C40 560 170 720 320 720C470 720 600 560 660 436L640 470C560 560 460 592 320 592C180 592 80 560 0 470Z',
      c.cream,
    ) +
    clip(
      path(
        'M-20 436C40 560 170 720 320 720C470 720 600 560 660 436L640 470C560 560 460 592 320 592C180 592 80 560 0 470Z',
        c.ink,
      ),
      repeat(9, (i) =>
        path(
          `M${20 + i * 72} 430L${44 + i * 72} 430L${44 + i * 72 - (i - 4) * 12} 730H${20 + i * 72 - (i - 4) * 12}Z`,
          [c.honey, c.teal, c.rust][i % 3] ?? c.honey,
        ),
      ),
    );
  const sleeper =
    path(
      'M206 610C214 540 260 520 330 532C420 546 500 566 548 540L568 566C520 612 440 640 330 640C260 640 220 632 206 610Z',
      c.teal,
    ) +
    path('M376 540C440 552 506 560 548 540L568 566C520 612 450 630 380 632Z', c.night) +
    stroke('M556 554L588 520', c.night, 30) +
    path('M574 512L610 490L624 512L596 540Z', c.umber) +
    circle(176, 566, 44, '#c08558') +
    path('M112 566Q84 500 150 492Q222 486 234 556Q170 530 112 566Z', c.honey) +
    path('M92 576Q160 536 254 556Q250 574 234 574Q160 556 104 590Z', c.ochre) +
    stroke('M190 590q10 8 20 2', c.rust, 4);
  return picture(
    640,
    640,
    wall + place(16, 0, nail + wheel + hands, 0.95) + place(0, -30, tag) + place(0, -64, sleeper + sling),
  );
}
