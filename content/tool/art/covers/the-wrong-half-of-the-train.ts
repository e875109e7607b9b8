import { echo, ripple, stars, target } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, clip, path, picture, place, poly, rect, repeat, type Svg, stroke } from '../svg.ts';
import { carriage, streetLamp } from '../town.ts';

/** One train parts in two: half goes to the museums of a bright city, half to the sea at night, with a sleeper aboard. */
export function cover(): Svg {
  const left = 'M0 0H356L284 640H0Z';
  const right = 'M356 0H640V640H284Z';
  const city =
    rect(0, 0, 640, 640, c.amber) +
    target(150, 170, 106, [c.honey, c.cream, c.paper]) +
    echo(150, 170, 132, 38, 7, '#f9b556', 14) +
    rect(-10, 330, 60, 260, '#dd7f24') +
    poly(
      [
        [270, 600],
        [270, 360],
        [296, 330],
        [322, 360],
        [322, 600],
      ],
      '#dd7f24',
    ) +
    rect(64, 300, 176, 250, '#dd7f24') +
    poly(
      [
        [40, 290],
        [152, 216],
        [264, 290],
      ],
      c.brick,
    ) +
    rect(52, 286, 200, 18, c.cream) +
    repeat(5, (i) => rect(64 + i * 40, 304, 18, 220, c.cream));
  const coast =
    rect(0, 0, 640, 640, c.night) +
    stars('mar', 340, 10, 300, 230, 22, c.lilac) +
    echo(520, 150, 90, 38, 8, '#2a3170', 14) +
    target(520, 150, 66, [c.lilac, c.cream, c.paper]) +
    rect(280, 330, 380, 170, c.lagoon) +
    repeat(6, (i) => ripple(300 + (i % 2) * 30, 352 + i * 22, 70, 9, 10, c.teal, 6)) +
    repeat(3, (i) => rect(490 + i * 8, 344 + i * 22, 60 - i * 16, 7, c.cream, 3.5));
  const rails =
    rect(-10, 548, 660, 92, c.umber) +
    repeat(14, (i) => rect(-4 + i * 48, 570, 30, 14, c.clay, 4)) +
    rect(-10, 560, 660, 10, c.stone);
  const front = carriage(-130, 562, 390, 150, c.coral, c.cream, c.honey, c.ink, 4);
  const back =
    carriage(382, 562, 400, 150, c.coral, c.cream, c.honey, c.ink, 4) +
    place(
      452,
      478,
      circle(0, 0, 24, '#e8b48a') +
        path('M-25 0C-25 -34 27 -32 23 0C16 -14 -8 -18 -25 0Z', c.ink) +
        stroke('M-12 4q6 5 11 0M5 4q6 5 11 0', c.ink, 3.4) +
        stroke('M-2 14q5 4 10 0', c.brick, 3),
      0.9,
      14,
    );
  const gap =
    stroke('M262 520Q284 536 296 524M378 520Q356 536 346 522', c.ink, 10) +
    circle(298, 523, 9, c.ink) +
    circle(344, 521, 9, c.ink);
  const lamp = streetLamp(348, 566, 250, c.ink, c.honey);
  return picture(
    640,
    640,
    clip(path(left, c.ink), city) + clip(path(right, c.ink), coast) + lamp + rails + front + back + gap,
  );
}
