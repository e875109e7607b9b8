import { echo, target } from '../motifs.ts';
import { mountain } from '../nature.ts';
import * as c from '../palette.ts';
import { circle, clip, ellipse, path, picture, place, poly, rect, repeat, type Svg, stroke } from '../svg.ts';

/** The world in two halves: the monument stands a little to one side of the line, and a dog sleeps exactly on it. */
export function cover(): Svg {
  const halves = rect(0, 0, 430, 640, c.indigo) + rect(430, 0, 210, 640, c.berry);
  const rings =
    clip(rect(0, 0, 430, 640, c.ink), echo(212, 186, 118, 44, 6, '#363f92', 14)) +
    clip(rect(430, 0, 210, 640, c.ink), echo(212, 186, 118, 44, 8, '#93274f', 14));
  const peaks =
    mountain(70, 500, 330, 200, c.blue, '#3a51a8', c.paper) +
    clip(rect(430, 0, 210, 640, c.ink), mountain(560, 500, 380, 260, c.rose, '#b23f68', c.paper)) +
    clip(rect(0, 0, 430, 640, c.ink), mountain(560, 500, 380, 260, c.blue, '#3a51a8', c.paper));
  const ground = rect(0, 490, 430, 150, c.leaf) + rect(430, 490, 210, 150, c.amber);
  const painted = poly(
    [
      [198, 490],
      [226, 490],
      [250, 640],
      [174, 640],
    ],
    c.paper,
  );
  const tower =
    poly(
      [
        [150, 490],
        [170, 286],
        [254, 286],
        [274, 490],
      ],
      c.stone,
    ) +
    poly(
      [
        [216, 490],
        [216, 286],
        [254, 286],
        [274, 490],
      ],
      '#b99e74',
    ) +
    rect(156, 268, 112, 22, c.cream, 4) +
    rect(128, 486, 168, 20, c.cream, 4) +
    repeat(4, (i) => rect(178 + i * 18, 330, 8, [60, 100, 80, 46][i] ?? 60, '#8f764f', 4));
  const globe =
    target(212, 186, 84, [c.teal]) +
    clip(
      circle(212, 186, 84, c.ink),
      path(
        'M150 120Q190 110 206 146Q226 170 200 196Q196 250 172 262Q150 220 150 190Q120 170 120 140ZM240 116Q280 120 300 160L296 200Q270 214 256 190Q236 160 240 116Z',
        c.honey,
      ),
    ) +
    stroke('M128 186H296', c.coral, 9) +
    stroke('M212 102V90M212 270V262', c.cream, 12);
  const line = rect(424, 0, 12, 640, c.paper);
  const dog = place(
    430,
    606,
    path('M-104 0C-116 -50 -60 -72 0 -70C62 -70 104 -48 100 0Z', c.clay) +
      clip(
        path('M-104 0C-116 -50 -60 -72 0 -70C62 -70 104 -48 100 0Z', c.clay),
        rect(0, -90, 120, 100, '#8f5634'),
      ) +
      ellipse(-88, -22, 46, 32, c.clay) +
      path('M-104 -50C-134 -40 -128 -2 -112 8C-92 0 -88 -34 -104 -50Z', c.umber) +
      stroke('M-84 -22q8 8 16 0', c.ink, 5) +
      ellipse(-130, -12, 10, 8, c.ink) +
      stroke('M96 -10Q132 -6 130 -34', '#8f5634', 15) +
      ellipse(-60, -2, 34, 11, c.clay),
    1,
  );
  return picture(640, 640, halves + rings + peaks + ground + painted + tower + globe + line + dog);
}
