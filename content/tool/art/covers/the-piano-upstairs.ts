import { cup } from '../indoors.ts';
import { echo, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { type Look, person } from '../people.ts';
import { circle, clip, path, picture, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

const player: Look = {
  build: 'adult',
  skin: '#e8b48a',
  cheeks: '#d98f6c',
  hair: '#2a1820',
  cut: 'short',
  top: c.amber,
  bottom: c.ink,
  shoes: c.ink,
};
const nurse: Look = {
  build: 'adult',
  skin: '#8d5233',
  cheeks: '#74402a',
  hair: '#1b0d12',
  cut: 'bun',
  top: c.mint,
  bottom: c.mint,
  shoes: c.paper,
};

const note = (x: number, y: number, fill: string): Svg =>
  circle(x, y, 15, fill) + stroke(`M${x + 12} ${y}V${y - 50}`, fill, 6);

/** Two storeys of one evening: a piano above, and below it a nurse who stops to listen. */
export function cover(): Svg {
  const upper =
    rect(0, 0, 640, 310, c.plum) +
    echo(236, 190, 70, 40, 12, '#52307a', 13) +
    rect(430, 50, 130, 150, c.ink, 65) +
    rect(430, 120, 130, 80, c.ink) +
    circle(520, 96, 20, c.honey) +
    stroke('M495 56V200M430 128H560', c.plum, 7);
  const lower =
    rect(0, 326, 640, 314, c.lagoon) +
    clip(rect(0, 326, 640, 314, c.ink), echo(236, 326, 70, 40, 10, '#19686a', 13));
  const lampUp = rect(70, 118, 8, 176, c.honey) + path('M36 122L52 60H96L112 122Z', c.honey);
  const piano =
    rect(140, 132, 152, 164, c.ink, 8) +
    rect(128, 120, 176, 18, c.ink, 6) +
    rect(272, 210, 70, 20, c.ink, 4) +
    rect(286, 204, 56, 9, c.paper) +
    repeat(5, (i) => rect(292 + i * 10, 204, 4, 5, c.ink)) +
    rect(322, 226, 12, 70, c.ink) +
    voice(168, 206, [36, 66, 92, 60, 80, 40], 20, 7, c.violet) +
    rect(196, 98, 60, 24, c.cream, 3);
  const stool = rect(366, 226, 80, 14, c.coral, 6) + stroke('M380 240L372 296M432 240L440 296', c.coral, 8);
  const pianist = person(402, 226, 0.98, player, {
    legs: 'sit',
    face: -1,
    left: [-76, -30],
    right: [-66, -26],
    mood: 'calm',
    lean: -4,
  });
  const floor = rect(-10, 294, 660, 34, c.umber) + rect(-10, 294, 660, 8, c.ochre);
  const kitchen =
    rect(0, 560, 640, 80, c.pine) +
    rect(388, 486, 262, 90, c.teal) +
    rect(376, 474, 274, 16, c.cream, 5) +
    rect(404, 506, 100, 62, c.lagoon, 6) +
    rect(524, 506, 100, 62, c.lagoon, 6) +
    rect(438, 520, 32, 6, c.cream, 3) +
    rect(558, 520, 32, 6, c.cream, 3) +
    rect(556, 434, 60, 40, c.coral, 8) +
    stroke('M616 446q20-2 24 12', c.coral, 8) +
    stroke('M560 430Q586 408 612 430', c.ink, 6) +
    rect(430, 358, 180, 12, c.umber, 4) +
    [446, 488, 530, 572]
      .map((x, i) => rect(x, 326 + 10, 28, 24, [c.coral, c.amber, c.cream, c.mint][i] ?? c.cream, 4))
      .join('');
  const listener = person(240, 626, 1.28, nurse, {
    face: 1,
    tilt: -16,
    mood: 'sleep',
    right: [44, -34],
    rightHolds: place(14, 0, cup(0, 16, 34, c.paper, c.stone, c.umber)),
  });
  const notes =
    note(60, 402, c.honey) +
    note(104, 390, c.honey) +
    note(148, 404, c.honey) +
    note(74, 486, c.coral) +
    note(118, 500, c.coral) +
    ring(310, 404, 15, c.paper, 6);
  return picture(
    640,
    640,
    upper + lower + lampUp + piano + stool + pianist + floor + kitchen + listener + notes,
  );
}
