/** Generic scenes, one for each topic. */
import { cup, microphone, openBook } from '../indoors.ts';
import { call, echo, rays, sparkle, stars, target, voice } from '../motifs.ts';
import { blades, cypress, land, mountain, sprig } from '../nature.ts';
import type { Scheme } from '../palette.ts';
import {
  circle,
  ellipse,
  line,
  num,
  type Point,
  path,
  poly,
  rect,
  repeat,
  type Svg,
  stroke,
} from '../svg.ts';

/** A composition: it takes the colours and a source of numbers, and draws on a 640-unit square. */
export type Scene = (s: Scheme, next: () => number) => Svg;

/** Heights for a voice of `count` bars that swells in the middle. */
export function murmur(next: () => number, count: number, low: number, high: number): number[] {
  return Array.from(
    { length: count },
    (_, i) => low + (high - low) * Math.sin(((i + 0.5) / count) * Math.PI) * (0.35 + 0.65 * next()),
  );
}

export const dailyLife: Scene = (s, next) => {
  const wall = rect(70, 60, 500, 580, s.mid) + rect(50, 44, 540, 30, s.main, 6);
  const lit = Math.floor(next() * 9);
  const panes = repeat(9, (i) => {
    const [x, y] = [118 + (i % 3) * 148, 118 + Math.floor(i / 3) * 170];
    const on = i === lit || next() > 0.55;
    const frame =
      rect(x, y, 108, 124, on ? s.accent : s.deep, 54) + rect(x, y + 54, 108, 70, on ? s.accent : s.deep, 4);
    const inside =
      i === lit
        ? voice(x + 24, y + 76, murmur(next, 4, 18, 74), 20, 10, s.ground)
        : on
          ? next() > 0.5
            ? sprig(x + 54, y + 124, 74, 3, s.ground, s.ground)
            : circle(x + 54, y + 84, 20, s.ground) + rect(x + 22, y + 100, 64, 24, s.ground, 12)
          : line([x + 54, y + 8], [x + 54, y + 120], s.mid, 5);
    return frame + inside + rect(x - 10, y + 122, 128, 12, s.light, 4);
  });
  return wall + panes;
};

export const food: Scene = (s, next) => {
  const steam = voice(320 - 110, 190, murmur(next, 6, 60, 190), 44, 17, s.light);
  if (next() > 0.5)
    return (
      echo(320, 400, 250, 44, 4, s.mid, 12) +
      steam +
      rect(0, 540, 640, 100, s.main) +
      cup(320, 552, 300, s.pale, s.light, s.deep)
    );
  const rim = ellipse(320, 330, 210, 44, s.light) + ellipse(320, 330, 184, 33, s.mid);
  const morsels = repeat(5, (i) => circle(212 + i * 54, 326 + (i % 2) * 10, 24, i % 2 ? s.accent : s.pale));
  const front = path(
    'M110 334C122 380 220 374 320 374C420 374 518 380 530 334C530 473 440 540 320 540C200 540 110 473 110 334Z',
    s.main,
  );
  return (
    rect(0, 500, 640, 140, s.mid) +
    steam +
    rim +
    morsels +
    front +
    rect(250, 534, 140, 26, s.main, 8) +
    stroke('M152 410Q200 500 300 512', s.light, 10)
  );
};

export const travel: Scene = (s, next) => {
  const sun = 150 + next() * 340;
  const sky = target(sun, 230, 150, [s.accent, s.light, s.pale]) + echo(sun, 230, 190, 44, 3, s.mid, 10);
  const far =
    mountain(170 + next() * 80, 470, 420, 250, s.main, s.mid, s.pale) +
    mountain(470, 480, 380, 190, s.main, s.mid, s.pale);
  const near = land(
    [
      [-20, 450],
      [140, 420],
      [330, 470],
      [500, 430],
      [660, 470],
    ],
    640,
    s.deep,
  );
  const road = path(
    'M250 640C330 580 440 560 400 510C370 480 330 470 350 452C360 470 410 478 440 508C490 560 430 590 400 640Z',
    s.light,
  );
  return (
    sky +
    far +
    near +
    road +
    repeat(3, (i) => cypress(64 + i * 62, 560 + i * 22, 130 + next() * 40, s.main, s.mid))
  );
};

export const nature: Scene = (s, next) => {
  const x = 240 + next() * 160;
  const leaves = repeat(5, (i) =>
    sprig(80 + i * 120, 660, 250 + next() * 210, 4, i % 2 ? s.main : s.mid, s.light, (i - 2) * 4),
  );
  return (
    echo(x, 260, 170, 40, 4, s.mid, 10) +
    target(x, 260, 140, [s.accent, s.light, s.pale]) +
    leaves +
    blades(`n${num(x)}`, -10, 650, 660, 60, 150, 26, s.deep, 16)
  );
};

