/** The bus of "The Bus That Stayed", outside and inside, and the field where it stands. */
import { cloud } from '../motifs.ts';
import { blades, flower, land } from '../nature.ts';
import * as c from '../palette.ts';
import {
  circle,
  clip,
  ellipse,
  type Point,
  path,
  picture,
  place,
  poly,
  rect,
  repeat,
  ring,
  type Svg,
  stroke,
} from '../svg.ts';

const W = 1024;
const H = 768;
export const yellow = '#f6bd2b';
const deep = '#d9980f';
const seatBlue = '#2f5fb8';
const seatDark = '#244a92';

/** A page of the book. */
export function page(inner: Svg, zoom = 1, x = 512, y = 740): Svg {
  return picture(W, H, zoom === 1 ? inner : place(x - x * zoom, y - y * zoom, inner, zoom));
}

/** Land with three hills; the colours from the far one to the near one. */
export function hills(colours: readonly [string, string, string], level = 430): Svg {
  return (
    land(
      [
        [-20, level],
        [140, level - 70],
        [330, level - 10],
        [540, level - 90],
        [760, level - 20],
        [920, level - 80],
        [1050, level - 30],
      ],
      H,
      colours[0],
    ) +
    land(
      [
        [-20, level + 50],
        [200, level + 10],
        [420, level + 56],
        [680, level],
        [880, level + 46],
        [1050, level + 16],
      ],
      H,
      colours[1],
    ) +
    land(
      [
        [-20, level + 130],
        [300, level + 104],
        [640, level + 130],
        [1050, level + 100],
      ],
      H,
      colours[2],
    )
  );
}

/** The apple tree; its foot at x, y. */
export function appleTree(
  x: number,
  y: number,
  size: number,
  crown = '#3f8f4c',
  light = '#57a85c',
  apples = true,
): Svg {
  const leaves = [
    [0, -250, 92],
    [-74, -208, 70],
    [76, -206, 72],
    [-30, -300, 62],
    [40, -296, 60],
  ];
  const fruit = [
    [-66, -206],
    [-26, -282],
    [20, -226],
    [64, -262],
    [92, -196],
    [-94, -232],
    [-8, -188],
    [44, -318],
  ];
  return place(
    x,
    y,
    path('M-20 0Q-8 -60 -14 -150H14Q8 -60 22 0Z', '#6e4426') +
      stroke('M0 -140L-46 -200M0 -130L50 -196', '#6e4426', 14) +
      leaves.map(([lx, ly, r]) => circle(lx ?? 0, ly ?? 0, r ?? 0, crown)).join('') +
      [
        [-36, -280, 44],
        [-86, -226, 36],
        [40, -262, 40],
      ]
        .map(([lx, ly, r]) => circle(lx ?? 0, ly ?? 0, r ?? 0, light))
        .join('') +
      (apples
        ? fruit
            .map(
              ([lx, ly]) =>
                circle(lx ?? 0, ly ?? 0, 11, '#d8342f') + stroke(`M${lx} ${(ly ?? 0) - 10}v-5`, '#4d3024', 3),
            )
            .join('')
        : ''),
    size,
  );
}

/** What the bus carries and wears on a page. */
interface BusState {
  /** What is seen in the four side windows, from the back to the front; each drawn with the sill's middle at 0, 0. */
  windows?: readonly (Svg | undefined)[];
  /** What sits behind the wheel, the sill's middle at 0, 0. */
  wheel?: Svg;
  glass?: string;
  /** Painted blue flowers, as places on the side. */
  blooms?: readonly Point[];
  /** The bonnet is open and sunflowers grow there. */
  garden?: boolean;
  doorOpen?: boolean;
  /** What stands in the open door, its foot at the step's middle. */
  inDoor?: Svg;
}

/** A painted blue flower. */
export function bloom(x: number, y: number, r: number): Svg {
  return flower(x, y, r, 6, '#2f6fe0', c.paper) + circle(x, y, r * 0.18, c.coral);
}

