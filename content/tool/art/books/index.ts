/** The visual books that are drawn, each a list of pages in reading order. */
import type { Svg } from '../svg.js';
import { pages as luna } from './la-luna-en-el-balde.js';
import { pages as bus } from './the-bus-that-stayed.js';

/** Every book's pages by its slug. */
export const books: Readonly<Record<string, readonly (() => Svg)[]>> = {
  'la-luna-en-el-balde': luna,
  'the-bus-that-stayed': bus,
};
