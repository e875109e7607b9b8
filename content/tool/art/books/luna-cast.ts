/** Who lives in "La luna en el balde": Nina, her grandmother, don Lucas, the dog Chuño, and the bucket. */
import * as c from '../palette.ts';
import type { Look } from '../people.ts';
import { circle, ellipse, path, place, type Svg, stroke } from '../svg.ts';

export const nina: Look = {
  build: 'child',
  skin: '#cf8e5f',
  cheeks: '#c26f4a',
  hair: '#1c1526',
  cut: 'braids',
  top: '#e0452f',
  sleeves: '#f0e2c4',
  trim: c.honey,
  wear: 'poncho',
  bottom: '#33305e',
  shoes: '#6e4426',
};
export const abuela: Look = {
  build: 'old',
  skin: '#c4845a',
  cheeks: '#b5654a',
  hair: '#eceaf2',
  cut: 'braids',
  top: c.violet,
  trim: c.rose,
  wear: 'plain',
  bottom: c.plum,
  skirt: true,
  shoes: c.umber,
};
export const lucas: Look = {
  build: 'old',
  skin: '#b87a50',
  cheeks: '#a85f42',
  hair: '#eceaf2',
  cut: 'short',
  moustache: '#eceaf2',
  top: '#7a4a2a',
  sleeves: '#e9dcc0',
  trim: c.stone,
  wear: 'poncho',
  bottom: '#2f2c46',
  shoes: c.ink,
};

const fur = '#16121f';
const rim = '#4a4066';
const white = '#f3eee6';

const dogHead =
  path(
    'M-24 2C-26 -18 -12 -26 2 -25C14 -25 20 -16 24 -9L40 -4C46 0 46 12 38 15L16 20C-6 26 -22 18 -24 2Z',
    fur,
  ) +
  stroke('M22 9Q30 11 38 8', rim, 2.6) +
  circle(42, 0, 4.6, '#6c5f8c') +
  circle(10, -6, 5.6, white) +
  circle(11.5, -6, 3.2, fur) +
  path('M-18 -20C-30 -24 -36 -6 -30 14C-18 14 -10 -4 -8 -20Z', white) +
  path('M8 -24C14 -32 24 -30 26 -16Q18 -12 10 -20Z', rim);
const closed =
  path(
    'M-24 2C-26 -18 -12 -26 2 -25C14 -25 20 -16 24 -9L40 -4C46 0 46 12 38 15L16 20C-6 26 -22 18 -24 2Z',
    fur,
  ) +
  stroke('M5 -4q5 5 10 0', white, 2.4) +
  circle(42, 0, 4.6, '#6c5f8c') +
  path('M-18 -20C-30 -24 -36 -6 -30 14C-18 14 -10 -4 -8 -20Z', white);
const tail = stroke('M-34 -26Q-54 -36 -48 -60', fur, 9) + stroke('M-50 -50Q-50 -56 -48 -60', rim, 4);

/** Chuño in each thing he does; his feet at 0, 0, looking right. */
export const chuno = {
  head: dogHead,
  sit:
    stroke('M-24 -4Q-52 -2 -56 -26', fur, 9) +
    path('M-34 0C-38 -34 -18 -62 6 -64C26 -62 26 -34 24 0Z', fur) +
    stroke('M-20 -2Q-8 -24 -18 -34', rim, 3) +
    stroke('M8 -34V-6M20 -34V-6', fur, 11) +
    ellipse(12, -3, 8, 5, rim) +
    ellipse(25, -3, 8, 5, rim) +
    place(10, -78, dogHead),
  sitUp:
    stroke('M-24 -4Q-52 -2 -56 -26', fur, 9) +
    path('M-34 0C-38 -34 -18 -62 6 -64C26 -62 26 -34 24 0Z', fur) +
    stroke('M-20 -2Q-8 -24 -18 -34', rim, 3) +
    stroke('M8 -34V-6M20 -34V-6', fur, 11) +
    ellipse(12, -3, 8, 5, rim) +
    ellipse(25, -3, 8, 5, rim) +
    place(6, -80, dogHead, 1, -38),
  hop: place(
    0,
    -14,
    stroke('M-26 -24L-44 -2M-18 -22L-28 2M20 -26L42 -14M26 -30L50 -26', fur, 10) +
      tail +
      path('M-40 -22C-44 -46 -20 -50 0 -48C22 -50 38 -52 36 -32C32 -18 -20 -8 -40 -22Z', fur) +
      stroke('M-26 -45Q0 -50 18 -47', rim, 3) +
      place(36, -58, dogHead),
    1,
    -10,
  ),
  drink:
    stroke('M-34 -26V-4M-22 -26V-4M20 -24V-4M32 -24V-4', fur, 10) +
    stroke('M-40 -34Q-60 -50 -48 -68', fur, 9) +
    path('M-44 -26C-48 -52 -20 -56 0 -52C24 -56 46 -50 42 -30C36 -14 -28 -12 -44 -26Z', fur) +
    stroke('M-28 -51Q0 -56 24 -52', rim, 3) +
    place(54, -52, dogHead, 1, 42),
  lie:
    stroke('M-40 -8Q-62 -4 -66 -14', fur, 9) +
    path('M-50 0C-54 -34 -20 -38 6 -34C30 -32 44 -18 44 0Z', fur) +
    stroke('M-34 -25Q-14 -36 10 -31', rim, 3) +
    place(42, -20, closed, 1, 8) +
    ellipse(50, -2, 14, 6, rim),
} as const;

/** The bucket's side alone, to lay over what reaches into it. */
export const bucketSide: Svg =
  path('M-50 -84Q0 -62 50 -84L38 0Q0 8 -38 0Z', '#2f6fe0') +
  path('M26 -76Q40 -79 50 -84L38 0Q30 3 22 4Z', '#2559bd') +
  stroke('M-45 -54Q0 -44 45 -54', '#7fb0ff', 4) +
  stroke('M-50 -86Q0 -58 50 -86', '#7fb0ff', 5);

/** The blue bucket standing on 0, 0, about 100 wide at the rim; `water` is what one sees in it. */
export function bucket(water: 'moon' | 'dark' | 'broken' | 'empty' | 'none' = 'none', handle = true): Svg {
  const inside: Record<string, Svg> = {
    moon: ellipse(0, -86, 42, 11, c.ink) + ellipse(0, -85, 24, 7.5, '#fff3cf'),
    dark: ellipse(0, -86, 42, 11, '#0b0c1c'),
    broken:
      ellipse(0, -86, 42, 11, c.ink) +
      ellipse(-18, -86, 9, 3, '#fff3cf') +
      ellipse(4, -82, 7, 2.6, '#fff3cf') +
      ellipse(20, -88, 8, 2.6, '#fff3cf') +
      ellipse(0, -91, 6, 2, '#fff3cf'),
    empty: ellipse(0, -86, 42, 11, '#1f3a8f'),
    none: ellipse(0, -86, 42, 11, '#234199'),
  };
  const bail = handle ? stroke('M-46 -84C-44 -140 44 -140 46 -84', '#bcd7f5', 4) : '';
  return (
    bail +
    path('M-50 -86H50L38 0Q0 8 -38 0Z', '#2f6fe0') +
    path('M26 -86H50L38 0Q30 3 22 4Z', '#2559bd') +
    stroke('M-45 -54Q0 -44 45 -54', '#7fb0ff', 4) +
    ellipse(0, -86, 50, 14, '#7fb0ff') +
    (inside[water] ?? '')
  );
}
