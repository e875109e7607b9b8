/** Further generic scenes, so that a shelf of imported pieces does not repeat itself. */
import { cup, headphones, loaf, pendant, phone, radio, shelfRow, table } from '../indoors.ts';
import { call, crescent, echo, ladder, rays, sea, stars, target, voice } from '../motifs.ts';
import { fish, gull, land, pineTree, songbird, sprig } from '../nature.ts';
import { circle, num, path, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';
import { arch, block, ferry, lighthouse, sailboat } from '../town.ts';

import { murmur, type Scene } from './scenes.ts';

export const kitchenRadio: Scene = (s, next) =>
  echo(250, 400, 120, 44, 9, s.mid, 13) +
  pendant(430, 96, 170, s.main, s.pale, s.light) +
  radio(250, 520, 300, s.accent, s.light, s.pale, s.deep) +
  table(40, 516, 560, 140, s.light, s.mid) +
  cup(500, 518, 86, s.pale, s.light, s.deep) +
  voice(484, 424, murmur(next, 3, 24, 56), 16, 7, s.light);

export const skyline: Scene = (s, next) => {
  const x = 170 + next() * 300;
  const towers = repeat(6, (i) =>
    block(
      `${i} ${num(x)}`,
      -14 + i * 112,
      600,
      98,
      170 + next() * 250,
      i % 2 ? s.mid : s.main,
      s.accent,
      s.deep,
      3,
      36,
    ),
  );
  return (
    stars(`k${num(x)}`, 0, 0, 640, 240, 24, s.light) +
    echo(x, 150, 104, 40, 6, s.mid, 11) +
    target(x, 150, 78, [s.accent, s.light, s.pale]) +
    towers +
    rect(0, 596, 640, 44, s.deep) +
    voice(44, 618, murmur(next, 19, 8, 26), 30, 8, s.light)
  );
};

export const bakery: Scene = (s, next) =>
  rays(320, 360, 170, 640, 18, s.mid, 26) +
  circle(320, 360, 210, s.main) +
  loaf(320, 470, 380, s.accent, s.pale) +
  voice(250, 190, murmur(next, 5, 50, 150), 35, 15, s.light) +
  rect(0, 470, 640, 26, s.light) +
  rect(0, 496, 640, 144, s.deep);

export const crossing: Scene = (s, next) => {
  const x = 420 + next() * 90;
  return (
    stars(`f${num(x)}`, 0, 0, 640, 260, 22, s.light) +
    echo(x, 150, 104, 40, 7, s.mid, 11) +
    target(x, 150, 80, [s.accent, s.light, s.pale]) +
    lighthouse(84, 420, 250, s.pale, s.main, s.accent, s.deep) +
    path('M-20 440Q70 390 200 450H-20Z', s.deep) +
    ferry(380, 452, 350, s.main, s.pale, s.accent, s.deep) +
    sea(640, 452, 20, 86, 650, s.mid) +
    sea(640, 506, 20, 86, 650, s.deep, 40) +
    voice(x - 48, 584, murmur(next, 5, 16, 62), 24, 9, s.light)
  );
};

export const birdsong: Scene = (s, next) => {
  const sway = next() * 8 - 4;
  return (
    target(300, 300, 220, [s.mid, s.main]) +
    stroke('M-20 480Q200 430 660 500', s.deep, 24) +
    [90, 200, 480, 570]
      .map((x, i) => sprig(x, 472 + i * 6, 150, 3, s.light, s.deep, sway + (i % 2 ? 150 : 20)))
      .join('') +
    songbird(280, 458, 250, s.accent, s.main, s.pale, s.deep) +
    call(494, 274, 26, 34, 4, -50, 30, s.pale, 12)
  );
};

export const pines: Scene = (s, next) => {
  const x = 200 + next() * 240;
  return (
    stars(`p${num(x)}`, 0, 0, 640, 300, 26, s.light) +
    echo(x, 200, 130, 42, 6, s.mid, 12) +
    target(x, 200, 104, [s.accent, s.light, s.pale]) +
    gull(x + 140, 150, 60, s.pale, 6) +
    gull(x + 80, 96, 40, s.pale, 5) +
    land(
      [
        [-20, 430],
        [200, 390],
        [420, 430],
        [660, 380],
      ],
      640,
      s.mid,
    ) +
    repeat(8, (i) =>
      pineTree(20 + i * 88, 520 + (i % 2) * 34, 190 + next() * 120, i % 2 ? s.main : s.deep, s.deep),
    ) +
    rect(0, 540, 640, 100, s.deep) +
    ladder(320, 568, murmur(next, 4, 60, 240), 20, 7, s.mid)
  );
};

export const shoal: Scene = (s, next) =>
  echo(320, 320, 80, 56, 8, s.mid, 14) +
  repeat(3, (i) =>
    fish(
      190 + (i % 2) * 240,
      150 + i * 170,
      230 + next() * 60,
      i === 1 ? s.accent : s.main,
      i === 1 ? s.main : s.light,
      s.deep,
      i === 1 ? -1 : 1,
    ),
  ) +
  repeat(4, (i) => sprig(60 + i * 174, 670, 180 + next() * 120, 4, s.mid, s.light, i * 4 - 6)) +
  repeat(9, (i) => ring(80 + next() * 480, 60 + next() * 480, 7 + (i % 3) * 5, s.light, 4));

export const planet: Scene = (s, next) => {
  const turn = -32 + next() * 20;
  const hoop = (r: number, colour: string, width: number): Svg =>
    place(
      320,
      330,
      `<path d="M${-r} 0A${r} ${num(r * 0.3)} 0 0 0 ${r} 0" fill="none" stroke="${colour}" stroke-width="${width}"/>`,
      1,
      turn,
    );
  const behind = (r: number, colour: string, width: number): Svg =>
    place(
      320,
      330,
      `<path d="M${-r} 0A${r} ${num(r * 0.3)} 0 0 1 ${r} 0" fill="none" stroke="${colour}" stroke-width="${width}"/>`,
      1,
      turn,
    );
  return (
    stars(`s${num(turn)}`, 0, 0, 640, 640, 60, s.light) +
    echo(320, 330, 200, 46, 6, s.deep, 14) +
    behind(250, s.light, 16) +
    behind(286, s.accent, 12) +
    target(320, 330, 150, [s.main, s.accent, s.light]) +
    hoop(250, s.light, 16) +
    hoop(286, s.accent, 12) +
    crescent(540, 110, 44, s.pale)
  );
};

export const aqueduct: Scene = (s, next) => {
  const x = 180 + next() * 280;
  const tier = (y: number, w: number, h: number, wall: string): Svg =>
    rect(0, y - h - 24, 640, h + 24, wall) +
    repeat(Math.ceil(640 / w), (i) => arch(i * w + w * 0.16, y, w * 0.68, h, s.ground)) +
    rect(0, y - h - 34, 640, 16, s.pale);
  return (
    echo(x, 170, 120, 42, 6, s.mid, 13) +
    target(x, 170, 94, [s.accent, s.light, s.pale]) +
    tier(360, 92, 92, s.light) +
    tier(560, 160, 170, s.main) +
    rect(0, 556, 640, 84, s.deep) +
    voice(56, 598, murmur(next, 23, 10, 46), 24, 8, s.mid)
  );
};

export const listening: Scene = (s, next) => {
  const row = (y: number): Svg =>
    shelfRow(
      10,
      y,
      Array.from(
        { length: 14 },
        (_, i) =>
          [34 + next() * 16, 90 + next() * 56, [s.main, s.mid, s.light, s.accent][i % 4] ?? s.main] as const,
      ),
      s.deep,
    ) + rect(0, y, 640, 16, s.pale);
  return (
    echo(320, 360, 150, 34, 3, s.mid, 10) +
    row(170) +
    row(624) +
    circle(320, 372, 132, s.deep) +
    headphones(320, 356, 300, s.pale, s.accent) +
    voice(320 - 52, 384, murmur(next, 5, 36, 120), 26, 13, s.light)
  );
};

export const pocket: Scene = (s, next) =>
  call(320, 300, 200, 44, 5, -40, 40, s.mid, 14) +
  call(320, 300, 200, 44, 5, 140, 220, s.mid, 14) +
  phone(320, 590, 290, 530, s.deep, s.main) +
  target(320, 250, 92, [s.accent, s.light, s.pale]) +
  voice(230, 430, murmur(next, 7, 30, 110), 30, 13, s.pale) +
  rect(240, 520, 160, 12, s.light, 6) +
  circle(286, 526, 16, s.pale);

export const voyage: Scene = (s, next) => {
  const x = 180 + next() * 100;
  return (
    stars(`v${num(x)}`, 0, 0, 640, 330, 36, s.light) +
    crescent(x, 150, 88, s.pale) +
    echo(x, 150, 130, 42, 6, s.mid, 11) +
    sailboat(390, 470, 300, s.accent, s.pale, s.light) +
    sea(640, 460, 24, 110, 650, s.main) +
    sea(640, 516, 24, 110, 650, s.mid, 50) +
    sea(640, 572, 24, 110, 660, s.deep, 10)
  );
};
