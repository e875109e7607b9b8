import { echo } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, clip, ellipse, path, picture, place, poly, rect, repeat, ring, type Svg } from '../svg.ts';

/** Gerald lifts his lid and leaves the jar, while the cheese looks on. */
export function cover(): Svg {
  const fridge =
    rect(0, 0, 640, 640, c.indigo) +
    echo(300, 300, 210, 42, 8, '#363f92', 14) +
    rect(0, 556, 640, 18, c.sky) +
    rect(0, 574, 640, 66, c.night) +
    repeat(9, (i) => rect(20 + i * 74, 586, 10, 60, c.indigo, 5));
  const jar = 'M150 250H446V516Q446 556 406 556H190Q150 556 150 516Z';
  const dough = 'M150 330C180 300 400 300 446 330V516Q446 556 406 556H190Q150 556 150 516Z';
  const bubbles = [
    [190, 420, 20],
    [236, 500, 28],
    [300, 520, 16],
    [372, 500, 24],
    [416, 430, 18],
    [190, 540, 14],
    [410, 540, 14],
    [330, 548, 12],
  ];
  const glass =
    path(jar, '#4c6fd0') +
    path(dough, c.cream) +
    clip(
      path(dough, c.ink),
      bubbles
        .map(
          ([x, y, r]) =>
            circle(x ?? 0, y ?? 0, r ?? 0, c.stone) + ring(x ?? 0, y ?? 0, (r ?? 0) * 0.55, c.cream, 4),
        )
        .join(''),
    );
  const overflow =
    path(
      'M170 250C150 170 220 130 290 136C380 130 440 176 430 250C500 250 520 320 500 380C490 440 520 470 560 500C590 530 560 560 520 556H452C470 500 440 420 446 330H150C146 300 150 270 170 250Z',
      c.cream,
    ) +
    path('M452 556C470 500 446 430 446 340C470 400 490 470 520 500C540 520 530 552 516 556Z', '#efdcb6') +
    [
      [222, 190, 15],
      [390, 196, 19],
      [474, 320, 14],
      [262, 166, 8],
      [490, 440, 11],
      [540, 528, 9],
    ]
      .map(
        ([x, y, r]) =>
          circle(x ?? 0, y ?? 0, r ?? 0, c.stone) + ring(x ?? 0, y ?? 0, (r ?? 0) * 0.5, c.cream, 3),
      )
      .join('');
  const face =
    circle(262, 246, 13, c.ink) +
    circle(340, 246, 13, c.ink) +
    circle(266, 241, 4, c.paper) +
    circle(344, 241, 4, c.paper) +
    path('M270 276Q301 290 332 276Q328 318 301 318Q274 318 270 276Z', c.brick) +
    circle(232, 276, 16, c.blush) +
    circle(370, 276, 16, c.blush);
  const rim =
    rect(138, 328, 316, 24, c.sky, 12) +
    rect(166, 372, 16, 130, '#e2ecf7', 8) +
    rect(166, 516, 16, 20, '#e2ecf7', 8);
  const label =
    rect(220, 396, 156, 84, c.amber, 10) +
    path(
      'M298 462C272 442 262 430 270 416Q284 402 298 420Q312 402 326 416C334 430 324 442 298 462Z',
      c.brick,
    );
  const lid = place(318, 104, rect(-150, -26, 300, 52, c.coral, 14) + rect(-150, 6, 300, 12, c.brick), 1, 14);
  const cheese =
    poly(
      [
        [560, 556],
        [660, 470],
        [660, 556],
      ],
      c.amber,
    ) + ellipse(628, 528, 15, 11, c.ochre);
  const mustard =
    rect(36, 452, 74, 104, c.ochre, 12) + rect(44, 430, 58, 26, c.coral, 6) + rect(36, 484, 74, 40, c.paper);
  return picture(640, 640, fridge + mustard + cheese + lid + glass + rim + label + overflow + face);
}
