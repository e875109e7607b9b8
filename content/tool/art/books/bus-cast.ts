/** Who lives in "The Bus That Stayed": the driver, Mina, the neighbours and the animals. */
import * as c from '../palette.ts';
import type { Look } from '../people.ts';
import { circle, ellipse, path, place, type Svg, stroke } from '../svg.ts';

const comb = '#d62f2c';

export const driver: Look = {
  build: 'round',
  skin: '#f0bd94',
  cheeks: '#e2906c',
  hair: '#8d93a3',
  cut: 'short',
  moustache: '#8d93a3',
  hat: 'cap',
  hatColour: '#22346e',
  trim: '#16234f',
  top: '#22346e',
  wear: 'coat',
  bottom: '#16234f',
  shoes: c.ink,
};
/** The driver years later. */
export const oldDriver: Look = {
  ...driver,
  hair: '#f1eff2',
  moustache: '#f1eff2',
  top: '#8a5a36',
  trim: '#5d3a20',
};
export const mina: Look = {
  build: 'child',
  skin: '#dca273',
  cheeks: '#cf7f5b',
  hair: '#191426',
  cut: 'braids',
  top: '#d8342f',
  trim: c.honey,
  wear: 'plain',
  bottom: '#2f4f9c',
  shoes: '#f2b21d',
};
const brother: Look = {
  build: 'child',
  skin: '#dca273',
  cheeks: '#cf7f5b',
  hair: '#191426',
  cut: 'short',
  top: '#3f8f4c',
  trim: c.paper,
  wear: 'stripes',
  bottom: '#5a3d24',
  shoes: c.ink,
};
export const brothers: readonly Look[] = [
  brother,
  { ...brother, cut: 'curls', top: c.paper, trim: '#3f8f4c' },
  { ...brother, hat: 'cap', hatColour: '#3f8f4c', trim: c.paper, wear: 'plain' },
  { ...brother, top: c.paper, wear: 'plain', hat: 'beanie', hatColour: '#3f8f4c', trim: '#3f8f4c' },
];
export const oldWoman: Look = {
  build: 'old',
  skin: '#f2c6a0',
  cheeks: '#e59d80',
  hair: '#e3e5ee',
  cut: 'bun',
  top: '#c9748a',
  wear: 'scarf',
  trim: c.violet,
  bottom: '#6b3d57',
  skirt: true,
  shoes: c.umber,
};
export const teacher: Look = {
  build: 'adult',
  skin: '#8d5233',
  cheeks: '#74402a',
  hair: '#1b0d12',
  cut: 'short',
  glasses: true,
  top: c.teal,
  wear: 'plain',
  bottom: '#3a3f5c',
  shoes: c.ink,
};
export const boy: Look = {
  build: 'child',
  skin: '#f8cfae',
  cheeks: '#f0a58a',
  hair: '#b5492a',
  cut: 'short',
  top: '#4763c4',
  wear: 'stripes',
  trim: c.cream,
  bottom: '#5a3d24',
  shoes: c.brick,
};
export const mother: Look = {
  build: 'adult',
  skin: '#c98a5c',
  cheeks: '#b06c47',
  hair: '#2a1820',
  cut: 'long',
  top: c.coral,
  wear: 'plain',
  bottom: '#8a2f4f',
  skirt: true,
  shoes: c.umber,
};

/** The hen seen from in front, sitting with her foot at 0, 0. */
export const henFront: Svg =
  path('M-46 0C-56 -40 -34 -66 -22 -84C-18 -104 18 -104 22 -84C34 -66 56 -40 46 0Z', '#8a5532') +
  path('M-26 0C-28 -30 -12 -44 0 -44C12 -44 28 -30 26 0Z', '#b67c4e') +
  stroke('M-36 -34Q-44 -16 -38 -4M36 -34Q44 -16 38 -4', '#6f4226', 5) +
  circle(-8, -102, 8, comb) +
  circle(4, -108, 9, comb) +
  circle(14, -100, 7, comb) +
  circle(-11, -82, 5.4, c.paper) +
  circle(11, -82, 5.4, c.paper) +
  circle(-10, -81, 3, c.ink) +
  circle(10, -81, 3, c.ink) +
  path('M-8 -74L0 -60L8 -74Q0 -80 -8 -74Z', c.amber) +
  ellipse(0, -56, 5, 8, comb);

/** The hen from the side, looking right, her foot at 0, 0; `stern` draws her brow. */
export function hen(stern = false): Svg {
  const body = path(
    'M-70 -64C-78 -86 -66 -96 -54 -84C-40 -62 -14 -62 2 -72C10 -84 12 -104 30 -108C48 -110 58 -96 54 -80C58 -40 40 0 -6 0C-46 0 -68 -30 -70 -64Z',
    '#8a5532',
  );
  const tail = path('M-58 -48C-84 -66 -92 -90 -78 -100C-66 -94 -54 -84 -48 -66Z', '#6f4226');
  const wing =
    path('M-44 -44C-20 -56 8 -52 16 -36C6 -14 -24 -12 -44 -44Z', '#b67c4e') +
    stroke('M-24 -38Q-8 -42 4 -34M-16 -28Q-4 -30 4 -26', '#8a5532', 4);
  const head =
    circle(24, -112, 8, comb) +
    circle(34, -118, 9, comb) +
    circle(44, -110, 7, comb) +
    path('M54 -92L72 -84L54 -78Z', c.amber) +
    ellipse(52, -70, 6, 10, comb) +
    circle(40, -90, 5.6, c.paper) +
    circle(42, -90, 3.2, c.ink) +
    (stern ? stroke('M31 -101L48 -96', '#3d2414', 4.5) : '');
  return tail + body + wing + head;
}

