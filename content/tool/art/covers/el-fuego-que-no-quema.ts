import * as c from '../palette.ts';
import {
  along,
  blob,
  circle,
  ellipse,
  path,
  picture,
  rect,
  repeat,
  ribbon,
  type Svg,
  stroke,
} from '../svg.ts';

const flame = (x: number, y: number, s: number, fill: string): Svg =>
  path(
    `M${x} ${y - 260 * s}C${x + 20 * s} ${y - 190 * s} ${x + 120 * s} ${y - 150 * s} ${x + 120 * s} ${y - 40 * s}C${x + 120 * s} ${y + 60 * s} ${x + 60 * s} ${y + 110 * s} ${x} ${y + 110 * s}C${x - 60 * s} ${y + 110 * s} ${x - 120 * s} ${y + 60 * s} ${x - 120 * s} ${y - 40 * s}C${x - 120 * s} ${y - 90 * s} ${x - 92 * s} ${y - 110 * s} ${x - 74 * s} ${y - 160 * s}C${x - 60 * s} ${y - 120 * s} ${x - 40 * s} ${y - 110 * s} ${x - 30 * s} ${y - 130 * s}C${x - 16 * s} ${y - 170 * s} ${x - 20 * s} ${y - 210 * s} ${x} ${y - 260 * s}Z`,
    fill,
  );

/** A parrot calmly holds a red pepper that looks like a fire. */
export function cover(): Svg {
  const ground =
    rect(0, 0, 640, 640, c.wine) +
    [1.9, 1.62, 1.36]
      .map((k, i) => flame(440, 420, k, ['#52142f', '#6a1a37', c.berry][i] ?? c.berry))
      .join('') +
    flame(440, 430, 1.16, c.amber) +
    flame(440, 446, 0.9, c.honey) +
    flame(440, 462, 0.64, c.cream);
  const body = blob(
    [
      [190, 60],
      [290, 100],
      [320, 210],
      [330, 400],
      [330, 660],
      [40, 660],
      [30, 420],
      [50, 200],
      [100, 90],
    ],
    c.teal,
  );
  const wing =
    blob(
      [
        [60, 400],
        [150, 380],
        [220, 460],
        [200, 660],
        [20, 660],
        [20, 480],
      ],
      c.lagoon,
    ) + repeat(3, (i) => stroke(`M70 ${470 + i * 52}Q120 ${510 + i * 52} 176 ${478 + i * 52}`, c.mint, 9));
  const breast = blob(
    [
      [290, 300],
      [330, 400],
      [330, 660],
      [220, 660],
      [250, 460],
    ],
    c.leaf,
  );
  const face =
    blob(
      [
        [190, 150],
        [262, 150],
        [300, 220],
        [270, 290],
        [196, 280],
        [160, 210],
      ],
      c.paper,
    ) + [0, 1, 2].map((i) => stroke(`M${186 + i * 6} ${236 + i * 16}q30 12 64 4`, c.stone, 5)).join('');
  const eye = circle(226, 196, 25, c.honey) + circle(228, 196, 14, c.ink) + circle(222, 190, 5, c.paper);
  const crest =
    ribbon(
      along(12, (t) => [150 - t * 60 + t * t * 20, 84 - t * 66]),
      (t) => 30 * (1 - t),
      c.coral,
    ) +
    ribbon(
      along(12, (t) => [186 - t * 36, 70 - t * 70]),
      (t) => 30 * (1 - t),
      c.amber,
    );
  const beak =
    path(
      'M264 150C350 130 412 196 392 290C386 318 372 330 362 336C366 290 340 262 286 262C262 240 256 190 264 150Z',
      c.ink,
    ) +
    path('M286 276C316 272 338 286 340 316C318 336 290 320 276 296Z', '#2a2d4d') +
    stroke('M296 174Q340 170 362 206', '#3b3f66', 9);
  const spine = along(30, (t) => [350 + Math.sin(t * 2.5) * 104 + t * 60, 338 + t * 250]);
  const pepper =
    ribbon(
      spine,
      (t) => (t < 0.12 ? 60 + t * 240 : 90 * Math.sqrt(Math.max(0, 1 - (t - 0.12) / 0.88)) + 1),
      '#d62f2c',
    ) +
    ribbon(
      spine.slice(2, 24).map(([x, y]) => [x - 14, y]),
      (t) => 13 * Math.sin(t * Math.PI),
      c.blush,
    );
  const stalk = stroke('M350 340Q330 300 322 268', c.leaf, 16) + ellipse(354, 346, 38, 24, c.leaf, 18);
  return picture(640, 640, ground + crest + body + wing + breast + face + eye + pepper + stalk + beak);
}
