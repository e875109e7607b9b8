/** The colours everything is drawn with: deep grounds, warm lights and a few accents, so that the shelf looks like one hand. */
export const ink = '#12142b';
export const night = '#1c2150';
export const indigo = '#2b3178';
export const blue = '#4763c4';
export const sky = '#9cc3ea';

export const pine = '#0d3338';
export const lagoon = '#12565a';
export const teal = '#1f9a92';
export const mint = '#8fd9c4';

export const aubergine = '#2a1640';
export const plum = '#46246a';
export const violet = '#8a63d2';
export const lilac = '#cdb6f2';

export const wine = '#3d1026';
export const berry = '#7d1d45';
export const rose = '#e0567f';
export const blush = '#f7b5bb';

export const rust = '#4a1810';
export const brick = '#98331f';
export const coral = '#f2654a';
export const peach = '#fbb58f';

export const umber = '#33220d';
export const ochre = '#c98a1d';
export const amber = '#f7a83b';
export const honey = '#ffd27a';

export const forest = '#12301f';
export const moss = '#2c5f36';
export const leaf = '#6cab4e';
export const sprout = '#bcdc86';

export const cream = '#fdf0d8';
export const paper = '#fff8ea';
export const stone = '#d9c6a5';
export const clay = '#b4714a';

/** A set of colours that go together: a ground with a deeper and a lighter neighbour, a main colour with its light, an accent and a pale. */
export interface Scheme {
  ground: string;
  deep: string;
  mid: string;
  main: string;
  light: string;
  accent: string;
  pale: string;
}

/** The scheme for when there is nothing to choose by. */
export const firstScheme: Scheme = {
  ground: night,
  deep: ink,
  mid: indigo,
  main: coral,
  light: peach,
  accent: amber,
  pale: cream,
};

/** The schemes generic covers choose from. */
export const schemes: readonly Scheme[] = [
  firstScheme,
  { ground: pine, deep: '#08252a', mid: lagoon, main: teal, light: mint, accent: amber, pale: cream },
  { ground: wine, deep: '#2a0a1a', mid: berry, main: rose, light: blush, accent: honey, pale: cream },
  { ground: rust, deep: '#31100a', mid: brick, main: coral, light: peach, accent: honey, pale: cream },
  { ground: forest, deep: '#0a2015', mid: moss, main: leaf, light: sprout, accent: coral, pale: cream },
  { ground: aubergine, deep: '#1c0e2c', mid: plum, main: violet, light: lilac, accent: amber, pale: cream },
  { ground: umber, deep: '#221607', mid: '#5a3d14', main: ochre, light: honey, accent: coral, pale: cream },
  { ground: indigo, deep: night, mid: blue, main: sky, light: '#d3e4f5', accent: coral, pale: cream },
];
