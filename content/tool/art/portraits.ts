/** The six narrators: flat busts with headphones, each with a ground, a head of hair and a temper of their own. */
import { echo } from './motifs.ts';
import * as c from './palette.ts';
import { blob, circle, clip, ellipse, faded, line, path, picture, rect, type Svg, stroke } from './svg.ts';

interface Sitter {
  ground: string;
  halo: string;
  skin: string;
  shade: string;
  coat: string;
  phones: string;
  phonesDark: string;
  /** Hair that lies behind the head. */
  back: Svg;
  /** Hair that lies over the forehead. */
  front: Svg;
  /** Eyes, brows, mouth and whatever else is worn on the face. */
  face: Svg;
  /** Details of the clothes. */
  dress: Svg;
}

const lash = (x: number, y: number, colour: string, w = 7): Svg =>
  stroke(`M${x - w} ${y}q${w} ${w} ${w * 2} 0`, colour, 2.6);
const glad = (x: number, y: number, colour: string, w = 6): Svg =>
  stroke(`M${x - w} ${y}q${w} ${-w * 1.3} ${w * 2} 0`, colour, 2.6);
const eye = (x: number, y: number, colour: string): Svg => ellipse(x, y, 2.8, 3.6, colour);
const brow = (x: number, y: number, w: number, tilt: number, colour: string, weight = 2.6): Svg =>
  stroke(`M${x - w} ${y + tilt}q${w} ${-5} ${w * 2} ${-tilt}`, colour, weight);
const nose = (colour: string, y = 84): Svg => stroke(`M80 ${y}q5 9 -2 11`, colour, 2.4);
const blushes = (colour: string): Svg => circle(61, 95, 6, colour) + circle(99, 95, 6, colour);

/** The common build of a bust: echo behind, hair, shoulders, neck, head, headphones. */
function bust(s: Sitter): Svg {
  const shoulders = `M18 168C20 136 44 126 66 122H94C116 126 140 136 142 168Z`;
  const neck =
    path('M67 100H93V122Q80 136 67 122Z', s.skin) + path('M67 108Q80 124 93 108V116Q80 128 67 116Z', s.shade);
  const head = path('M52 74Q52 44 80 44Q108 44 108 74Q108 116 80 117Q52 116 52 74Z', s.skin);
  const band = stroke('M48 78Q46 32 80 31Q114 32 112 78', s.phones, 7);
  const cups =
    rect(39, 68, 17, 32, s.phones, 8.5) +
    rect(104, 68, 17, 32, s.phones, 8.5) +
    rect(39, 74, 6, 20, s.phonesDark, 3) +
    rect(115, 74, 6, 20, s.phonesDark, 3);
  return picture(
    160,
    160,
    rect(0, 0, 160, 160, s.ground) +
      echo(80, 78, 58, 15, 4, s.halo, 4) +
      s.back +
      path(shoulders, s.coat) +
      clip(path(shoulders, c.ink), s.dress) +
      neck +
      head +
      s.face +
      s.front +
      band +
      cups,
  );
}

const amelia: Sitter = {
  ground: c.lagoon,
  halo: '#19686a',
  skin: '#f8cfae',
  shade: '#e3a983',
  coat: c.amber,
  phones: c.cream,
  phonesDark: c.stone,
  back: blob(
    [
      [80, 36],
      [112, 46],
      [122, 82],
      [122, 112],
      [104, 122],
      [80, 112],
      [56, 122],
      [38, 112],
      [38, 82],
      [48, 46],
    ],
    '#b5492a',
  ),
  front: path(
    'M50 82C48 48 66 38 84 38C104 38 112 56 110 82C104 76 100 66 98 56C88 66 66 66 58 64C56 72 54 78 50 82Z',
    '#c9562f',
  ),
  face:
    blushes('#f3a58b') +
    lash(67, 82, c.ink) +
    lash(94, 82, c.ink) +
    brow(67, 73, 7, 1, '#9c3b20') +
    brow(94, 73, 7, -1, '#9c3b20') +
    nose('#dc9771') +
    stroke('M71 103q9 8 18 0', c.brick, 3),
  dress:
    path('M60 122Q80 146 100 122L108 126Q80 162 52 126Z', c.honey) +
    faded(0.5, stroke('M30 150q10-8 20 0M112 150q10-8 20 0', c.honey, 3)),
};