/** A sunflower on its stem, rooted at x, y, of height `h`. */
export function sunflower(x: number, y: number, h: number, r: number, lean = 0): Svg {
  const [tx, ty] = [x + lean, y - h];
  return (
    stroke(`M${x} ${y}Q${x} ${y - h * 0.6} ${tx} ${ty}`, '#3f8f4c', 8) +
    ellipse(x - 18, y - h * 0.4, 20, 8, '#57a85c', 30) +
    ellipse(x + 18, y - h * 0.55, 20, 8, '#57a85c', -30) +
    flower(tx, ty, r * 1.15, 12, '#e08f17', '#5a3414') +
    flower(tx, ty, r, 12, c.honey, '#5a3414') +
    circle(tx, ty, r * 0.42, '#5a3414') +
    ring(tx, ty, r * 0.24, '#8a5532', 3)
  );
}

/** The bus from the side, going right, its wheels on 0, 0; from -310 to 400. */
export function bus(state: BusState = {}): Svg {
  const glass = state.glass ?? '#a9d3ee';
  const wheelAt = (x: number): Svg =>
    circle(x, -44, 46, c.ink) + circle(x, -44, 24, '#c9ced8') + circle(x, -44, 9, '#7c8394');
  const body =
    path(
      'M-310 -60V-236Q-310 -274 -272 -274H236Q284 -274 290 -226L298 -168H300V-44H-296Q-310 -44 -310 -60Z',
      yellow,
    ) +
    path('M-296 -274H240V-290H-270Q-292 -290 -296 -274Z', deep) +
    rect(-310, -118, 610, 14, c.paper) +
    rect(-304, -60, 606, 18, deep);
  const bonnet = state.garden
    ? path('M296 -60V-128H404V-60Z', '#6b3f12') +
      sunflower(322, -118, 110, 30, -10) +
      sunflower(352, -116, 176, 36, 2) +
      sunflower(384, -116, 120, 31, 14) +
      path('M296 -44V-120H412Q424 -84 416 -44Z', yellow) +
      path('M296 -168L326 -282L342 -276L312 -160Z', deep)
    : path('M296 -44V-168H330C388 -166 414 -140 416 -44Z', yellow) +
      stroke('M318 -150V-72M338 -148V-72', deep, 6);
  const lights =
    circle(394, -96, 25, '#c9ced8') +
    circle(396, -96, 18, '#fff3c4') +
    rect(372, -58, 56, 16, '#c9ced8', 8) +
    circle(-300, -92, 9, '#d8342f');
  const pane = (x: number, w: number, inner: Svg | undefined): Svg => {
    const shape = rect(x, -250, w, 104, glass, 10);
    return (
      rect(x - 5, -255, w + 10, 114, deep, 14) +
      shape +
      clip(
        shape,
        path(`M${x} -170L${x + w * 0.7} -250H${x + w * 0.95}L${x} -140Z`, '#ffffff44') +
          (inner ? place(x + w / 2, -146, inner) : ''),
      )
    );
  };
  const side = [0, 1, 2, 3].map((i) => pane(-288 + i * 102, 88, state.windows?.[i])).join('');
  const front = pane(212, 66, state.wheel);
  const door = state.doorOpen
    ? rect(122, -256, 82, 212, '#7a4f0c', 8) +
      rect(128, -250, 70, 200, '#4b3a5c', 5) +
      (state.inDoor ? clip(rect(90, -330, 150, 300, '#000'), place(163, -52, state.inDoor)) : '') +
      rect(116, -256, 12, 212, deep, 4) +
      rect(112, -50, 100, 14, '#c9ced8', 4)
    : rect(122, -256, 82, 212, deep, 8) +
      rect(130, -248, 30, 120, glass, 5) +
      rect(166, -248, 30, 120, glass, 5) +
      stroke('M163 -252V-48', '#b57c08', 4);
  const number = circle(-42, -94, 46, '#22346e') + stroke('M-60 -114H-24L-46 -72', c.paper, 13);
  const petals = (state.blooms ?? []).map(([x, y]) => bloom(x, y, 30)).join('');
  return body + petals + number + side + front + door + bonnet + wheelAt(-190) + wheelAt(290) + lights;
}