/** The goat's head and neck, looking right, the neck's foot at 0, 0. */
export const goatHead: Svg =
  path('M-30 6C-34 -40 -24 -72 0 -84L26 -76L30 -40L34 6Z', '#f4f0e8') +
  stroke('M2 -84Q-6 -108 -22 -114M16 -84Q14 -106 2 -116', '#a98f66', 8) +
  path('M-4 -86C14 -96 36 -84 44 -66L58 -50C62 -40 52 -32 42 -36L16 -44C-2 -48 -14 -66 -4 -86Z', '#f4f0e8') +
  path('M-2 -72C-22 -80 -36 -70 -38 -60C-26 -54 -10 -56 -2 -62Z', '#dfd7c6') +
  circle(24, -70, 4.4, c.ink) +
  ellipse(54, -46, 4, 3, '#c98a86') +
  path('M34 -38L40 -14L46 -36Z', '#dfd7c6');

/** The whole goat, looking right, her feet at 0, 0. */
export const goat: Svg =
  stroke('M-62 -60V-4M-44 -60V-4M18 -60V-4M34 -60V-4', '#e6dfcf', 12) +
  stroke('M-62 -8V-3M-44 -8V-3M18 -8V-3M34 -8V-3', '#5d4a3a', 12, 'butt') +
  path('M-76 -96C-84 -70 -74 -50 -50 -50H24C48 -50 54 -74 48 -98C30 -110 -50 -110 -76 -96Z', '#f4f0e8') +
  path('M-74 -96Q-92 -108 -90 -122Q-78 -118 -66 -104Z', '#f4f0e8') +
  stroke('M-50 -82q8 8 16 0M-22 -92q8 8 16 0M-10 -70q8 8 16 0', '#dfd7c6', 4) +
  place(36, -86, goatHead);

/** A cat's head and shoulders at a window, looking at us, its foot at 0, 0. */
export function catAt(fur: string, inner: string, eye: string): Svg {
  return (
    path('M-30 4C-32 -26 -20 -36 0 -36C20 -36 32 -26 30 4Z', fur) +
    path(
      'M-30 -52L-28 -90L-10 -76Q0 -79 10 -76L28 -90L30 -52C30 -32 16 -26 0 -26C-16 -26 -30 -32 -30 -52Z',
      fur,
    ) +
    path('M-24 -70L-23 -82L-14 -74ZM24 -70L23 -82L14 -74Z', inner) +
    ellipse(-11, -55, 4, 5, eye) +
    ellipse(11, -55, 4, 5, eye) +
    path('M-4 -46H4L0 -41Z', inner) +
    stroke('M0 -41q-4 6-9 2M0 -41q4 6 9 2', inner, 2)
  );
}

/** A cat asleep, curled, its foot at 0, 0. */
export function catAsleep(fur: string, stripe: string): Svg {
  return (
    path('M-62 0C-70 -34 -40 -52 0 -52C40 -52 66 -34 60 0Z', fur) +
    stroke('M-24 -48Q-20 -36 -26 -26M-4 -51Q0 -38 -6 -28M16 -50Q20 -38 14 -28', stripe, 6) +
    path('M24 -40L28 -60L42 -46Q52 -48 60 -44L72 -56L74 -34C76 -14 64 -4 50 -4C34 -4 22 -18 24 -40Z', fur) +
    stroke('M36 -26q5 4 10 0M56 -26q5 4 10 0', c.ink, 2.6) +
    stroke('M-58 -6Q-10 14 34 -4', stripe, 10)
  );
}

/** A swallow on the wing, looking right, its middle at 0, 0. */
export const swallow: Svg =
  path('M-30 4L-70 -10L-56 4L-72 18Z', '#1c2a5e') +
  path('M-36 2C-20 -16 14 -18 34 -6L48 -2L34 6C14 18 -20 16 -36 2Z', '#1c2a5e') +
  path('M-4 -8C-22 -44 -50 -52 -66 -50C-50 -34 -30 -8 8 6Z', '#2b3f85') +
  path('M6 -10C4 -40 20 -60 34 -66C38 -44 30 -16 20 2Z', '#2b3f85') +
  path('M-10 10C6 14 20 12 32 4L22 2Z', c.cream) +
  circle(30, -4, 2.6, c.paper);

/** A closed book in the hand, standing, `w` by `h`, its middle at 0, 0. */
export function tome(w: number, h: number, cover: string): Svg {
  return (
    `<rect x="${-w / 2}" y="${-h / 2}" width="${w}" height="${h}" rx="4" fill="${cover}"/><rect x="${-w / 2 + 4}" y="${h / 2 - 8}" width="${w - 4}" height="5" fill="${c.cream}"/>` +
    stroke(`M${-w / 2 + 9} ${-h / 2 + 4}V${h / 2 - 10}`, c.honey, 3)
  );
}
