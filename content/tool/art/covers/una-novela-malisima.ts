import { echo, rays, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import {
  chance,
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
} from '../svg.ts';

const tea: Svg =
  ellipse(0, -3, 62, 9, c.stone) +
  ring(46, -38, 15, c.cream, 9) +
  path('M-44 -64H44C44 -26 30 -6 12 -4H-12C-30 -6 -44 -26 -44 -64Z', c.cream) +
  ellipse(0, -64, 44, 9, c.stone) +
  ellipse(0, -63, 36, 6, c.brick);

/** One shelf of spines on y, no two neighbours alike. */
function spines(seed: string, y: number): Svg {
  const next = chance(seed);
  const colours = [c.berry, c.night, '#5a1f15', c.brick, c.aubergine, c.umber];
  return (
    repeat(22, (i) => {
      const h = 74 + next() * 42;
      return (
        rect(-8 + i * 30, y - h, 27, h, colours[(i * 5 + Math.floor(next() * 2)) % 6] ?? c.berry, 3) +
        rect(-8 + i * 30, y - h + 14, 27, 5, '#7a3040')
      );
    }) + rect(-10, y, 660, 14, '#5e2233')
  );
}

/** A bad detective novel with a jam stain stands on the counter; a pencil talks in its margin, and two cups wait. */
export function cover(): Svg {
  const shop =
    rect(0, 0, 640, 640, c.wine) +
    spines('a', 130) +
    spines('b', 280) +
    spines('c', 430) +
    echo(320, 300, 262, 42, 3, '#5e1a36', 14);
  const leaves =
    path('M500 92L520 108V546L500 560Z', c.stone) +
    rect(160, 520, 350, 44, c.cream, 6) +
    repeat(4, (i) => rect(176, 530 + i * 8, 330, 3, c.stone));
  const board =
    rect(140, 76, 362, 452, c.moss, 12) +
    rect(140, 76, 44, 452, '#1f4d2c', 12) +
    rect(140, 516, 370, 16, '#1f4d2c', 8);
  const frame = rect(206, 104, 272, 330, c.pine, 8);
  const crime = clip(
    rect(206, 104, 272, 330, c.ink, 8),
    rays(342, 206, 40, 330, 14, '#125457', 22) +
      circle(342, 206, 58, '#1f7d77') +
      poly(
        [
          [306, 434],
          [322, 236],
          [362, 236],
          [378, 434],
        ],
        c.cream,
      ) +
      poly(
        [
          [314, 352],
          [317, 312],
          [367, 312],
          [370, 352],
        ],
        c.coral,
      ) +
      poly(
        [
          [308, 424],
          [311, 388],
          [373, 388],
          [376, 424],
        ],
        c.coral,
      ) +
      rect(310, 224, 64, 13, c.ink, 3) +
      rect(324, 184, 36, 42, c.honey) +
      path('M316 186Q342 148 368 186Z', c.ink) +
      path('M200 408Q240 388 280 408T360 408T440 408T520 408V440H200Z', c.teal),
  );
  const jam =
    path(
      'M392 372C420 348 478 360 486 402C492 430 470 440 466 470C464 490 444 490 440 470C436 448 418 456 410 476C402 492 388 484 390 464C394 440 366 440 366 412C366 394 378 384 392 372Z',
      '#d2304a',
    ) + ellipse(412, 396, 20, 10, '#f08a98', -24);
  const notes =
    rect(214, 456, 180, 46, '#1f4d2c', 6) +
    voice(236, 479, [14, 26, 18, 32, 20, 12, 28, 16, 22], 17, 6, c.sprout);
  const pencil = place(
    108,
    300,
    rect(-13, -150, 26, 250, c.amber) +
      rect(-4, -150, 8, 250, c.honey) +
      rect(-13, -184, 26, 34, c.rose, 8) +
      rect(-13, -156, 26, 14, c.stone) +
      poly(
        [
          [-13, 100],
          [13, 100],
          [0, 142],
        ],
        c.cream,
      ) +
      poly(
        [
          [-5, 126],
          [5, 126],
          [0, 142],
        ],
        c.ink,
      ),
    1,
    -12,
  );
  const counter = rect(0, 560, 640, 80, c.ochre) + rect(0, 560, 640, 12, c.amber);
  const cups =
    place(92, 612, tea, 1.06) +
    place(548, 612, tea, 1.06, 0, -1) +
    voice(72, 498, [34, 58, 30], 20, 9, c.peach) +
    voice(528, 498, [30, 58, 34], 20, 9, c.peach);
  return picture(640, 640, shop + counter + leaves + board + frame + crime + notes + jam + pencil + cups);
}
