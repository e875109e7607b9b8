/** The visual books that are drawn, each a list of pages in reading order. */
import type { Svg } from '../svg.ts';
import { pages as luna } from './la-luna-en-el-balde.ts';
import { pages as bus } from './the-bus-that-stayed.ts';

/** Every book's pages by its slug. */
export const books: Readonly<Record<string, readonly (() => Svg)[]>> = {
  'la-luna-en-el-balde': luna,
  'the-bus-that-stayed': bus,
};
