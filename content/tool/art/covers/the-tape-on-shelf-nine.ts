import { echo, target, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, path, picture, place, rect, repeat, ring, type Svg, stroke } from '../svg.ts';

const red = '#d62f2c';

function reel(x: number, y: number, tape: number): Svg {
  return (
    circle(x, y, 56, c.stone) +
    circle(x, y, tape, '#5a3414') +
    circle(x, y, 22, c.cream) +
    repeat(3, (i) =>
      rect(x - 4, y - 18, 8, 12, c.ink, 3).replace('/>', ` transform="rotate(${i * 120} ${x} ${y})"/>`),
    ) +
    circle(x, y, 5, c.ink)
  );
}

/** On the shelf of things nobody could throw away: a red recorder with a label, umbrellas, and a cage without its parrot. */
export function cover(): Svg {
  const wall = rect(0, 0, 640, 640, c.pine) + echo(320, 364, 206, 42, 9, '#114148', 14);
  const shelf =
    rect(-10, 516, 660, 30, c.ochre) + rect(-10, 540, 660, 16, '#8a5f12') + rect(0, 556, 640, 84, '#08252a');
  const hanging = repeat(6, (i) => {
    const x = 40 + i * 112;
    const colour = [c.teal, c.coral, c.violet, c.amber, c.rose, c.leaf][i] ?? c.teal;
    return (
      stroke(`M${x} 560V586`, c.stone, 6) + path(`M${x - 20} 588H${x + 20}L${x + 5} 660H${x - 5}Z`, colour)
    );
  });
  const cage =
    stroke('M114 -10V96', c.stone, 5) +
    stroke(
      'M40 264V170A74 74 0 0 1 188 170V264M64 264V116M90 264V98M114 264V96M138 264V98M164 264V116M40 190H188',
      c.honey,
      5,
    ) +
    rect(30, 258, 168, 18, c.honey, 8) +
    stroke('M84 216H144M114 150V216', c.honey, 6);
  const bell = place(
    528,
    150,
    stroke('M0 -170V-74', c.stone, 5) +
      path('M-64 56C-52 30 -52 -20 -40 -46Q-28 -76 0 -76Q28 -76 40 -46C52 -20 52 30 64 56Z', c.amber) +
      path('M6 -76Q28 -74 40 -46C52 -20 52 30 64 56H30C34 0 26 -50 6 -76Z', c.ochre) +
      circle(0, 66, 16, c.ochre) +
      rect(-72, 48, 144, 16, c.amber, 8) +
      stroke('M-22 56L-10 34L-22 16L-8 -6', c.umber, 5),
  );
  const box =
    rect(96, 266, 448, 254, red, 30) +
    rect(96, 480, 448, 40, '#a81f22', 20) +
    path('M96 470H544V490H96Z', '#a81f22') +
    rect(122, 288, 396, 148, '#a81f22', 24) +
    reel(206, 362, 46) +
    reel(434, 362, 34) +
    rect(286, 318, 68, 88, c.cream, 8) +
    voice(302, 362, [24, 52, 34, 60], 12, 6, c.coral) +
    stroke('M214 408H426', '#5a3414', 5);
  const keys =
    repeat(5, (i) => rect(136 + i * 52, 450, 42, 32, i === 1 ? c.amber : c.ink, 7)) +
    target(470, 466, 26, [c.ink, c.stone]) +
    ring(470, 466, 22, c.ink, 4);
  const handle = stroke('M150 268V226Q150 206 170 206H470Q490 206 490 226V268', c.ink, 16);
  const label = place(
    330,
    258,
    stroke('M0 -46Q20 -30 22 -10', c.cream, 4) +
      rect(-4, -14, 92, 50, c.paper, 6) +
      circle(8, -4, 4, c.ink) +
      stroke('M22 4H74M22 18H58', c.stone, 5),
    1,
    8,
  );
  return picture(640, 640, wall + cage + bell + shelf + hanging + handle + box + keys + label);
}
