/** "La luna en el balde": ten pages, in reading order. */
import type { Svg } from '../svg.ts';
import { longing, setOff, shepherd, thirst, twoMoons } from './luna-pages-first.ts';
import { ceiling, lost, morning, quietly, waiting } from './luna-pages-last.ts';

/** The pages, each a function that draws it. */
export const pages: readonly (() => Svg)[] = [
  longing,
  setOff,
  twoMoons,
  thirst,
  shepherd,
  lost,
  waiting,
  quietly,
  ceiling,
  morning,
];
