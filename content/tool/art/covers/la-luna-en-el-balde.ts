import { chuno, nina } from '../books/luna-cast.ts';
import { echo, stars, target } from '../motifs.ts';
import { land } from '../nature.ts';
import * as c from '../palette.ts';
import { head } from '../people.ts';
import { ellipse, path, picture, place, rect, type Svg, stroke } from '../svg.ts';

/** Nina and her dog look into the bucket, and the moon looks back. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.night) +
    stars('luna-balde', 10, 10, 620, 330, 34, c.lilac) +
    echo(320, 128, 124, 38, 5, c.indigo, 12) +
    target(320, 128, 92, [c.honey, c.cream, c.paper]);
  const hills =
    land(
      [
        [-20, 400],
        [120, 330],
        [260, 390],
        [420, 350],
        [560, 320],
        [660, 370],
      ],
      640,
      c.plum,
    ) +
    land(
      [
        [-20, 470],
        [160, 440],
        [330, 470],
        [520, 430],
        [660, 470],
      ],
      640,
      c.aubergine,
    );
  const handle = stroke('M134 400C150 250 490 250 506 400', c.sky, 10);
  const pail =
    path('M128 398H512L464 650H176Z', c.blue) +
    path('M420 400H512L464 650H400Z', '#3a52a8') +
    stroke('M146 500Q320 540 494 500', c.sky, 9);
  const water = ellipse(320, 400, 192, 62, c.sky) + ellipse(320, 402, 174, 51, c.ink);
  const rings = [1, 0.8, 0.62]
    .map(
      (k) =>
        `<ellipse cx="320" cy="404" rx="${154 * k}" ry="${42 * k}" fill="none" stroke="${c.indigo}" stroke-width="7"/>`,
    )
    .join('');
  const moon = ellipse(320, 404, 84, 23, c.honey) + ellipse(320, 403, 62, 15, c.paper);
  const girl = place(128, 296, head(nina, { face: 1, mood: 'smile' }), 3.5, 4);
  const friend = place(520, 322, chuno.head, 3, -14, -1);
  return picture(640, 640, sky + hills + handle + girl + friend + pail + water + rings + moon);
}
