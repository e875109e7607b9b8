import { target } from '../motifs.ts';
import * as c from '../palette.ts';
import {
  along,
  blob,
  circle,
  ellipse,
  picture,
  place,
  rect,
  repeat,
  ribbon,
  type Svg,
  stroke,
} from '../svg.ts';

const fur = '#8a5532';
const light = '#e5bd8f';

/** An otter lies on its back in the weed and taps a shell against its good stone; the taps go out as rings. */
export function cover(): Svg {
  const sea =
    rect(0, 0, 640, 640, '#0f5b73') +
    repeat(
      7,
      (i) =>
        `<ellipse cx="320" cy="330" rx="${250 + i * 62}" ry="${150 + i * 54}" fill="none" stroke="#17708a" stroke-width="15"/>`,
    );
  const weed = (x: number, sway: number, fill: string, w: number): Svg =>
    ribbon(
      along(24, (t) => [x + Math.sin(t * 7 + sway) * 26, 680 - t * 720]),
      (t) => w * (0.5 + 0.5 * Math.abs(Math.sin(t * 12))) + 8,
      fill,
    );
  const back =
    weed(60, 0, c.moss, 30) +
    weed(150, 1.6, '#23623f', 26) +
    weed(560, 0.8, c.moss, 32) +
    weed(480, 2.4, '#23623f', 24);
  const tail = blob(
    [
      [320, 540],
      [376, 590],
      [372, 660],
      [320, 690],
      [268, 660],
      [264, 590],
    ],
    '#6f4226',
  );
  const feet = [
    [-1, 236],
    [1, 404],
  ]
    .map(([s, x]) =>
      place(
        x ?? 0,
        560,
        ellipse(0, 0, 40, 26, '#6f4226', (s ?? 1) * 30) +
          stroke('M-12 -4L-18 12M4 -4L2 16M18 -2L20 12', fur, 5),
        1,
      ),
    )
    .join('');
  const body =
    blob(
      [
        [320, 190],
        [430, 240],
        [468, 380],
        [430, 520],
        [320, 580],
        [210, 520],
        [172, 380],
        [210, 240],
      ],
      fur,
    ) +
    blob(
      [
        [320, 250],
        [394, 290],
        [412, 390],
        [386, 500],
        [320, 540],
        [254, 500],
        [228, 390],
        [246, 290],
      ],
      '#a66b41',
    );
  const head =
    ellipse(320, 166, 128, 108, fur) +
    circle(212, 112, 30, fur) +
    circle(428, 112, 30, fur) +
    circle(212, 114, 16, '#6f4226') +
    circle(428, 114, 16, '#6f4226') +
    blob(
      [
        [320, 120],
        [392, 150],
        [404, 206],
        [360, 250],
        [280, 250],
        [236, 206],
        [248, 150],
      ],
      light,
    );
  const face =
    ellipse(320, 176, 30, 21, c.ink) +
    stroke('M320 196V212M320 212Q300 232 284 218M320 212Q340 232 356 218', c.ink, 6) +
    stroke('M252 148q16-16 30 0M358 148q16-16 30 0', c.ink, 8) +
    stroke('M270 206L214 196M272 218L220 226M370 206L426 196M368 218L420 226', c.paper, 4);
  const stone = ellipse(320, 432, 80, 42, '#56648a') + ellipse(308, 420, 54, 24, '#7685ad');
  const shell =
    target(320, 352, 58, [c.coral, c.peach, c.cream]) +
    stroke('M320 352L276 318M320 352L300 298M320 352L340 298M320 352L364 318', c.coral, 5);
  const paws =
    stroke('M196 300Q190 380 262 366M444 300Q450 380 378 366', fur, 46) +
    circle(266, 364, 27, '#6f4226') +
    circle(374, 364, 27, '#6f4226');
  const pocket =
    stroke('M206 420Q226 458 262 450', '#6f4226', 8) +
    circle(232, 432, 14, c.amber) +
    stroke('M434 420Q414 458 378 450', '#6f4226', 8);
  const wrap =
    ribbon(
      along(30, (t) => [110 + t * 420, 494 + Math.sin(t * 3.14) * 44 - t * 30]),
      (t) => 30 + 10 * Math.sin(t * 20),
      c.leaf,
    ) +
    ribbon(
      along(30, (t) => [520 - t * 410, 540 + Math.sin(t * 3.14) * 40 - t * 26]),
      (t) => 22 + 8 * Math.sin(t * 22),
      c.moss,
    );
  const front = weed(24, 2, c.leaf, 28) + weed(616, 3, c.leaf, 28);
  return picture(
    640,
    640,
    sea + back + tail + feet + body + pocket + stone + shell + paws + head + face + wrap + front,
  );
}