const grace: Sitter = {
  ground: c.plum,
  halo: '#583086',
  skin: '#8d5233',
  shade: '#6d3a22',
  coat: c.coral,
  phones: c.amber,
  phonesDark: c.ochre,
  back:
    circle(80, 66, 50, '#25131f') +
    circle(40, 76, 18, '#25131f') +
    circle(120, 76, 18, '#25131f') +
    circle(52, 36, 18, '#25131f') +
    circle(108, 36, 18, '#25131f') +
    circle(80, 24, 18, '#25131f'),
  front: path(
    'M52 76C50 56 58 42 80 42C102 42 110 56 108 76C104 64 98 58 90 60C84 54 76 54 70 60C62 58 56 64 52 76Z',
    '#25131f',
  ),
  face:
    eye(67, 81, '#1b0d12') +
    eye(93, 81, '#1b0d12') +
    brow(67, 72, 7, 0, '#25131f') +
    brow(93, 72, 7, 0, '#25131f') +
    nose('#6d3a22') +
    path('M68 99Q80 103 92 99Q90 111 80 111Q70 111 68 99Z', c.cream) +
    stroke('M68 99Q80 103 92 99', '#5d2420', 2.4) +
    blushes('#a4603f'),
  dress: stroke('M58 124Q80 150 102 124', c.peach, 7) + circle(80, 147, 4, c.honey),
};

const tom: Sitter = {
  ground: c.brick,
  halo: '#ad4329',
  skin: '#eab98e',
  shade: '#c98f63',
  coat: c.night,
  phones: c.teal,
  phonesDark: c.lagoon,
  back: '',
  front: path(
    'M50 76C44 44 62 32 88 34C104 34 114 48 110 76C107 68 105 62 102 58C90 60 72 58 62 54C58 60 54 66 50 76Z',
    '#3a2418',
  ),
  face:
    path(
      'M52 82C56 88 60 92 64 92Q80 86 96 92C100 92 104 88 108 82Q110 122 80 124Q50 122 52 82Z',
      '#3a2418',
    ) +
    path('M70 100Q80 95 90 100Q88 108 80 108Q72 108 70 100Z', '#eab98e') +
    stroke('M73 102q7 5 14 0', c.brick, 2.8) +
    stroke(
      'M58 79a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M84 79a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M76 78q4-3 8 0',
      c.ink,
      2.6,
    ) +
    eye(67, 80, c.ink) +
    eye(93, 80, c.ink) +
    brow(67, 66, 8, 0, '#3a2418', 3.6) +
    brow(93, 66, 8, 0, '#3a2418', 3.6) +
    stroke('M80 80q5 9 -1 11', '#c98f63', 2.4),
  dress:
    path('M62 120L80 144L98 120L110 128L84 170H76L50 128Z', c.cream) +
    path('M66 124L80 144L66 152L52 128ZM94 124L80 144L94 152L108 128Z', c.sky),
};

const lucia: Sitter = {
  ground: c.berry,
  halo: '#93274f',
  skin: '#e8b48a',
  shade: '#c98a60',
  coat: c.mint,
  phones: c.honey,
  phonesDark: c.ochre,
  back: path(
    'M40 70C38 38 58 28 80 28C102 28 122 38 120 70L128 132Q120 146 104 140H56Q40 146 32 132Z',
    '#1d1420',
  ),
  front:
    path(
      'M51 78C48 50 62 38 80 38C98 38 112 50 109 78C107 70 106 68 105 66Q80 72 55 66C54 68 53 70 51 78Z',
      '#1d1420',
    ) + stroke('M66 46V62M80 43V64M94 46V62', '#35263a', 2),
  face:
    glad(67, 85, c.ink) +
    glad(93, 85, c.ink) +
    nose('#c98a60', 86) +
    path('M70 102Q80 106 90 102Q87 112 80 112Q73 112 70 102Z', c.brick) +
    blushes('#e8937a'),
  dress:
    path('M54 124Q80 156 106 124L94 120Q80 138 66 120Z', c.teal) +
    line([24, 146], [136, 146], c.teal, 4) +
    line([24, 156], [136, 156], c.teal, 4),
};