/** Where the painted flowers are when they are all there. */
export const allBlooms: readonly Point[] = [
  [-262, -92],
  [-126, -86],
  [40, -94],
  [96, -84],
  [-106, -128],
  [252, -98],
];

/** Tall grass in front of things, rooted at y. */
export function tallGrass(
  seed: string,
  y: number,
  low: number,
  high: number,
  colours: readonly [string, string],
  count = 70,
): Svg {
  return (
    blades(`${seed}1`, -20, y, 1064, low * 1.25, high * 1.15, count, colours[1], 13) +
    blades(`${seed}2`, -20, y + 20, 1064, low, high, count, colours[0], 13)
  );
}

/** Two fair-weather clouds. */
export function fair(fill = '#ffffff'): Svg {
  return cloud(110, 150, 190, fill) + cloud(690, 110, 220, fill);
}

/** A blue seat in profile looking right, the seat's middle at 0, 0. */
export function seat(dusk = false): Svg {
  const [front, back] = dusk ? ['#33508f', '#273f75'] : [seatBlue, seatDark];
  return (
    rect(-70, -10, 140, 40, front, 16) +
    path('M-84 20C-98 -60 -96 -150 -84 -176Q-60 -190 -44 -172C-44 -110 -44 -50 -36 20Z', back) +
    path('M-66 10C-74 -60 -72 -140 -66 -168Q-54 -178 -44 -166C-44 -110 -44 -50 -36 10Z', front) +
    rect(-46, 28, 14, 60, '#5d6478') +
    rect(30, 28, 14, 60, '#5d6478')
  );
}

/** Inside the bus, seen from the side: its nose is at the right. `outside` is the colour beyond the glass, `rear` lies behind the near things. */
export function inside(outside: string, dusk: boolean, rear: Svg, view: Svg = ''): Svg {
  const [wall, trim, floor, stripe] = dusk
    ? ['#b98b4a', '#94692c', '#4d3a55', '#43324b']
    : ['#e9c46f', '#c99a3c', '#7d6a66', '#6f5d5a'];
  const panes = repeat(
    3,
    (i) =>
      rect(30 + i * 230, 120, 200, 190, trim, 22) +
      clip(rect(42 + i * 230, 132, 176, 166, '#000', 14), rect(42 + i * 230, 132, 176, 166, outside) + view),
  );
  const shield =
    poly(
      [
        [740, 92],
        [1034, 92],
        [1034, 452],
        [812, 452],
      ],
      trim,
    ) +
    clip(
      poly(
        [
          [762, 110],
          [1034, 110],
          [1034, 434],
          [828, 434],
        ],
        '#000',
      ),
      rect(740, 90, 300, 360, outside) + view,
    );
  const rail =
    rect(0, 84, 740, 8, trim, 4) +
    repeat(
      6,
      (i) =>
        stroke(`M${58 + i * 118} 90V128`, trim, 5) +
        ring(58 + i * 118, 142, 14, dusk ? '#5a4a66' : '#8a5a36', 6),
    );
  const ceiling =
    rect(0, 0, W, 60, trim) + rect(0, 56, W, 12, wall) + rect(0, 0, W, 20, '#00000018') + (dusk ? '' : rail);
  const base = rect(0, 600, W, 168, floor) + repeat(4, (i) => rect(0, 632 + i * 38, W, 5, stripe));
  const board =
    path('M838 452H1034V640H900Q846 560 838 452Z', dusk ? '#5a4a66' : '#5d6478') +
    circle(930, 500, 20, c.paper) +
    circle(984, 500, 20, c.paper) +
    stroke('M930 500L938 488M984 500L978 486', '#d8342f', 4);
  return rect(0, 0, W, H, wall) + panes + shield + ceiling + base + rear + board;
}

/** The big black steering wheel on its column, its middle at 0, 0. */
export const steering: Svg =
  stroke('M30 10L100 74', c.ink, 16) +
  `<ellipse cx="0" cy="0" rx="34" ry="92" fill="none" stroke="${c.ink}" stroke-width="16" transform="rotate(24)"/>` +
  stroke('M-34 -76L36 78M-8 6L30 14', c.ink, 9);
