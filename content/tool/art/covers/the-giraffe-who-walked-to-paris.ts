import { echo, rain } from '../motifs.ts';
import { cypress, land } from '../nature.ts';
import * as c from '../palette.ts';
import { circle, clip, path, picture, place, poly, rect, type Svg, stroke } from '../svg.ts';
import { house } from '../town.ts';

/** A giraffe in a raincoat goes by above the roofs of France. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.lagoon) +
    echo(350, 160, 150, 44, 10, '#196a6c', 15) +
    rain('girafe', 0, -40, 680, 620, 60, c.teal, 6);
  const hills = land(
    [
      [-20, 430],
      [140, 380],
      [300, 420],
      [470, 370],
      [660, 420],
    ],
    640,
    c.pine,
  );
  const town =
    house(20, 520, 92, 84, c.cream, c.brick, c.lagoon) +
    house(110, 530, 80, 120, c.peach, c.rust, c.lagoon) +
    rect(496, 330, 46, 200, c.cream) +
    poly(
      [
        [488, 330],
        [519, 250],
        [550, 330],
      ],
      c.rust,
    ) +
    circle(519, 366, 13, c.lagoon) +
    house(548, 530, 100, 96, c.peach, c.brick, c.lagoon) +
    cypress(470, 540, 150, c.moss, c.forest) +
    cypress(214, 540, 110, c.moss, c.forest);
  const hide = c.amber;
  const neck = 'M258 640C262 500 286 330 304 214L374 190C392 330 396 470 460 640Z';
  const spots = [
    [312, 270, 26, 20],
    [356, 250, 20, 24],
    [340, 312, 26, 22],
    [300, 336, 20, 22],
    [372, 350, 18, 26],
    [326, 376, 24, 22],
  ]
    .map(([x, y, w, h]) =>
      place(
        x ?? 0,
        y ?? 0,
        path(
          `M${-(w ?? 0)} 4L${-(w ?? 0) * 0.4} ${-(h ?? 0)}L${(w ?? 0) * 0.8} ${-(h ?? 0) * 0.7}L${w ?? 0} ${(h ?? 0) * 0.5}L0 ${h ?? 0}Z`,
          c.clay,
        ),
      ),
    )
    .join('');
  const head =
    path(
      'M290 170C288 120 330 92 376 98C410 102 430 126 470 146C506 160 520 184 512 206C500 226 450 224 420 218C380 240 300 240 290 170Z',
      hide,
    ) +
    path('M470 146C506 160 520 184 512 206C500 226 460 224 440 220C440 190 450 160 470 146Z', c.cream) +
    circle(492, 178, 6, c.rust) +
    stroke('M450 206Q476 210 498 202', c.rust, 5) +
    circle(392, 142, 14, c.paper) +
    circle(396, 143, 9, c.ink) +
    stroke('M376 138Q388 124 408 130M376 138L366 132M381 132L372 123', c.rust, 5);
  const ears =
    path('M300 130C262 96 232 100 222 116C240 146 276 156 300 150Z', hide) +
    path('M290 134C266 116 248 114 240 120C254 138 274 144 292 144Z', c.peach) +
    stroke('M328 104L318 54M362 100L364 48', hide, 15) +
    circle(317, 48, 15, c.clay) +
    circle(364, 42, 15, c.clay);
  const coat =
    path('M290 372C330 396 370 392 402 366C428 440 486 520 540 640H150C220 560 268 470 290 372Z', c.coral) +
    path('M290 372C330 396 370 392 402 366L414 404C372 432 316 434 278 412Z', c.brick) +
    stroke('M346 428V640', c.brick, 6) +
    [464, 526, 588].map((y) => circle(368, y, 10, c.honey)).join('') +
    stroke('M200 610Q240 560 262 500M490 604Q456 550 440 500', c.brick, 6);
  return picture(
    640,
    640,
    sky + hills + town + path(neck, hide) + clip(path(neck, c.ink), spots) + coat + ears + head,
  );
}