const diego: Sitter = {
  ground: c.forest,
  halo: '#1e4630',
  skin: '#c98a5c',
  shade: '#a56a3f',
  coat: c.ochre,
  phones: c.coral,
  phonesDark: c.brick,
  back: '',
  front: [
    [54, 60, 11],
    [58, 46, 12],
    [70, 38, 13],
    [84, 36, 13],
    [97, 42, 12],
    [105, 54, 11],
    [76, 50, 11],
    [90, 50, 11],
    [64, 54, 9],
    [108, 66, 6],
    [52, 70, 6],
  ]
    .map(([x, y, r]) => circle(x ?? 0, y ?? 0, r ?? 0, '#221410'))
    .join(''),
  face:
    eye(68, 82, c.ink) +
    eye(94, 82, c.ink) +
    brow(68, 72, 8, 2, '#221410', 3.6) +
    brow(94, 72, 8, -1, '#221410', 3.6) +
    stroke('M81 84q6 9 -1 11', '#a56a3f', 2.4) +
    path('M62 101Q72 92 80 98Q88 92 98 101Q89 103 80 101Q71 103 62 101Z', '#221410') +
    stroke('M74 107q7 4 13 -1', c.brick, 3) +
    faded(0.25, path('M52 86Q54 117 80 118Q106 117 108 86Q104 108 80 110Q56 108 52 86Z', '#221410')),
  dress:
    path('M62 121Q80 140 98 121L104 125Q80 152 56 125Z', c.umber) +
    stroke('M34 168V140M48 168V134M112 168V134M126 168V140', c.amber, 4),
};

const carmen: Sitter = {
  ground: c.indigo,
  halo: '#394194',
  skin: '#f2c6a0',
  shade: '#d69c74',
  coat: c.rose,
  phones: c.ink,
  phonesDark: c.violet,
  back: circle(80, 22, 17, '#d8dbe8') + circle(80, 22, 9, '#bfc4d8') + circle(80, 64, 35, '#d8dbe8'),
  front:
    path('M50 82C46 50 62 36 82 36C104 36 114 54 110 82C106 66 98 58 84 54C74 64 58 62 50 82Z', '#e9ebf3') +
    stroke('M60 58Q70 48 84 46M98 56Q104 62 106 70', '#bfc4d8', 2.2),
  face:
    lash(67, 83, c.ink, 6) +
    lash(94, 83, c.ink, 6) +
    brow(67, 73, 7, 1, '#a9aec6') +
    brow(94, 73, 7, -1, '#a9aec6') +
    nose('#d69c74', 85) +
    path('M70 104Q75 100 80 102Q85 100 90 104Q80 113 70 104Z', c.brick) +
    stroke('M58 91q-3 1 -4 3M102 91q3 1 4 3', '#d69c74', 1.8) +
    blushes('#f0a091') +
    circle(51, 106, 4, c.amber) +
    circle(109, 106, 4, c.amber),
  dress: [52, 60, 70, 80, 90, 100, 108]
    .map((x, i) => circle(x, [128, 134, 139, 141, 139, 134, 128][i] ?? 0, 4, c.cream))
    .join(''),
};

/** Every portrait by the narrator's file name. */
export const portraits: Readonly<Record<string, Svg>> = {
  amelia: bust(amelia),
  grace: bust(grace),
  tom: bust(tom),
  lucia: bust(lucia),
  diego: bust(diego),
  carmen: bust(carmen),
};
