import { echo, ripple, target, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { ellipse, path, picture, rect, repeat, type Svg, stroke } from '../svg.ts';

/** A mate whose steam is a speech balloon with one wrong word in it; behind, the wide river. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.pine) +
    echo(500, 330, 130, 40, 6, c.lagoon, 13) +
    target(500, 330, 100, [c.coral, c.amber, c.honey]);
  const river =
    rect(0, 330, 640, 200, c.lagoon) +
    repeat(6, (i) => ripple(-30 + (i % 2) * 60, 362 + i * 26, 90, 12, 16, i === 1 ? c.teal : '#1a6f6d', 6)) +
    repeat(3, (i) => rect(500 - 64 + i * 14, 352 + i * 26, 128 - i * 28, 8, c.coral, 4));
  const table = rect(0, 530, 640, 110, c.clay) + rect(0, 530, 640, 12, c.peach);
  const gourd =
    path('M186 372C140 420 132 560 216 600C260 616 340 616 384 600C468 560 460 420 414 372Z', c.brick) +
    path('M414 372C460 420 468 560 384 600C364 608 340 611 316 612C420 560 400 430 360 372Z', c.rust) +
    voice(214, 500, [60, 110, 70, 140, 84], 28, 10, c.coral);
  const rim = rect(168, 346, 264, 36, c.stone, 18) + rect(168, 346, 264, 14, c.cream, 7);
  const herb =
    path('M190 348C200 306 260 292 306 300C360 292 402 314 410 348Z', c.leaf) +
    path('M190 348C200 316 240 306 268 316C262 332 240 346 230 348Z', c.sprout);
  const straw =
    stroke('M350 340L438 150', c.stone, 20) +
    stroke('M345 338L433 148', c.cream, 8) +
    stroke('M438 150Q450 122 484 118', c.stone, 18) +
    stroke('M362 316L373 292', c.amber, 26, 'butt');
  const balloon = path(
    'M84 44H330Q372 44 372 86V206Q372 248 330 248H268Q252 268 266 300Q224 290 214 248H84Q42 248 42 206V86Q42 44 84 44Z',
    c.paper,
  );
  const words =
    voice(100, 146, [44, 92, 66], 32, 17, c.teal) +
    voice(228, 146, [128], 32, 22, c.coral) +
    voice(264, 146, [64, 98, 40], 32, 17, c.teal);
  return picture(
    640,
    640,
    sky + river + table + ellipse(300, 606, 150, 16, c.rust) + straw + herb + gourd + rim + balloon + words,
  );
}