export const science: Scene = (s, next) => {
  const planet = target(320, 320, 120, [s.main, s.accent, s.light]);
  const tilt = -30 + next() * 60;
  const orbits = [0, 60, 120]
    .map(
      (a) =>
        `<ellipse cx="320" cy="320" rx="270" ry="${num(86 + next() * 20)}" fill="none" stroke="${s.light}" stroke-width="7" transform="rotate(${num(a + tilt)} 320 320)"/>`,
    )
    .join('');
  const bodies = repeat(3, (i) => {
    const a = ((i * 60 + tilt) * Math.PI) / 180;
    return circle(
      320 + 270 * Math.cos(a) * (i === 1 ? -1 : 1),
      320 + 270 * Math.sin(a) * (i === 1 ? -1 : 1),
      26,
      i === 1 ? s.accent : s.pale,
    );
  });
  return (
    circle(320, 320, 300, s.deep) +
    stars(`s${num(tilt)}`, 0, 0, 640, 640, 40, s.mid) +
    orbits +
    planet +
    bodies
  );
};

export const history: Scene = (s, next) => {
  const count = 3 + Math.floor(next() * 2);
  const step = 560 / count;
  const columns = repeat(count, (i) => {
    const x = 40 + step * (i + 0.5);
    const w = step * 0.46;
    return (
      rect(x - w * 0.7, 240, w * 1.4, 22, s.pale, 4) +
      rect(x - w / 2, 262, w, 290, s.light) +
      voice(x - w * 0.3, 407, murmur(next, 4, 120, 260), w * 0.2, w * 0.07, s.main) +
      rect(x - w * 0.7, 548, w * 1.4, 22, s.pale, 4)
    );
  });
  return (
    circle(320, 250, 210, s.mid) +
    echo(320, 250, 238, 34, 3, s.mid, 9) +
    poly(
      [
        [36, 214],
        [320, 84],
        [604, 214],
      ],
      s.main,
    ) +
    target(320, 166, 34, [s.accent, s.pale]) +
    rect(30, 208, 580, 34, s.accent) +
    columns +
    rect(20, 568, 600, 30, s.accent) +
    rect(0, 596, 640, 44, s.main)
  );
};

export const culture: Scene = (s, next) =>
  rays(320, 250, 150, 620, 14 + 2 * Math.floor(next() * 4), s.mid, 34) +
  circle(320, 270, 196, s.main) +
  circle(320, 270, 158, s.accent) +
  microphone(320, 600, 470, s.pale, s.ground, s.deep) +
  rect(0, 584, 640, 56, s.deep) +
  repeat(5, (i) => circle(64 + i * 128, 640, 74, i % 2 ? s.ground : s.mid)) +
  call(320, 270, 234, 34, 2, -50, 50, s.light, 10) +
  call(320, 270, 234, 34, 2, 130, 230, s.light, 10);

export const technology: Scene = (s, next) => {
  const wires = repeat(7, (i) => {
    const x = 80 + i * 80;
    const turn = 120 + next() * 60;
    const end: Point = [320 + (i - 3) * 26, 300];
    return (
      stroke(
        `M${x} -10V${num(turn)}L${num(end[0])} ${num(turn + Math.abs(x - end[0]))}V320`,
        i % 2 ? s.mid : s.main,
        9,
      ) +
      circle(x, turn - 40, 13, s.light) +
      stroke(
        `M${x} 650V${num(640 - turn)}L${num(end[0])} ${num(640 - turn - Math.abs(x - end[0]))}V320`,
        i % 2 ? s.main : s.mid,
        9,
      ) +
      circle(x, 640 - turn + 40, 13, i % 3 ? s.light : s.accent)
    );
  });
  return (
    wires +
    rect(170, 170, 300, 300, s.deep, 44) +
    rect(194, 194, 252, 252, s.main, 32) +
    voice(236, 320, murmur(next, 7, 40, 190), 28, 14, s.pale)
  );
};

export const stories: Scene = (s, next) => {
  const x = 240 + next() * 160;
  return (
    stars(`t${num(x)}`, 20, 20, 600, 330, 32, s.light) +
    echo(x, 250, 150, 40, 3, s.mid, 10) +
    target(x, 250, 118, [s.accent, s.light, s.pale]) +
    land(
      [
        [-20, 440],
        [160, 390],
        [320, 430],
        [480, 380],
        [660, 440],
      ],
      640,
      s.mid,
    ) +
    repeat(4, (i) => cypress([44, 104, 540, 600][i] ?? 0, 480, 120 + next() * 80, s.main, s.deep)) +
    path('M-20 520Q320 420 660 520V640H-20Z', s.deep) +
    openBook(320, 612, 460, s.main, s.pale, s.light) +
    sparkle(x + 150, 120, 26, s.pale)
  );
};
