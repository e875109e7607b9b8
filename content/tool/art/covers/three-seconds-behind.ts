import { echo, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, ellipse, path, picture, place, rect, type Svg, stroke } from '../svg.ts';

const profile =
  'M-40 300C-34 240 -40 216 -60 184C-104 130 -118 70 -108 10C-94 -76 -30 -124 50 -122C126 -120 172 -72 176 -8C177 10 170 22 178 36C190 58 200 68 198 76C196 84 180 86 179 92C178 100 186 104 183 112C181 118 175 120 175 125C175 131 182 134 179 144C172 168 146 168 118 162C102 162 98 184 102 206C106 236 124 262 150 300Z';

/** The same face three times, each a moment later than the last; the nearest wears the headphones. */
export function cover(): Svg {
  const ground = rect(0, 0, 640, 640, c.wine) + echo(210, 330, 220, 44, 9, '#51142f', 14);
  const one = place(420, 300, path(profile, c.berry), 1.16);
  const two = place(316, 320, path(profile, c.rose), 1.2);
  const skin = place(204, 344, path(profile, c.peach), 1.26);
  const hair = place(
    204,
    344,
    path(
      'M-60 184C-104 130 -118 70 -108 10C-94 -76 -30 -124 50 -122C104 -121 144 -97 163 -62C120 -40 60 -50 34 -20C14 6 22 40 -6 60C-34 80 -30 140 -52 176Z',
      c.ink,
    ) +
      circle(-96, -70, 56, c.ink) +
      stroke('M104 34q14 10 30 2', c.ink, 7) +
      stroke('M96 6q18 -14 42 -6', c.ink, 6) +
      ellipse(110, 90, 20, 15, c.coral),
    1.26,
  );
  const phones = place(
    204,
    344,
    stroke('M-12 30C-30 -60 0 -116 46 -136', c.amber, 20) +
      rect(-46, 12, 64, 96, c.amber, 30) +
      rect(-46, 30, 28, 60, c.ochre, 14) +
      stroke('M-10 100Q40 150 118 140', c.ink, 9) +
      rect(112, 126, 34, 24, c.ink, 12),
    1.26,
  );
  const blouse = path('M30 660C60 640 130 620 160 610L330 616C400 630 430 645 450 660Z', c.teal);
  const words =
    voice(482, 520, [44], 1, 22, c.honey) +
    voice(534, 520, [82], 1, 22, c.honey) +
    voice(586, 520, [128], 1, 22, c.honey);
  return picture(640, 640, ground + one + two + skin + hair + phones + blouse + words);
}
