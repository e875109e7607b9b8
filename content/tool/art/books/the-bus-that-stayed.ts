/** "The Bus That Stayed": ten pages, in reading order. */
import type { Svg } from '../svg.ts';
import { firstPassenger, girlWithBook, lastEvening, morePassengers, theField } from './bus-pages-first.ts';
import { everySeat, newClothes, nightBus, oldFriend, whereTo } from './bus-pages-last.ts';

/** The pages, each a function that draws it. */
export const pages: readonly (() => Svg)[] = [
  lastEvening,
  theField,
  firstPassenger,
  morePassengers,
  girlWithBook,
  newClothes,
  everySeat,
  oldFriend,
  whereTo,
  nightBus,
];
